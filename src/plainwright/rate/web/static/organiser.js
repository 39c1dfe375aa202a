// Keeps the overview fresh without moving anything under the reader's hands; copies links. Every page works without it.

const REFRESH = 30_000; // milliseconds

function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    const timeStyle = time.closest(".log, #freshness") ? "medium" : "short";
    if (!Number.isNaN(moment.valueOf())) time.textContent = moment.toLocaleString([], { dateStyle: "medium", timeStyle });
  }
}

async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  const said = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = said; }, 2000);
}

function prepareLinks() {
  const list = document.querySelector(".links[data-leave]");
  if (!list) return;
  // Loading the page again would make the same links a second time.
  history.replaceState(null, "", list.dataset.leave);
  const fields = [...list.querySelectorAll("[data-select]")];
  for (const field of fields) field.addEventListener("focus", () => field.select());
  if (!navigator.clipboard) return;
  for (const button of list.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button, button.parentElement.querySelector("input").value));
  }
  const all = document.querySelector("[data-copy-all]");
  if (!all) return;
  all.hidden = false;
  all.addEventListener("click", () => copy(all, fields.map((field) => field.value).join("\n")));
}

function prepareRefresh() {
  const freshness = document.querySelector("#freshness");
  if (!freshness) return;
  const pause = document.querySelector("#pause-refresh");
  let stopped = false;
  let waiting = 0;

  async function refresh() {
    clearTimeout(waiting);
    if (stopped) return;
    waiting = setTimeout(refresh, REFRESH);
    if (document.hidden) return;
    try {
      const reply = await fetch(location.pathname, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(REFRESH) });
      if (reply.redirected || !reply.ok) {
        say(reply.redirected ? "You were logged out: load this page again to log in." : "The server does not answer as it should.");
        stopped = reply.redirected;
        return;
      }
      take(new DOMParser().parseFromString(await reply.text(), "text/html"));
    } catch {
      say("The server cannot be reached; this is how it was.");
    }
  }

  function take(fresh) {
    localTimes(fresh);
    for (const part of document.querySelectorAll("[data-live]")) {
      const next = fresh.getElementById(part.id);
      // Whoever is in there, with the keyboard or a selection, is not disturbed; the next time will do.
      const busy = part.contains(document.activeElement) || (!getSelection().isCollapsed && getSelection().containsNode(part, true));
      if (next && !busy && next.innerHTML !== part.innerHTML) part.innerHTML = next.innerHTML;
    }
    const time = fresh.querySelector("#freshness time");
    freshness.querySelector("time").replaceWith(document.importNode(time, true));
    freshness.querySelector(".trouble")?.remove();
  }

  function say(sentence) {
    const trouble = freshness.querySelector(".trouble") ?? freshness.appendChild(document.createElement("span"));
    trouble.className = "trouble";
    trouble.setAttribute("role", "status");
    trouble.textContent = ` ${sentence}`;
  }

  pause.hidden = false;
  pause.addEventListener("click", () => {
    stopped = !stopped;
    pause.setAttribute("aria-pressed", String(stopped));
    pause.textContent = stopped ? "Refresh again" : "Stop refreshing";
    refresh();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
  waiting = setTimeout(refresh, REFRESH);
}

// Two quick clicks must not invite everybody twice.
function prepareForms() {
  const sent = new WeakSet();
  addEventListener("submit", (event) => {
    if (sent.has(event.target)) event.preventDefault();
    sent.add(event.target);
    setTimeout(() => sent.delete(event.target), 3000);
  });
}

localTimes(document);
prepareForms();
prepareLinks();
prepareRefresh();
