// A text before and after, side by side, in which every group of edits can be accepted or refused.

const KINDS = new Map([
  ["replace", "Other words"],
  ["split", "Split sentences"],
  ["join", "Joined sentences"],
  ["delete", "Deleted"],
  ["insert", "Added"],
  ["reorder", "Moved"],
]);
const CLIP = 160; // characters of a change in the panel
const MOST_CHANGES = 4; // of one group in the panel

// A page on which words of the original can be protected makes nodes of these, and hears of every paragraph.
let originalNodes = (text) => [text];
let onOriginal = () => {};
let onChange = () => {}; // of the result

/** The text as the decisions make it; knows nothing of the page. */
class Rewriting {
  constructor() {
    this.data = { paragraphs: [], edits: [], groups: [], sentences: [] };
    this.refused = new Set();
    this.chosen = new Map(); // other words of groups
    this.history = []; // groups whose state changed together
  }

  /** Takes in further parts of the text; their numbers go on from those before. */
  add(data) {
    for (const [name, list] of Object.entries(this.data)) data[name].forEach((item) => list.push(item));
  }

  applies = (group) => !this.refused.has(group);

  shownText(edit) {
    return this.applies(edit.group) ? this.written(edit) : edit.source;
  }

  /** What the edit writes: other words, if these were chosen. */
  written(edit) {
    return this.chosen.get(edit.group)?.text ?? edit.target;
  }

  text() {
    return this.data.paragraphs
      .map((pieces) => pieces.map((piece) => (typeof piece === "string" ? piece : this.shownText(this.data.edits[piece]))).join(""))
      .join("");
  }

  /** Turns the state of these groups round; `remembered` says whether that can be undone. */
  turn(groups, remembered = true) {
    for (const group of groups) {
      if (!this.refused.delete(group)) this.refused.add(group);
    }
    if (remembered) this.history.push(groups);
  }

  undo() {
    const groups = this.history.pop() ?? [];
    this.turn(groups, false);
    return groups;
  }

  /** Sentences, words and syllables, of the text before or as it is now. */
  counts(before = false) {
    const total = [0, 0, 0];
    for (const sentence of this.data.sentences) {
      const chosen = before ? [] : Object.keys(sentence.added).map(Number).filter(this.applies);
      const exception = sentence.exceptions?.[chosen.join(",")];
      const rows = exception ? [exception] : [sentence.counts, ...chosen.map((group) => sentence.added[group])];
      for (const group of chosen) if (this.chosen.has(group)) rows.push(this.chosen.get(group).counts);
      for (const row of rows) row.forEach((count, column) => (total[column] += count));
    }
    return total;
  }
}

/** Kincaid et al. (1975); 0 for a text without words, as in `metrics/fk.py`. */
function grade([sentences, words, syllables]) {
  return words && sentences ? (0.39 * words) / sentences + (11.8 * syllables) / words - 15.59 : 0;
}

const gradeText = (counts) => grade(counts).toFixed(1).replace("-", "−");

const clipped = (text) => (text.length > CLIP ? `${text.slice(0, CLIP)}…` : text).replace(/\s+/g, " ").trim();

/** The page's half: marks, panel, keys. */
class Review {
  constructor() {
    this.rewriting = new Rewriting();
    this.data = this.rewriting.data;
    this.hidden = new Set(); // kinds that are not shown
    this.current = null;
    this.marks = []; // of each edit, in both columns
    byId("review-table").tBodies[0].replaceChildren();
    byId("edit-panel").hidden = true;
    this.add({ paragraphs: [], edits: [], groups: [], sentences: [] });
  }

  /** Shows further parts of the text. */
  add(data) {
    this.rewriting.add(data);
    data.edits.forEach(() => this.marks.push([]));
    this.fill(data.paragraphs);
    this.fillKinds();
    this.refreshFacts();
    if (this.current !== null) this.fillPanel();
    if (this.current !== null || !this.data.groups.length) return;
    byId("edit-panel").hidden = false;
    this.select(0, { quietly: true });
  }

