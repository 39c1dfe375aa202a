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
