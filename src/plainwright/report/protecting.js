// Words of the original that are left alone: by a click or by Enter on a word, and by the field that lists them.

const WORD = /[\p{L}\p{M}\p{N}_]+(?:['’-][\p{L}\p{M}\p{N}_]+)*/gu;

const keptWords = () => byId("keep").value.split(",").map((words) => words.trim()).filter(Boolean);

const sameWords = (one, other) => one.toLowerCase() === other.toLowerCase();

/** Finds words or phrases as the server does: whole ones, without case, any white space between them. */
function phrasePattern(phrases) {
  const escaped = [...phrases]
    .sort((one, other) => other.length - one.length)
    .map((phrase) => phrase.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+"));
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_])`, "giu");
}

class Protecting {
  constructor() {
    this.paragraphs = []; // text and words of each, with where they start
    this.focused = null; // the word that Tab reaches
    this.refusedFor = new Map(); // groups that were refused for a word
  }

  /** Text of the original as nodes, one for each word. */
  nodes(text) {
    const nodes = [];
    let at = 0;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (!/\p{L}/u.test(word)) continue;
      if (at < index) nodes.push(text.slice(at, index));
      nodes.push(make("span", { class: "word" }, word));
      at = index + word.length;
    }
    if (at < text.length) nodes.push(text.slice(at));
    return nodes;
  }

  add(cell) {
    const paragraph = { text: cell.textContent, words: [] };
    let at = 0;
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) at += node.length;
      else if (node.classList.contains("word")) paragraph.words.push({ node, start: at });
      node.childNodes.forEach(walk);
    };
    walk(cell);
    if (!paragraph.words.length) return;
    this.paragraphs.push(paragraph);
    if (!this.focused) this.reach(paragraph.words[0].node);
    this.show([paragraph]);
  }

  /** Marks the words that the field lists. */
  show(paragraphs = this.paragraphs) {
    const kept = keptWords();
    const pattern = kept.length ? phrasePattern(kept) : null;
    for (const { text, words } of paragraphs) {
      const found = pattern ? [...text.matchAll(pattern)] : [];
      for (const { node, start } of words) {
        const match = found.find(({ 0: own, index }) => index < start + node.textContent.length && start < index + own.length);
        node.classList.toggle("protected", match !== undefined);
        if (match) node.dataset.kept = match[0].replace(/\s+/g, " ");
        else delete node.dataset.kept;
      }
    }
    if (this.focused) this.describe(this.focused);
  }

  toggle(word) {
    const words = word.dataset.kept ?? word.textContent;
    if (word.dataset.kept) this.free(words);
    else this.protect(words);
  }

  protect(words) {
    this.list(words);
    const groups = this.touching(words).filter(review.rewriting.applies);
    this.refusedFor.set(words.toLowerCase(), groups);
    this.turn(groups);
    announce(`“${words}” is protected${groups.length ? `, and ${plural(groups.length, "edit")} refused` : ""}.`);
  }

  free(words) {
    byId("keep").value = keptWords().filter((own) => !sameWords(own.replace(/\s+/g, " "), words)).join(", ");
    const groups = (this.refusedFor.get(words.toLowerCase()) ?? []).filter((group) => !review.rewriting.applies(group));
    const still = new Set(keptWords().flatMap((own) => this.touching(own)));
    this.turn(groups.filter((group) => !still.has(group)));
    this.show();
    announce(`“${words}” may change again.`);
  }

  list(words) {
    if (!keptWords().some((own) => sameWords(own, words))) byId("keep").value = [...keptWords(), words].join(", ");
    this.show();
  }

  turn(groups) {
    if (!groups.length) return;
    review.rewriting.turn(groups);
    review.refresh(groups);
  }

  /** The groups of edits after which these words stand fewer times than before. */
  touching(words) {
    const pattern = phrasePattern([words]);
    const times = (text) => [...text.matchAll(pattern)].length;
    const edits = review.data.edits.filter(({ source, target }) => times(source) > times(target));
    return [...new Set(edits.map((edit) => edit.group))];
  }

  /* ---- keys: one word is reached by Tab, and is a button as long as it is the one ---- */

  reach(word, focus = false) {
    if (this.focused) ["role", "tabindex", "aria-pressed", "aria-label"].forEach((name) => this.focused.removeAttribute(name));
    this.focused = word;
    word.setAttribute("role", "button");
    word.tabIndex = 0;
    this.describe(word);
    if (focus) word.focus();
  }

  describe(word) {
    word.setAttribute("aria-pressed", word.dataset.kept !== undefined);
    word.setAttribute("aria-label", `${word.textContent}, protected`);
  }

  step(key) {
    const at = this.paragraphs.findIndex(({ words }) => words.some(({ node }) => node === this.focused));
    const nodes = (place) => this.paragraphs[place]?.words.map(({ node }) => node) ?? [];
    const place = nodes(at).indexOf(this.focused);
    const next = {
      ArrowRight: () => nodes(at)[place + 1] ?? nodes(at + 1)[0],
      ArrowLeft: () => nodes(at)[place - 1] ?? nodes(at - 1).at(-1),
      ArrowDown: () => nodes(at + 1)[0],
      ArrowUp: () => nodes(at - 1)[0],
    }[key]();
    if (next) this.reach(next, true);
  }
}

let protecting = new Protecting();
originalNodes = (text) => protecting.nodes(text);
onOriginal = (cell) => protecting.add(cell);
onKeptWords = (words) => words && protecting.list(words);

function startProtecting() {
  const table = byId("review-table");
  // Before the review, for which a click on an edited word means that edit.
  table.addEventListener(
    "click",
    (event) => {
      const word = event.target.closest(".word");
      if (!word || !getSelection().isCollapsed) return;
      event.stopPropagation();
      const group = word.closest("[data-group]")?.dataset.group;
      if (group !== undefined) review.select(Number(group), { quietly: true });
      protecting.reach(word, true);
      protecting.toggle(word);
    },
    { capture: true },
  );
  table.addEventListener("keydown", (event) => {
    const word = event.target.closest(".word");
    if (!word || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") protecting.toggle(word);
    else if (event.key.startsWith("Arrow")) protecting.step(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  byId("keep").addEventListener("input", () => protecting.show());
}

startProtecting();
