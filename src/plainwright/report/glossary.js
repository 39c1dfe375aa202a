// The hard words of the result, with what they mean; those of refused edits come and go with them.

const SETTLED = 300; // milliseconds after the last change

class Glossary {
  constructor() {
    this.entries = [];
    this.timer = null;
    this.shown = "";
  }

  add(entries) {
    entries.forEach((entry) => this.entries.push(entry));
  }

  /** Shows the words once nothing has changed for a while. */
  plan() {
    clearTimeout(this.timer);
    if (byId("glossary")) this.timer = setTimeout(() => this.show(), SETTLED);
  }

  show() {
    const words = new Set(review.rewriting.text().toLowerCase().match(/[\p{L}\p{M}]+/gu));
    const left = new Map();
    for (const entry of this.entries) if (words.has(entry.word)) left.set(`${entry.lemma} ${entry.part}`, entry);
    const names = [...left.keys()].sort();
    byId("glossary").hidden = !names.length;
    if (this.shown === names.join()) return;
    this.shown = names.join();
    byId("glossary-count").textContent = names.length.toLocaleString("en");
    byId("glossary-list").replaceChildren(
      ...names.map((name) => {
        const { lemma, part, gloss } = left.get(name);
        return make("div", {}, make("dt", {}, lemma, " ", make("span", { class: "part" }, PARTS[part])), make("dd", {}, gloss));
      }),
    );
  }
}

const PARTS = { noun: "noun", verb: "verb", adj: "adjective", adv: "adverb" };
let glossary = new Glossary();
onChange = () => glossary.plan();
