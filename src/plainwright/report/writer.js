// The writer's page: a text goes to the server it came from, and comes back a few paragraphs at a time.

let running = null; // the AbortController of what is under way

function tell(message, wrong = false) {
  byId("progress").textContent = message;
  byId("progress").classList.toggle("wrong", wrong);
}

const keptWords = () => byId("keep").value.split(",").map((words) => words.trim()).filter(Boolean);

async function* linesOf(reply) {
  const decoder = new TextDecoder();
  let rest = "";
  for (const reader = reply.body.getReader(); ; ) {
    const { value, done } = await reader.read();
    rest += decoder.decode(value ?? new Uint8Array(), { stream: !done });
    const lines = rest.split("\n");
    rest = lines.pop();
    yield* lines.map((line) => JSON.parse(line));
    if (done) return;
  }
}

function request() {
  const grade = byId("max-grade").value;
  return {
    text: byId("source").value,
    level: byId("level").value,
    max_grade: grade === "" ? null : Number(grade),
    keep: keptWords(),
  };
}

async function failure(reply) {
  const answer = await reply.json().catch(() => ({}));
  return new Error(answer.error?.message ?? `The server answered with ${reply.status}.`);
}

async function simplify() {
  running?.abort();
  const own = (running = new AbortController());
  if (!byId("source").value.trim()) return tell("There is no text yet.", true);
  byId("start").disabled = true;
  byId("cancel").hidden = false;
  byId("outcome").hidden = false;
  review = new Review();
  tell("Working…");
  try {
    const headers = { "content-type": "application/json" };
    const reply = await fetch("review", { method: "POST", headers, body: JSON.stringify(request()), signal: own.signal });
    if (!reply.ok) throw await failure(reply);
    for await (const line of linesOf(reply)) {
      if (line.error) throw new Error(line.error.message);
      if (line.done) continue;
      review.add(line);
      tell(`Working… ${plural(review.data.paragraphs.length, "paragraph")} so far`);
    }
    tell(`Done: ${plural(review.data.groups.length, "edit")}.`);
    byId("review").scrollIntoView({ block: "start" });
  } catch (error) {
    if (own.signal.aborted) tell("Cancelled. What is below is the part that was done.");
    else tell(error instanceof TypeError ? "The server does not answer." : error.message, true);
  } finally {
    if (running === own) running = null;
    byId("start").disabled = false;
    byId("cancel").hidden = true;
  }
}

async function open(file) {
  if (!file) return;
  const text = await file.text();
  if (text.includes("\0") || text.includes("\ufffd")) {
    return tell(`${file.name} is no text in UTF-8. For documents, use plainwright simplify on the command line.`, true);
  }
  byId("source").value = text;
  resultName = `${file.name.replace(/\.[^.]*$/, "")}.plain.txt`;
  tell(`${file.name} is open.`);
}

function startWriter() {
  byId("writer").addEventListener("submit", (event) => {
    event.preventDefault();
    simplify();
  });
  byId("cancel").addEventListener("click", () => running?.abort());
  byId("file").addEventListener("change", () => open(byId("file").files[0]));
  const field = byId("writing");
  field.addEventListener("dragover", (event) => {
    event.preventDefault();
    field.classList.add("dropping");
  });
  field.addEventListener("dragleave", () => field.classList.remove("dropping"));
  field.addEventListener("drop", (event) => {
    field.classList.remove("dropping");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    open(event.dataTransfer.files[0]);
  });
}

onKeptWords = (words) => {
  if (words && !keptWords().some((own) => own.toLowerCase() === words.toLowerCase())) {
    byId("keep").value = [...keptWords(), words].join(", ");
  }
};
startWriter();
