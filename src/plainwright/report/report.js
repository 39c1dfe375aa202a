"use strict";
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
const byId = (id) => document.getElementById(id);

document.documentElement.classList.add("script");

/* ---- small tools ---- */

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

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

const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

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

/* ---- which sentences, in which order ---- */

const state = {};

function readControls() {
  const number = (id) => (byId(id).value === "" ? null : Number(byId(id).value));
  Object.assign(state, {
    query: byId("query").value.trim().toLowerCase(),
    within: byId("within").value,
    kind: byId("kind").value,
    rangeMetric: byId("range-metric").value,
    low: number("range-low"),
    high: number("range-high"),
    sort: byId("sort").value,
    of: byId("sort-of").value,
    minus: byId("sort-minus").value,
    descending: byId("sort-order").getAttribute("aria-pressed") === "true",
    perPage: Number(byId("per-page").value),
    shown: [...document.querySelectorAll("#systems input")].flatMap((box, system) => (box.checked ? [system] : [])),
    differences: byId("differences").checked,
    references: byId("references").checked,
    parts: byId("parts").checked,
  });
}

const lowered = new Map();

function contains(name, segment, texts) {
  let cached = lowered.get(name);
  if (!cached) lowered.set(name, (cached = []));
  cached[segment] ??= texts().toLowerCase();
  return cached[segment].includes(state.query);
}

function textMatches(segment) {
  if (!state.query) return true;
  const inside = (place) => state.within === "all" || state.within === place;
  return (
    (inside("source") && hasSources && contains("source", segment, () => data.sources[segment])) ||
    (inside("outputs") && state.shown.some((system) => contains(system, segment, () => outputText(segment, system)))) ||
    (inside("references") && contains("references", segment, () => (data.references[segment] ?? []).map((text) => textOf(text, segment)).join("\n")))
  );
}

const splits = data.splits.map((segments) => new Set(segments)); // of each system

function isSplit(segment, system) {
  const measured = score("profile.sentence_splits", system, segment); // sentences for each of the source
  return measured != null ? measured > 1 : splits[system].has(segment);
}

const sameText = (a, b) => a === b || words(a).join(" ") === words(b).join(" ");

const isEqual = (segment, system) => hasSources && sameText(outputText(segment, system), data.sources[segment]);

const filtersOutputs = () => state.kind !== "all" || state.low !== null || state.high !== null;

function outputMatches(segment, system) {
  if (state.kind === "equal" && !isEqual(segment, system)) return false;
  if (state.kind === "changed" && isEqual(segment, system)) return false;
  if (state.kind === "split" && !isSplit(segment, system)) return false;
  if (state.low === null && state.high === null) return true;
  const value = score(state.rangeMetric, system, segment);
  return value != null && value >= (state.low ?? -Infinity) && value <= (state.high ?? Infinity);
}

function sortValue(segment) {
  if (state.sort === "length") return words(data.sources[segment] ?? "").length;
  const first = state.of === "mean" ? meanScore(segment) : score(state.sort, Number(state.of), segment);
  if (state.minus === "") return first;
  const second = score(state.sort, Number(state.minus), segment);
  return first == null || second == null ? null : first - second;
}

function meanScore(segment) {
  const values = state.shown.map((system) => score(state.sort, system, segment)).filter((value) => value != null);
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}

/** Fills `state.found` (sentences in order) and `state.matchingOutputs`. */
function findSentences() {
  const found = [];
  state.matchingOutputs = 0;
  for (let segment = 0; segment < segmentCount; segment++) {
    if (!textMatches(segment)) continue;
    if (filtersOutputs()) {
      const count = state.shown.filter((system) => outputMatches(segment, system)).length;
      if (!count) continue;
      state.matchingOutputs += count;
    }
    found.push(segment);
  }
  if (state.sort !== "position") {
    const values = new Map(found.map((segment) => [segment, sortValue(segment)]));
    const sign = state.descending ? -1 : 1;
    found.sort((a, b) => {
      const [x, y] = [values.get(a), values.get(b)];
      if (x == null || y == null) return (x == null) - (y == null) || a - b;
      return sign * (x - y) || a - b;
    });
  } else if (state.descending) {
    found.reverse();
  }
  state.found = found;
}

/* ---- the sentence table ---- */

