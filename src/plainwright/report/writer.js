// The writer's page: a text goes to the server it came from, and comes back a few paragraphs at a time.

let running = null; // the AbortController of what is under way
let documentFile = null; // what is open instead of the text field
let reviewed = null; // with which settings the review was made

function tell(message, wrong = false) {
  byId("progress").textContent = message;
  byId("progress").classList.toggle("wrong", wrong);
}

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

/** What is asked for now; kept with the review, so that a document is saved as it was reviewed. */
function settings() {
  const grade = byId("max-grade").value;
  return { level: byId("level").value, strength: Number(byId("strength").value), max_grade: grade === "" ? null : Number(grade), keep: keptWords() };
}

function documentAddress(path, { level, strength, max_grade, keep }, more = {}) {
  const query = new URLSearchParams({ name: documentFile.name, level, strength, ...more });
  if (max_grade !== null) query.set("max_grade", max_grade);
  for (const words of keep) query.append("keep", words);
  return `${path}?${query}`;
}

function post(address, body, { headers = {}, signal } = {}) {
  const key = byId("key").value.trim();
  return fetch(address, { method: "POST", body, headers: key ? { ...headers, authorization: `Bearer ${key}` } : headers, signal });
}

function ask(chosen, signal) {
  if (documentFile) return post(documentAddress("review/document", chosen), documentFile, { signal });
  const headers = { "content-type": "application/json" };
  return post("review", JSON.stringify({ text: byId("source").value, ...chosen }), { headers, signal });
}

async function failure(reply) {
  if (reply.status === 401) {
    byId("key-field").hidden = false;
    byId("key").focus();
    return new Error("This server needs a key; ask whoever runs it.");
  }
  const answer = await reply.json().catch(() => ({}));
  return new Error(answer.error?.message ?? `The server answered with ${reply.status}.`);
}

const messageOf = (error) => (error instanceof TypeError ? "The server does not answer." : error.message);

async function simplify() {
  running?.abort();
  const own = (running = new AbortController());
  if (!documentFile && !byId("source").value.trim()) return tell("There is no text yet.", true);
  byId("start").disabled = true;
  byId("cancel").hidden = false;
  byId("outcome").hidden = true;
  protecting = new Protecting();
  glossary = new Glossary();
  review = new Review();
  reviewed = { ...settings(), file: documentFile };
  tell("Working…");
  try {
    const reply = await ask(settings(), own.signal);
    if (!reply.ok) throw await failure(reply);
    for await (const line of linesOf(reply)) {
      if (line.error) throw new Error(line.error.message);
      if (line.done) continue;
      byId("outcome").hidden = false;
      glossary.add(line.glosses ?? []);
      review.add(line);
      tell(`Working… ${plural(review.data.paragraphs.length, "paragraph")} so far`);
    }
    tell(`Done: ${plural(review.data.groups.length, "edit")}.`);
    byId("review").scrollIntoView({ block: "start" });
  } catch (error) {
    if (own.signal.aborted) tell("Cancelled. What is below is the part that was done.");
    else tell(messageOf(error), true);
  } finally {
    if (running === own) running = null;
    byId("start").disabled = false;
    byId("cancel").hidden = true;
  }
}

/* ---- files ---- */

async function open(file) {
  if (!file) return;
  if (!/\.te?xt$/i.test(file.name)) return openDocument(file);
  const text = await file.text();
  if (text.includes("\0") || text.includes("\ufffd")) return tell(`${file.name} is no text in UTF-8.`, true);
  openDocument(null);
  byId("source").value = text;
  resultName = `${file.name.replace(/\.[^.]*$/, "")}.plain.txt`;
  tell(`${file.name} is open.`);
}

/** Works on a document instead of the text field; null goes back to that. */
function openDocument(file) {
  documentFile = file;
  byId("source").hidden = file !== null;
  byId("open-document").hidden = file === null;
  byId("document-name").textContent = file?.name ?? "";
  byId("tracking").hidden = !/\.(docx|docm|odt|ott)$/i.test(file?.name ?? "");
  if (file === null) byId("file").value = "";
  tell("");
}

async function saveDocument() {
  const more = { refused: [...review.rewriting.refused].join(","), track_changes: byId("track-changes").checked };
  if (byId("tracking").hidden) delete more.track_changes;
  const chosen = [...review.rewriting.chosen].map(([group, { text }]) => `${group}:${text}`);
  if (chosen.length) more.chosen = chosen.join(",");
  announce("Saving…");
  try {
    const reply = await post(documentAddress("v1/documents", reviewed, more), documentFile);
    if (!reply.ok) throw await failure(reply);
    const name = /filename\*=UTF-8''(.*)$/.exec(reply.headers.get("content-disposition"))[1];
    saveBlob(await reply.blob(), decodeURIComponent(name));
    announce("Saved.");
  } catch (error) {
    tell(messageOf(error), true);
  }
}

saveResult = () => {
  if (!reviewed.file) return saveText(review.rewriting.text(), resultName);
  if (reviewed.file !== documentFile) return tell("Another document is open now; make it plainer first.", true);
  return saveDocument();
};

function startWriter() {
  byId("writer").addEventListener("submit", (event) => {
    event.preventDefault();
    simplify();
  });
  byId("cancel").addEventListener("click", () => running?.abort());
  byId("file").addEventListener("change", () => open(byId("file").files[0]));
  byId("close-document").addEventListener("click", () => {
    openDocument(null);
    byId("source").focus();
  });
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

startWriter();