  /* ---- the two columns ---- */

  fill(paragraphs) {
    const rows = paragraphs.filter((pieces) => pieces.some((piece) => typeof piece !== "string" || piece.trim()));
    byId("review-table").tBodies[0].append(
      ...rows.map((pieces) => {
        const row = make("tr", { role: "row" });
        row.append(this.cell(pieces, "Original", (edit) => this.sourceMark(edit), originalNodes), this.cell(pieces, "Result", (edit) => this.resultMark(edit)));
        onOriginal(row.querySelector(".text"));
        return row;
      }),
    );
  }

  cell(pieces, name, mark, nodes = (text) => [text]) {
    const paragraph = make("p", { class: "text", dir: "auto" });
    pieces.forEach((piece, place) => {
      if (typeof piece !== "string") paragraph.append(...mark(piece));
      else paragraph.append(...nodes(place === pieces.length - 1 ? piece.replace(/[\r\n]+$/, "") : piece));
    });
    const cell = make("td", { role: "cell" }, make("span", { class: "column-name", "aria-hidden": "true" }, name));
    cell.append(paragraph);
    return cell;
  }

  sourceMark(number) {
    const edit = this.data.edits[number];
    if (!edit.source) return [];
    const mark = make("span", { class: "mark gone", "data-group": edit.group }, ...originalNodes(edit.source));
    this.marks[number].push(mark);
    return [mark];
  }

  resultMark(number) {
    const edit = this.data.edits[number];
    const mark = make("span", { "data-group": edit.group });
    // The first place of a group can be focused, and stands for all of them.
    if (this.data.groups[edit.group].edits[0] === number) {
      mark.setAttribute("role", "button");
      mark.tabIndex = -1;
    }
    this.marks[number].push(mark);
    this.refreshMark(number);
    return [mark];
  }

  refreshMark(number) {
    const edit = this.data.edits[number];
    const group = this.data.groups[edit.group];
    const applied = this.rewriting.applies(edit.group);
    const text = this.rewriting.shownText(edit);
    const mark = this.marks[number].at(-1);
    mark.textContent = text;
    mark.className = `mark ${applied ? "come" : "refused"}`;
    mark.classList.toggle("empty", !text.trim());
    if (!mark.hasAttribute("role")) return;
    mark.setAttribute("aria-pressed", applied);
    const [old, fresh] = [clipped(edit.source), clipped(this.rewriting.written(edit))];
    const shown = text.trim() || "nothing";
    const why = applied ? `instead of “${old || "nothing"}”` : `kept, “${fresh || "nothing"}” refused`;
    mark.setAttribute("aria-label", `${shown}, ${why}, ${KINDS.get(group.kind) ?? group.kind}`);
  }

  anchor(group) {
    return this.marks[this.data.groups[group].edits[0]].at(-1);
  }

  marksOf(group) {
    return this.data.groups[group].edits.flatMap((number) => this.marks[number]);
  }

  /* ---- which edit is the current one ---- */

  shown() {
    return [...this.data.groups.keys()].filter((group) => !this.hidden.has(this.data.groups[group].kind));
  }

  select(group, { focus = false, quietly = false } = {}) {
    if (this.current !== null) {
      this.marksOf(this.current).forEach((mark) => mark.classList.remove("current"));
      this.anchor(this.current).tabIndex = -1;
    }
    this.current = group;
    this.marksOf(group).forEach((mark) => mark.classList.add("current"));
    const anchor = this.anchor(group);
    anchor.tabIndex = 0;
    this.fillPanel();
    if (quietly) return;
    // What has the focus must not lie behind the panel, whose height changes with what it says.
    document.documentElement.style.scrollPaddingBottom = `${byId("edit-panel").offsetHeight + 24}px`;
    if (focus) anchor.focus({ preventScroll: true });
    anchor.scrollIntoView({ block: "nearest" });
  }