function headerRow() {
  const row = make("tr", { role: "row" });
  const sortable = (key, name, className) => {
    const header = make("th", { scope: "col", role: "columnheader", class: className });
    if (state.sort === key) header.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
    // Buttons are not repeated at the top of every printed page; text is.
    const label = state.printing ? name : make("button", { type: "button", class: "sort" }, name);
    if (!state.printing) label.addEventListener("click", () => sortSentences(key));
    header.append(label);
    return header;
  };
  row.append(sortable("position", "Sentence", "who"), make("th", { scope: "col", role: "columnheader" }, "Text"));
  row.append(...headlines.map((metric) => sortable(metric.key, `${metric.name}${{ 1: "\u00a0↑", "-1": "\u00a0↓" }[metric.better] ?? ""}`, "number")));
  return row;
}

function sortSentences(key) {
  const descending = state.sort === key ? !state.descending : key !== "position";
  byId("sort").value = key;
  setDescending(descending);
  update();
  [...byId("sentence-table").tHead.querySelectorAll("[aria-sort] button")].at(0)?.focus();
}

function setDescending(descending) {
  byId("sort-order").setAttribute("aria-pressed", descending);
  byId("sort-order").textContent = descending ? "descending" : "ascending";
}

function segmentRows(segment) {
  const body = make("tbody", { role: "rowgroup", id: `sentence-${segment + 1}`, tabindex: "-1", "data-segment": segment });
  body.append(sourceRow(segment));
  for (const system of state.shown) body.append(outputRow(segment, system));
  return body;
}

function sourceRow(segment) {
  const link = make("a", { href: `#s=${segment + 1}`, "aria-label": `Sentence ${segment + 1}, link` }, `${segment + 1}`);
  const cell = make("td", { role: "cell", colspan: headlines.length + 1 });
  cell.append(hasSources ? textBlock(data.sources[segment], segment) : make("p", { class: "note text" }, "no source given"));
  if (data.references[segment]?.length) cell.append(referenceList(segment));
  return make("tr", { role: "row", class: "source" }, make("th", { role: "rowheader", scope: "row", class: "who" }, link, " source"), cell);
}

function referenceList(segment) {
  const references = data.references[segment];
  const details = make("details", {}, make("summary", {}, plural(references.length, "reference")));
  const fill = () => {
    if (!details.open || details.children.length > 1) return;
    details.append(make("ol", {}, ...references.map((stored) => make("li", {}, comparedBlock(stored, segment)))));
  };
  details.addEventListener("toggle", () => {
    fill();
    highlightQuery();
  });
  details.open = state.references;
  fill();
  return details;
}

/** An output or a reference beside the source of its sentence. */
function comparedBlock(stored, segment) {
  const block = textBlock(stored, segment, { differences: hasSources && state.differences });
  if (hasSources && sameText(textOf(stored, segment), data.sources[segment])) {
    block.classList.add("unchanged");
    block.append(make("small", {}, " (unchanged)"));
  }
  return block;
}

function outputRow(segment, system) {
  const block = comparedBlock(data.outputs[system][segment], segment);
  const matches = filtersOutputs() && outputMatches(segment, system);
  const name = make("th", { role: "rowheader", scope: "row", class: "who" }, systemMark(system), " ", ...breakable(data.systems[system]));
  if (matches) name.append(make("small", { class: "match" }, " matches"));
  const row = make("tr", { role: "row", class: matches ? "output matching" : "output" }, name);
  const cell = make("td", { role: "cell", class: "words" }, block);
  if (state.parts) cell.append(partsLine(segment, system));
  row.append(cell, ...headlines.map((metric) => scoreCell(metric, system, segment)));
  return row;
}

function partsLine(segment, system) {
  const entry = (metric) => make("span", {}, `${metric.name} `, make("b", {}, show(score(metric.key, system, segment), metric.key)));
  return make("p", { class: "parts-line" }, ...parts.flatMap((metric) => [entry(metric), " "]));
}

function scoreCell(metric, system, segment) {
  const value = score(metric.key, system, segment);
  const best = value != null && state.shown.length > 1 && metric.better !== 0 && isBest(metric, value, segment);
  const cell = make("td", { role: "cell", class: "number", "data-name": metric.name });
  cell.append(best ? make("strong", {}, show(value, metric.key)) : show(value, metric.key));
  return cell;
}

function isBest(metric, value, segment) {
  const values = state.shown.map((system) => score(metric.key, system, segment)).filter((other) => other != null);
  return values.every((other) => (value - other) * metric.better >= 0) && values.some((other) => other !== value);
}

function render() {
  const pages = Math.max(1, Math.ceil(state.found.length / state.perPage));
  state.page = Math.min(Math.max(state.page ?? 0, 0), pages - 1);
  const from = state.printing ? 0 : state.page * state.perPage;
  const slice = state.found.slice(from, from + (state.printing ? printLimit() : state.perPage));
  const table = byId("sentence-table");
  [...table.tBodies].forEach((body) => body.remove());
  table.tHead.replaceChildren(headerRow());
  table.append(...slice.map(segmentRows));
  byId("difference-legend").hidden = !state.differences || !hasSources;
  showStatus(pages);
  markCurrent();
  highlightQuery();
}

