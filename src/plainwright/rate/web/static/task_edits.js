// Texts with their edits marked: telling what an edit did, and correcting what the program found.
// Places are counted in code points, as the server counts them; strings of this language are not.

import { act, state } from "./task_outbox.js";
import { byId, cardById, given, letterOf, make, nodeOf, outputs, page, same, say } from "./task_page.js";

const sourcePoints = [...given.source.text];
const sourceWords = (from, to) => sourcePoints.slice(from, to).join("");

/* ---- showing ---- */

function editNode(edit, text) {
  const hidden = (words) => make("span", { class: "said" }, words);
  const sign = (mark) => make("span", { class: "sign", "aria-hidden": "true" }, mark);
  const origin = { tabindex: -1, "data-from": edit.source_start, "data-to": edit.source_end };
  if (edit.kind === "split")
    return make("span", { class: "edit split", ...origin }, sign("||"), hidden(" [split] "));
  if (edit.kind === "paraphrase")
    return make("b", { class: "edit paraphrase", ...origin }, hidden("[changed: "), text, hidden("]"));
  const gone = make("span", { class: "gone" }, sourceWords(edit.source_start, edit.source_end));
  return make("span", { class: "edit deletion", ...origin }, sign("^"), hidden(" [deleted: "), gone, hidden("] "));
}

const drawn = new Map(); // which edits a text shows

export function showText(card, answers) {
  const { text, edits: found } = cardById.get(card);
  const edits = answers.edits[card] ?? found;
  if (!given.edits || drawn.get(card) === edits) return;
  drawn.set(card, edits);
  const points = [...text];
  const nodes = [];
  let at = 0;
  for (const edit of edits) {
    nodes.push(points.slice(at, edit.start).join(""), editNode(edit, points.slice(edit.start, edit.end).join("")));
    at = edit.end;
  }
  byId(`text-${card}`).replaceChildren(...nodes, points.slice(at).join(""));
}

/* ---- telling ---- */

function whatItDid(edit) {
  const words = sourceWords(edit.dataset.from, edit.dataset.to);
  if (edit.matches(".split")) return "split";
  return words && (edit.matches(".deletion") ? `deleted: ${words}` : `instead of: ${words}`);
}