  step(by, focus) {
    const shown = this.shown();
    if (!shown.length) return announce("No edit of these kinds.");
    const at = shown.indexOf(this.current);
    const next = shown[at < 0 ? 0 : (at + by + shown.length) % shown.length];
    this.select(next, { focus });
    if (!focus) announce(`${byId("edit-title").textContent}. ${this.summary(next)}`);
  }

  summary(group) {
    return this.data.groups[group].edits
      .slice(0, MOST_CHANGES)
      .map((number) => this.data.edits[number])
      .map((edit) => `“${clipped(edit.source) || "nothing"}” becomes “${clipped(this.rewriting.written(edit)) || "nothing"}”`)
      .join("; ");
  }

  fillPanel() {
    const group = this.data.groups[this.current];
    const shown = this.shown();
    const applied = this.rewriting.applies(this.current);
    const place = shown.indexOf(this.current) + 1;
    const state = applied ? "" : ", refused";
    byId("edit-title").textContent = `Edit ${place || "–"} of ${shown.length}: ${(KINDS.get(group.kind) ?? group.kind).toLowerCase()}${state}`;
    const changes = group.edits.slice(0, MOST_CHANGES).map((number) => changeItem(this.data.edits[number].source, this.rewriting.written(this.data.edits[number])));
    if (group.edits.length > MOST_CHANGES) changes.push(make("li", {}, `and ${plural(group.edits.length - MOST_CHANGES, "more place")}`));
    byId("edit-changes").replaceChildren(...changes);
    const reasons = group.reasons.map(clipped);
    if (group.others.length) reasons.push(`Could also be: ${clipped(group.others.join(" · "))}`);
    if (group.edits.length > 1) reasons.push(`These ${group.edits.length} places change together.`);
    byId("edit-reasons").replaceChildren(...reasons.map((reason) => make("li", {}, reason)));
    this.fillChoices(group);
    byId("accept-edit").setAttribute("aria-pressed", applied);
    byId("refuse-edit").setAttribute("aria-pressed", !applied);
    byId("keep-words").disabled = !this.words();
    byId("undo-edit").disabled = !this.rewriting.history.length;
  }

  /** Buttons for what the edit writes and what it could write instead, where there is anything. */
  fillChoices(group) {
    const { choices = [], edits } = group;
    const chosen = this.rewriting.chosen.get(this.current);
    const buttons = (choices.length ? [null, ...choices] : []).map((choice) => {
      const pressed = (chosen ?? null) === choice;
      const button = make("button", { type: "button", "aria-pressed": String(pressed) }, choice?.text ?? this.data.edits[edits[0]].target);
      button.addEventListener("click", () => this.choose(choice));
      return button;
    });
    const list = byId("edit-choices");
    const focused = [...list.children].indexOf(document.activeElement);
    list.hidden = !buttons.length;
    list.replaceChildren("Words: ", ...buttons);
    buttons[focused]?.focus();
  }

  /** Writes other words, or with null those that stood there first; the edit is accepted with them. */
  choose(choice) {
    if (choice) this.rewriting.chosen.set(this.current, choice);
    else this.rewriting.chosen.delete(this.current);
    if (!this.rewriting.applies(this.current)) this.rewriting.turn([this.current]);
    this.refresh([this.current]);
    announce(`${this.summary(this.current)}. Grade ${byId("grade-now").textContent}.`);
  }

  /* ---- decisions ---- */

  decide(groups, refuse) {
    const turned = groups.filter((group) => this.rewriting.applies(group) === refuse);
    const done = refuse ? "refused" : "accepted";
    if (!turned.length) return announce(groups.length === 1 ? `Already ${done}.` : `All are ${done} already.`);
    this.rewriting.turn(turned);
    this.refresh(turned);
    announce(`${turned.length === 1 ? "Edit" : plural(turned.length, "edit")} ${done}. Grade ${byId("grade-now").textContent}.`);
  }