const printLimit = () => Math.max(10, Math.floor(PRINT_LIMIT / Math.max(1, state.shown.length)));

function showStatus(pages) {
  const all = plural(segmentCount, "sentence");
  let text = state.found.length === segmentCount ? `All ${all}` : `${state.found.length.toLocaleString("en")} of ${all}`;
  if (filtersOutputs()) text += `, ${plural(state.matchingOutputs, "matching output")}`;
  if (!state.found.length) text += ": nothing matches; loosen a filter or reset them";
  if (byId("count").textContent !== text) byId("count").textContent = text;
  byId("print-notice").textContent =
    `Printed: ${plural(Math.min(printLimit(), state.found.length), "sentence")} of the ${state.found.length.toLocaleString("en")} ` +
    `that the filters keep (${all} in all).`;
  for (const place of document.querySelectorAll(".page-number")) place.textContent = `Page ${state.page + 1} of ${pages}`;
  for (const button of document.querySelectorAll("[data-step]"))
    button.disabled = button.dataset.step === "-1" ? state.page === 0 : state.page >= pages - 1;
}

function highlightQuery() {
  if (!globalThis.CSS?.highlights) return;
  CSS.highlights.delete("query");
  if (!state.query) return;
  const walker = document.createTreeWalker(byId("sentence-table"), NodeFilter.SHOW_TEXT);
  const highlight = new Highlight();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest(".text")) continue;
    const text = node.data.toLowerCase();
    if (text.length !== node.data.length) continue;
    for (let at = text.indexOf(state.query); at >= 0; at = text.indexOf(state.query, at + state.query.length))
      highlight.add(new StaticRange({ startContainer: node, startOffset: at, endContainer: node, endOffset: at + state.query.length }));
  }
  CSS.highlights.set("query", highlight);
}

function update() {
  readControls();
  findSentences();
  state.page = 0;
  render();
}

function resetFilters() {
  byId("filters").reset();
  setDescending(false);
  update();
}

/* ---- moving about ---- */

function markCurrent() {
  for (const body of byId("sentence-table").tBodies) {
    if (Number(body.dataset.segment) === state.current) body.setAttribute("aria-current", "true");
    else body.removeAttribute("aria-current");
  }
}

function goTo(segment) {
  if (!(segment >= 0 && segment < segmentCount)) return;
  if (!state.found.includes(segment)) {
    resetFilters();
  }
  state.current = segment;
  state.page = Math.floor(state.found.indexOf(segment) / state.perPage);
  if (!byId(`sentence-${segment + 1}`)) render();
  markCurrent();
  history.replaceState(null, "", `#s=${segment + 1}`);
  const body = byId(`sentence-${segment + 1}`);
  body.focus({ preventScroll: true });
  body.scrollIntoView({ block: "start" });
}

function step(by) {
  const at = state.found.indexOf(state.current);
  const onPage = state.page * state.perPage;
  const next = at < 0 ? onPage : at + by;
  if (next >= 0 && next < state.found.length) goTo(state.found[next]);
}

function turnPage(by, fromBelow) {
  state.page += by;
  render();
  if (fromBelow) byId("count").parentElement.scrollIntoView({ block: "start" });
}

function followHash() {
  const match = /^#s=(\d+)$/.exec(location.hash);
  if (match) goTo(Number(match[1]) - 1);
}

