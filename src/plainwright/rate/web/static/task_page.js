// What the task page was given by the server, and small tools for it.
// Texts of a study reach the page only as text nodes.

export const byId = (id) => document.getElementById(id);

export const page = byId("task");
export const outputs = byId("outputs");
export const given = JSON.parse(byId("task-data").textContent);
export const ranked = given.ordered;
export const paired = given.compares;
export const cardById = new Map(given.cards.map((card) => [card.id, card]));
export const aspectByName = new Map(given.aspects.map((aspect) => [aspect.name, aspect]));

export const nodeOf = (card) => byId(`card-${card}`);
export const cardOf = (node) => node.closest?.(".card")?.dataset.card;
export const letterOf = (card) => byId(`name-${card}`).lastChild.textContent;

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
export const shown = (score) => String(Math.round(score * 100) / 100);

export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Whether two things made of lists, objects and plain values are alike. */
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]));
}

/** Tells those who do not see the page what just happened. */
export const say = (text) => void (byId("said").textContent = text);

export function closeProblem() {
  byId("problem").dataset.about = "";
  byId("problem").replaceChildren();
}

/** A sentence above the buttons, for everybody, read out at once. */
export function explain(text, ...more) {
  const close = make("button", { type: "button", "aria-label": "Close this message", class: "close" }, "×");
  close.addEventListener("click", closeProblem);
  byId("problem").dataset.about = "";
  byId("problem").replaceChildren(make("p", {}, text, " ", ...more), close);
}