  /** The words that the current edit replaces, if it is one that can be refused wherever it stands. */
  words() {
    const group = this.data.groups[this.current];
    return group?.edits.length === 1 ? this.data.edits[group.edits[0]].source.trim() : "";
  }

  /** Refuses all edits that replace the same words. */
  keepWords() {
    const words = this.words();
    if (!words) return announce("This edit changes more than one place; refuse it instead.");
    const same = (edit) => edit.source.trim().toLowerCase() === words.toLowerCase();
    const groups = [...this.data.groups.keys()].filter((group) => this.data.groups[group].edits.some((number) => same(this.data.edits[number])));
    this.decide(groups, true);
    return words;
  }

  undo() {
    const groups = this.rewriting.undo();
    if (!groups.length) return announce("Nothing to undo.");
    this.refresh(groups);
    this.select(groups[0], { focus: document.activeElement?.classList.contains("mark") });
    announce(`Undone. Grade ${byId("grade-now").textContent}.`);
  }

  refresh(groups) {
    for (const group of groups) {
      for (const number of this.data.groups[group].edits) this.refreshMark(number);
      this.marksOf(group).forEach((mark) => mark.classList.toggle("current", group === this.current));
    }
    this.muteHidden();
    this.fillPanel();
    this.refreshFacts();
  }

  refreshFacts() {
    const [before, now] = [this.rewriting.counts(true), this.rewriting.counts()];
    const all = this.data.groups.length;
    byId("edit-count").textContent = all ? `${all - this.rewriting.refused.size} of ${all} accepted` : "none: nothing had to change";
    byId("grade-before").textContent = gradeText(before);
    byId("grade-now").textContent = gradeText(now);
    byId("words-before").textContent = before[1].toLocaleString("en");
    byId("words-now").textContent = now[1].toLocaleString("en");
    onChange();
  }

  /* ---- kinds ---- */

  fillKinds() {
    const counts = new Map();
    for (const group of this.data.groups) counts.set(group.kind, (counts.get(group.kind) ?? 0) + 1);
    const known = [...KINDS.keys(), ...counts.keys()];
    const kinds = [...new Set(known)].filter((kind) => counts.has(kind));
    const boxes = kinds.map((kind) => {
      const box = make("input", { type: "checkbox", value: kind, checked: !this.hidden.has(kind) });
      box.addEventListener("change", () => this.showKind(kind, box.checked));
      return make("label", {}, box, ` ${KINDS.get(kind) ?? kind} (${counts.get(kind)})`);
    });
    byId("kinds").replaceChildren(make("legend", {}, "Show"), ...boxes);
    byId("kinds").hidden = !kinds.length;
    for (const id of ["accept-all", "refuse-all"]) byId(id).disabled = !kinds.length;
  }

  showKind(kind, shown) {
    if (shown) this.hidden.delete(kind);
    else this.hidden.add(kind);
    this.muteHidden();
    if (this.hidden.has(this.data.groups[this.current].kind) && this.shown().length) this.select(this.shown()[0], { quietly: true });
    else this.fillPanel();
    announce(`${plural(this.shown().length, "edit")} shown.`);
  }

  muteHidden() {
    this.marks.forEach((marks, number) => {
      const muted = this.hidden.has(this.data.groups[this.data.edits[number].group].kind);
      marks.forEach((mark) => mark.classList.toggle("muted", muted));
    });
  }
}

function changeItem(source, target) {
  const item = make("li", { dir: "auto" });
  if (source.trim()) item.append(make("del", {}, clipped(source)));
  if (source.trim() && target.trim()) item.append(" ");
  if (target.trim()) item.append(make("ins", {}, clipped(target)));
  return item;
}

function announce(message) {
  byId("announcement").textContent = message;
}