function onKey(event) {
  if (!byId("shortcuts").checked || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest?.("input:not([type=checkbox]), select, textarea");
  if (event.key === "Escape" && event.target === byId("query")) return byId("query").blur();
  if (typing) return;
  const actions = { j: () => step(1), k: () => step(-1), "/": () => byId("query").focus() };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

/** On paper: more sentences than on a page, and the folded tables of the summary. */
function setPrinting(printing) {
  state.printing = printing;
  for (const details of document.querySelectorAll("#summary > details")) {
    if (printing) details.dataset.open = details.open;
    details.open = printing || details.dataset.open === "true";
  }
  render();
}

function fillControls() {
  const metricOptions = () => data.metrics.map((metric) => option(metric.key, metric.name));
  const systemOptions = () => data.systems.map((name, system) => option(system, name));
  byId("range-metric").append(...metricOptions());
  byId("range-metric").closest("[role=group]").hidden = !data.metrics.length;
  byId("kind").closest("label").hidden = !hasSources;
  byId("sort").append(option("position", "position"), option("length", "length of the source"), ...metricOptions());
  byId("sort-of").append(option("mean", "all shown (mean)"), ...systemOptions());
  byId("sort-minus").append(option("", "nothing"), ...systemOptions());
  data.systems.forEach((name, system) =>
    byId("systems").append(make("label", {}, make("input", { type: "checkbox", checked: true, value: system }), systemMark(system), ` ${name}`)),
  );
}

function startBrowser() {
  fillControls();
  const form = byId("filters");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", update);
  byId("reset-filters").addEventListener("click", resetFilters);
  byId("per-page").addEventListener("change", update);
  byId("sort-order").addEventListener("click", () => {
    setDescending(!state.descending);
    update();
  });
  for (const button of document.querySelectorAll("[data-step]"))
    button.addEventListener("click", () => turnPage(Number(button.dataset.step), !button.closest(".status")));
  byId("next").addEventListener("click", () => step(1));
  byId("previous").addEventListener("click", () => step(-1));
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", followHash);
  addEventListener("beforeprint", () => setPrinting(true));
  addEventListener("afterprint", () => setPrinting(false));
  update();
  followHash();
}

/* ---- one metric against another ---- */

const scatter = { points: [], at: -1 };

function startScatter() {
  if (!byId("scatter-plot")) return;
  for (const id of ["scatter-x", "scatter-y"]) byId(id).append(...data.metrics.map((metric) => option(metric.key, metric.name)));
  const keys = [...headlines, ...parts].map((metric) => metric.key);
  const up = data.primary ?? keys[0];
  byId("scatter-y").value = up;
  byId("scatter-x").value = keys.includes("bleu") && up !== "bleu" ? "bleu" : keys.find((key) => key !== up);
  byId("scatter-system").append(option("all", "all systems"), ...data.systems.map((name, system) => option(system, name)));
  byId("scatter-system").value = segmentCount * systemCount > 3000 ? "0" : "all";
  byId("scatter-controls").addEventListener("input", drawScatter);
  byId("scatter-controls").addEventListener("submit", (event) => event.preventDefault());
  const plot = byId("scatter-plot");
  plot.addEventListener("pointermove", (event) => choosePoint(nearestPoint(event)));
  plot.addEventListener("click", (event) => openPoint(nearestPoint(event)));
  plot.addEventListener("keydown", onPlotKey);
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - width) < 2) return;
    width = entry.contentRect.width;
    drawScatter();
  }).observe(plot.parentElement);
}

function collectPoints(x, y, systems) {
  const points = [];
  for (const system of systems)
    for (let segment = 0; segment < segmentCount; segment++) {
      const [across, up] = [score(x, system, segment), score(y, system, segment)];
      if (across != null && up != null) points.push({ across, up, segment, system });
    }
  return points.sort((a, b) => a.up - b.up || a.across - b.across || a.segment - b.segment || a.system - b.system);
}

function linear(values, start, end) {
  let [low, high] = values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
  if (!(high > low)) [low, high] = [(Number.isFinite(low) ? low : 0) - 0.5, (Number.isFinite(low) ? low : 0) + 0.5];
  const room = (high - low) * 0.03;
  [low, high] = [low - room, high + room];
  const scale = (value) => start + ((value - low) / (high - low)) * (end - start);
  const magnitude = 10 ** Math.floor(Math.log10((high - low) / 5));
  const width = magnitude * [1, 2, 5, 10].find((factor) => magnitude * factor * 5.01 >= high - low);
  scale.ticks = [];
  for (let index = Math.ceil(low / width); index * width <= high; index++) scale.ticks.push(Number((index * width).toPrecision(12)));
  return scale;
}

function drawScatter() {
  const [x, y, chosen] = ["scatter-x", "scatter-y", "scatter-system"].map((id) => byId(id).value);
  const systems = chosen === "all" ? data.systems.map((_, system) => system) : [Number(chosen)];
  const plot = byId("scatter-plot");
  const width = Math.round(Math.min(Math.max(plot.parentElement.clientWidth, 280), 720));
  const height = Math.round(Math.min(width * 0.8, 480));
  const points = collectPoints(x, y, systems);
  const across = linear(points.map((point) => point.across), 44, width - 10);
  const up = linear(points.map((point) => point.up), height - 44, 10);
  points.forEach((point) => Object.assign(point, { left: across(point.across), top: up(point.up) }));
  Object.assign(scatter, { points, at: -1, x, y });
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height })) plot.setAttribute(name, value);
  plot.replaceChildren(...plotFrame(across, up, width, height), ...plotClouds(points, systems), draw("path", { id: "scatter-chosen", class: "chosen", d: "" }));
  byId("scatter-legend").replaceChildren(...systems.map((system) => make("li", {}, systemMark(system), ` ${data.systems[system]}`)));
  byId("scatter-facts").textContent = scatterFacts(points);
  byId("scatter-sentence").replaceChildren(make("p", { class: "note" }, "Point at a mark to read its sentence here."));
}

