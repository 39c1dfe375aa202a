// Buttons and keys of a review, which belong to whichever text is on the page.

let review = null;
let resultName = "plain.txt";
let saveResult = () => saveText(review.rewriting.text(), resultName); // a page that has a document saves that
let onKeptWords = () => {}; // a page that can simplify again remembers them

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages that came by plain HTTP from another machine have no clipboard, but a selection can be copied.
    const field = make("textarea", { "aria-hidden": "true", class: "hidden" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

const saveText = (text, name) => saveBlob(new Blob([text], { type: "text/plain;charset=utf-8" }), name);

function saveBlob(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const ON_CLICK = {
  "previous-edit": () => review.step(-1, false),
  "next-edit": () => review.step(1, false),
  "accept-edit": () => review.decide([review.current], false),
  "refuse-edit": () => review.decide([review.current], true),
  "keep-words": () => onKeptWords(review.keepWords()),
  "undo-edit": () => review.undo(),
  "accept-all": () => review.decide(review.shown(), false),
  "refuse-all": () => review.decide(review.shown(), true),
  "copy-result": async () => announce((await copyText(review.rewriting.text())) ? "Copied." : "The browser did not allow copying; save the result instead."),
  "save-result": () => saveResult(),
};

const ON_KEY = {
  n: () => review.step(1, true),
  p: () => review.step(-1, true),
  a: () => review.decide([review.current], false),
  r: () => review.decide([review.current], true),
  k: () => onKeptWords(review.keepWords()),
  u: () => review.undo(),
};

const ON_MARK = {
  ArrowRight: () => review.step(1, true),
  ArrowDown: () => review.step(1, true),
  ArrowLeft: () => review.step(-1, true),
  ArrowUp: () => review.step(-1, true),
  Enter: () => review.decide([review.current], review.rewriting.applies(review.current)),
  " ": () => review.decide([review.current], review.rewriting.applies(review.current)),
};

function onKey(event) {
  if (!review?.data.groups.length || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]")) return;
  const onMark = event.target.closest("#review-table .mark") ? ON_MARK[event.key] : undefined;
  const action = onMark ?? (byId("shortcuts").checked ? ON_KEY[event.key.toLowerCase()] : undefined);
  if (!action) return;
  event.preventDefault();
  action();
}

function startReview() {
  document.documentElement.classList.add("script");
  for (const [id, action] of Object.entries(ON_CLICK)) byId(id).addEventListener("click", () => review && action());
  byId("review-controls").addEventListener("submit", (event) => event.preventDefault());
  byId("review-table").addEventListener("click", (event) => {
    const mark = event.target.closest("[data-group]");
    if (mark) review.select(Number(mark.dataset.group), { focus: true });
  });
  document.addEventListener("keydown", onKey);
}

startReview();
if (byId("data")) {
  const data = JSON.parse(byId("data").textContent);
  resultName = data.name;
  review = new Review();
  review.add(data);
}