/** Says in a small box beside an edit what it did, and shows in the original where; null: no longer. */
function tell(edit) {
  const tip = byId("tip");
  CSS.highlights?.delete("origin");
  tip.textContent = edit ? whatItDid(edit) : "";
  tip.hidden = !tip.textContent;
  if (tip.hidden) return;
  const box = edit.getBoundingClientRect();
  const above = box.top - tip.offsetHeight - 6; // there one has read already
  const fits = above >= byId("source").getBoundingClientRect().bottom;
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${fits ? above : box.bottom + 6}px`;
  highlightOrigin(Number(edit.dataset.from), Number(edit.dataset.to));
}

function highlightOrigin(from, to) {
  if (from >= to || !window.Highlight) return;
  const text = byId("source-text").firstChild;
  const range = new Range();
  range.setStart(text, sourceWords(0, from).length);
  range.setEnd(text, sourceWords(0, to).length);
  CSS.highlights.set("origin", new Highlight(range));
}

/** From one marked edit of a card to the next. */
export function stepThroughEdits(card, way) {
  const edits = [...nodeOf(card).querySelectorAll(".edit")];
  if (!edits.length) return say("No edits are marked here.");
  const now = edits.indexOf(document.activeElement);
  const next = now < 0 && way < 0 ? edits.length - 1 : now + way;
  (edits[next] ?? nodeOf(card)).focus();
}

/* ---- correcting ---- */

const draft = { card: "", edits: [], place: null };

export function openEdits(card) {
  const edits = state.answers.edits[card] ?? cardById.get(card).edits;
  Object.assign(draft, { card, edits: edits.map((edit) => ({ ...edit })), place: null });
  byId("edits-letter").textContent = letterOf(card);
  drawPlaces();
  byId("edits").returnValue = "";
  byId("edits").showModal();
  focusPlace();
}

const focusPlace = () => byId("edits-places").querySelector("[tabindex='0']")?.focus();

/** The places that can be marked: words, and the gaps between them. */
function places() {
  const { text, words } = cardById.get(draft.card);
  const found = words.flatMap(([start, end], index) => {
    const before = { gap: true, start: index ? words[index - 1][1] : 0, end: start };
    const apart = !index || before.start < before.end || marksAt(before).length;
    return [...(apart ? [before] : []), { gap: false, start, end }];
  });
  return [...found, { gap: true, start: words.at(-1)?.[1] ?? 0, end: [...text].length }];
}

function marksAt({ gap, start, end }) {
  return draft.edits.filter((edit) => {
    if (gap) return edit.kind !== "paraphrase" && edit.start >= start && edit.start <= end;
    return edit.kind === "paraphrase" && edit.start < end && edit.end > start;
  });
}

function drawPlaces() {
  const all = places();
  const now = Math.max(0, all.findIndex((place) => same(place, draft.place)));
  byId("edits-places").replaceChildren(...all.map((place, index) => placeButton(place, index === now)));
  drawOrigin();
}

function placeButton(place, isStop) {
  const marks = marksAt(place).map(({ kind }) => kind);
  const word = [...cardById.get(draft.card).text].slice(place.start, place.end).join("");
  const sign = marks.map((kind) => (kind === "split" ? "||" : "^")).join(" ") || "·";
  const attributes = {
    type: "button",
    class: place.gap ? "gap" : "word",
    tabindex: isStop ? 0 : -1,
    "aria-pressed": marks.length > 0,
    "aria-label": place.gap ? ["gap", ...marks].join(", ") : word,
  };
  const button = make("button", attributes, place.gap ? sign : word);
  button.place = place;
  return button;
}

/** Which words of the original the marked place stands for. */
function drawOrigin() {
  const edit = draft.place && marksAt(draft.place).find(({ kind }) => kind !== "split");
  const what = edit?.kind === "deletion" ? "went here" : "stood for this";
  byId("edits-origin-how").textContent = edit
    ? `Tap the first and the last word that ${what}.`
    : "Choose a marked place above to see or change them.";
  byId("edits-words").replaceChildren(...given.source.words.map(([start, end], index) => {
    const inside = Boolean(edit) && start < edit.source_end && end > edit.source_start;
    const button = make("button", { type: "button", class: "word", "aria-pressed": inside }, sourceWords(start, end));
    button.disabled = !edit;
    button.addEventListener("click", () => {
      const alone = inside || edit.source_end <= edit.source_start;
      edit.source_start = alone ? start : Math.min(start, edit.source_start);
      edit.source_end = alone ? end : Math.max(end, edit.source_end);
      drawOrigin();
      byId("edits-words").children[index].focus();
    });
    return button;
  }));
}

function mark(place, gapKind) {
  draft.place = place;
  if (place.gap) markGap(place, gapKind);
  else markWord(place);
  drawPlaces();
  focusPlace();
}

const newEdit = (kind, start, end) => ({ kind, start, end, source_start: 0, source_end: 0 });

function markGap(place, kind) {
  const old = marksAt(place).find((edit) => edit.kind === kind);
  if (old) return void draft.edits.splice(draft.edits.indexOf(old), 1);
  cutOut(place.start, place.start);
  draft.edits.push(newEdit(kind, place.start, place.start));
}

function markWord(place) {
  const { start, end } = place;
  if (marksAt(place).length) return cutOut(start, end);
  // Neighbouring words become one paraphrase, unless something is marked between them.
  const { words } = cardById.get(draft.card);
  const index = words.findIndex(([first]) => first === start);
  const paraphrase = (touches) => draft.edits.find((edit) => edit.kind === "paraphrase" && touches(edit));
  const isFree = (from, to) => !marksAt({ gap: true, start: from, end: to }).length;
  const [, before] = words[index - 1] ?? [];
  const [behind] = words[index + 1] ?? [];
  const left = before !== undefined && isFree(before, start) && paraphrase((edit) => edit.end === before);
  const right = behind !== undefined && isFree(end, behind) && paraphrase((edit) => edit.start === behind);
  if (left) left.end = end;
  else if (right) right.start = start;
  else draft.edits.push(newEdit("paraphrase", start, end));
}

/** Takes what lies between two places out of the paraphrases that reach over it. */
function cutOut(from, to) {
  const { words } = cardById.get(draft.card);
  draft.edits = draft.edits.flatMap((edit) => {
    const reaches = from === to ? edit.start < from && edit.end > from : edit.start < to && edit.end > from;
    if (edit.kind !== "paraphrase" || !reaches) return [edit];
    const inside = words.filter(([start, end]) => start >= edit.start && end <= edit.end);
    const left = inside.filter(([, end]) => end <= from).at(-1);
    const right = inside.find(([start]) => start >= to);
    return [...(left ? [{ ...edit, end: left[1] }] : []), ...(right ? [{ ...edit, start: right[0] }] : [])];
  });
}

function inOrder(a, b) {
  const byKind = a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0;
  return a.start - b.start || a.end - b.end || byKind || a.source_start - b.source_start;
}

/* ---- what raters do with edits ---- */

function listenToDialog() {
  const area = byId("edits-places");
  const gapKind = () => document.querySelector("input[name=gap-tool]:checked").value;
  area.addEventListener("click", ({ target }) => target.place && mark(target.place, gapKind()));
  area.addEventListener("focusin", ({ target }) => {
    if (!target.place || same(target.place, draft.place)) return;
    draft.place = target.place;
    for (const button of area.children) button.tabIndex = button === target ? 0 : -1;
    drawOrigin();
  });
  area.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.place) return;
    const way = { ArrowRight: "nextSibling", ArrowLeft: "previousSibling" }[event.key];
    const kind = { d: "deletion", s: "split" }[event.key.toLowerCase()];
    if (way) event.target[way]?.focus();
    else if (kind && event.target.place.gap) mark(event.target.place, kind);
    else return;
    event.preventDefault();
  });
  byId("edits-reset").addEventListener("click", () => {
    draft.edits = cardById.get(draft.card).edits.map((edit) => ({ ...edit }));
    drawPlaces();
  });
  byId("edits").addEventListener("close", () => {
    if (byId("edits").returnValue === "save")
      act({ kind: "mark", card: draft.card, edits: draft.edits.sort(inOrder) });
    nodeOf(draft.card).focus();
  });
}

if (given.edits) {
  listenToDialog();
  for (const name of ["pointerover", "focusin", "click"])
    outputs.addEventListener(name, ({ target }) => {
      const edit = target.closest(".edit");
      if (edit || name !== "click") tell(edit);
    });
  outputs.addEventListener("pointerleave", () => tell(null));
  addEventListener("scroll", () => tell(null), { passive: true });
  page.addEventListener("keydown", ({ key }) => key === "Escape" && tell(null));
}
