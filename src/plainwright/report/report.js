// The interactive half of the report: sorting, the scatter plot and the sentence table. Sentences reach the page
// only as text nodes, and at most one page of rows is in the document.

const PRINT_LIMIT = 300; // outputs on paper
const CLIP = 3000; // characters shown of one text before the reader asks for more

const data = JSON.parse(document.getElementById("data").textContent);
const systemCount = data.systems.length;
const segmentCount = data.segments;
const hasSources = data.sources.length > 0;
const metricByKey = new Map(data.metrics.map((metric) => [metric.key, metric]));
const headlines = data.metrics.filter((metric) => !metric.part); // one column each
const parts = data.metrics.filter((metric) => metric.part); // a line below the output

document.documentElement.classList.add("script");

/* ---- small tools ---- */

function draw(tag, attributes = {}, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text) node.textContent = text;
  return node;
}

function systemMark(system) {
  const mark = draw("svg", { class: "key", viewBox: "-6 -6 12 12", width: 12, height: 12, "aria-hidden": "true" });
  mark.append(draw("path", { class: `mark s${system % data.colours}`, d: `M0 0${markerPath(system)}` }));
  return mark;
}

const markerPath = (system) => data.markers[system % data.markers.length];

const digitsCache = new Map();

/** Decimals for a metric: two if all its values are below ten, one otherwise, so that a column lines up. */
function digits(key) {
  if (!digitsCache.has(key)) {
    const small = data.scores[key].every((column) => !column || column.every((value) => value == null || Math.abs(value) < 10));
    digitsCache.set(key, small ? 2 : 1);
  }
  return digitsCache.get(key);
}

const show = (value, key) => (value == null ? "–" : value.toFixed(digits(key)).replace("-", "−"));

/** A system's name that may break after its points, hyphens and underscores. */
const breakable = (name) => name.split(/(?<=[._/-])/).flatMap((piece) => [piece, make("wbr")]);

function option(value, text) {
  return make("option", { value }, text);
}

function score(key, system, segment) {
  const column = data.scores[key]?.[system];
  return column ? column[segment] : null;
}

/* ---- summary tables: sorting and folding ---- */

function enhanceScoreTables() {
  for (const table of document.querySelectorAll("table.scores")) {
    const headers = [...table.tHead.rows[0].cells];
    headers.forEach((header, index) => {
      const button = make("button", { type: "button", class: "sort" }, ...header.childNodes);
      button.addEventListener("click", () => sortTable(table, headers, index));
      header.append(button);
      if (header.hasAttribute("data-parts")) header.append(partsButton(table, header.dataset.metric));
    });
  }
}

function sortTable(table, headers, index) {
  const header = headers[index];
  const numeric = header.dataset.sort === "number";
  const before = header.getAttribute("aria-sort");
  const descending = before ? before === "ascending" : numeric;
  headers.forEach((other) => other.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const value = (row) => row.cells[index].dataset.value;
  const compare = (a, b) => {
    if (!numeric) return value(a).localeCompare(value(b), "en");
    return value(a) === undefined || value(b) === undefined ? 0 : Number(value(a)) - Number(value(b));
  };
  const rows = [...table.tBodies[0].rows].sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
  const missing = rows.filter((row) => value(row) === undefined);
  table.tBodies[0].append(...rows.filter((row) => value(row) !== undefined), ...missing);
}

function partsButton(table, metric) {
  const cells = [...table.querySelectorAll(".part")].filter((cell) => cell.dataset.metric === metric);
  const button = make("button", { type: "button", class: "parts" });
  const setOpen = (open) => {
    button.setAttribute("aria-expanded", open);
    button.textContent = open ? "− parts" : "+ parts";
    cells.forEach((cell) => (cell.hidden = !open));
  };
  button.addEventListener("click", () => setOpen(button.getAttribute("aria-expanded") !== "true"));
  setOpen(false);
  return button;
}

function enhanceSignatures() {
  for (const code of document.querySelectorAll(".signatures code")) {
    const button = make("button", { type: "button", "aria-label": `Copy ${code.textContent}` }, "Copy");
    button.addEventListener("click", async () => {
      button.textContent = (await copy(code)) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    code.after(button);
  }
}

async function copy(element) {
  getSelection().selectAllChildren(element);
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    return false;
  }
}

/* ---- texts and their differences ---- */

// An output or a reference is stored as the edits of its source, or as itself if there is no source to compare it with.
// Edits are a flat list: characters kept, characters deleted, text inserted, and so on.
function* pieces(source, edits) {
  let at = 0;
  for (let i = 0; i < edits.length; i += 3) {
    const start = at + edits[i];
    yield { kept: source.slice(at, start), deleted: source.slice(start, start + edits[i + 1]), inserted: edits[i + 2] };
    at = start + edits[i + 1];
  }
  yield { kept: source.slice(at), deleted: "", inserted: "" };
}

function textOf(stored, segment) {
  if (typeof stored === "string") return stored;
  return [...pieces(data.sources[segment], stored)].map(({ kept, inserted }) => kept + inserted).join("");
}

const outputText = (segment, system) => textOf(data.outputs[system][segment], segment);

const words = (text) => text.split(/\s+/).filter(Boolean);

function differenceNodes(stored, segment) {
  if (typeof stored === "string") return [stored, make("small", { class: "note" }, " (too long to compare word by word)")];
  return [...pieces(data.sources[segment], stored)].flatMap(({ kept, deleted, inserted }) => {
    const both = deleted.trim() && inserted.trim() ? " " : "";
    return [kept, ...marked("del", deleted, both), both, ...marked("ins", inserted, both)];
  });
}

/** The text in an element, the space at its ends beside it; where two elements meet there is a space already. */
function marked(tag, text, between) {
  if (!text.trim()) return tag === "ins" || !between ? [text] : [];
  const [, before, inner, after] = /^(\s*)(.*?)(\s*)$/s.exec(text);
  return [tag === "ins" && between ? "" : before, make(tag, {}, inner), tag === "del" && between ? "" : after];
}

/** A paragraph with a stored text, its differences marked if asked for; very long texts unfold on request. */
function textBlock(stored, segment, { differences = false } = {}) {
  const block = make("p", { class: "text", dir: "auto" });
  const text = textOf(stored, segment);
  const fill = () => block.replaceChildren(...(differences ? differenceNodes(stored, segment) : [text]));
  if (text.length <= CLIP && (!differences || data.sources[segment].length <= CLIP)) {
    fill();
  } else {
    const button = make("button", { type: "button" }, `Show all ${plural(text.length, "character")}`);
    button.addEventListener("click", fill);
    block.append(text.slice(0, CLIP), "… ", button);
  }
  if (!text.trim()) block.append(make("small", { class: "note" }, "(empty)"));
  return block;
}