function plotFrame(across, up, width, height) {
  const tick = (value) => String(value).replace("-", "−");
  return [
    draw("path", { class: "grid", d: across.ticks.map((value) => `M${across(value)} 10V${height - 44}`).join("") + up.ticks.map((value) => `M44 ${up(value)}H${width - 10}`).join("") }),
    ...across.ticks.map((value) => draw("text", { class: "tick", x: across(value), y: height - 28, "text-anchor": "middle" }, tick(value))),
    ...up.ticks.map((value) => draw("text", { class: "tick", x: 38, y: up(value) + 4, "text-anchor": "end" }, tick(value))),
    draw("text", { class: "name", x: (width + 34) / 2, y: height - 8, "text-anchor": "middle" }, metricByKey.get(scatter.x).name),
    draw("text", { class: "name", transform: `translate(12 ${(height - 34) / 2}) rotate(-90)`, "text-anchor": "middle" }, metricByKey.get(scatter.y).name),
  ];
}

function plotClouds(points, systems) {
  const paths = new Map(systems.map((system) => [system, []]));
  for (const point of points) paths.get(point.system).push(`M${point.left.toFixed(1)} ${point.top.toFixed(1)}${markerPath(point.system)}`);
  return systems.map((system) => draw("path", { class: `cloud s${system % data.colours}`, d: paths.get(system).join("") }));
}

function scatterFacts(points) {
  const [x, y] = [metricByKey.get(scatter.x).name, metricByKey.get(scatter.y).name];
  if (points.length < 3) return `${plural(points.length, "mark")}: too few to say how ${x} and ${y} relate.`;
  const r = correlation(points.map((point) => point.across), points.map((point) => point.up));
  const relation = r === null ? "one of them never varies" : `Pearson's r between ${x} and ${y} is ${r.toFixed(2).replace("-", "−")}`;
  return `${plural(points.length, "mark")}; ${relation}.`;
}

function correlation(a, b) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, index) => {
    ab += (value - ma) * (b[index] - mb);
    aa += (value - ma) ** 2;
    bb += (b[index] - mb) ** 2;
  });
  return aa && bb ? ab / Math.sqrt(aa * bb) : null;
}

function nearestPoint(event) {
  const plot = byId("scatter-plot");
  const box = plot.getBoundingClientRect();
  const ratio = plot.viewBox.baseVal.width / box.width;
  const [left, top] = [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
  let [nearest, least] = [-1, 18 ** 2];
  scatter.points.forEach((point, index) => {
    const distance = (point.left - left) ** 2 + (point.top - top) ** 2;
    if (distance < least) [nearest, least] = [index, distance];
  });
  return nearest;
}

function choosePoint(index) {
  if (index < 0 || index === scatter.at) return;
  scatter.at = index;
  const point = scatter.points[index];
  byId("scatter-chosen").setAttribute("d", `M${point.left} ${point.top}m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0z`);
  const values = `${metricByKey.get(scatter.x).name} ${show(point.across, scatter.x)}, ${metricByKey.get(scatter.y).name} ${show(point.up, scatter.y)}`;
  const link = make("a", { href: `#s=${point.segment + 1}` }, `Sentence ${point.segment + 1}`);
  byId("scatter-sentence").replaceChildren(
    make("p", {}, link, ", ", systemMark(point.system), ` ${data.systems[point.system]}: ${values}`),
    textBlock(data.outputs[point.system][point.segment], point.segment, { differences: hasSources }),
  );
}

function openPoint(index) {
  if (index < 0) return;
  choosePoint(index);
  goTo(scatter.points[index].segment);
}

function onPlotKey(event) {
  const last = scatter.points.length - 1;
  const moves = {
    ArrowRight: Math.min(scatter.at + 1, last), ArrowUp: Math.min(scatter.at + 1, last),
    ArrowLeft: Math.max(scatter.at - 1, 0), ArrowDown: Math.max(scatter.at - 1, 0), Home: 0, End: last,
  };
  if (event.key in moves) choosePoint(moves[event.key]);
  else if (event.key === "Enter") openPoint(scatter.at);
  else return;
  event.preventDefault();
}

enhanceScoreTables();
enhanceSignatures();
startScatter();
startBrowser();
