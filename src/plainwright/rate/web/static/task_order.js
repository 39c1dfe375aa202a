// Places and groups of outputs: by button, by key, by dragging with mouse, pen or finger.

import { fittingPlace, groupOf } from "./task_answers.js";
import { act, known, state, stopped } from "./task_outbox.js";
import { byId, cardById, cardOf, letterOf, make, nodeOf, outputs, page, say } from "./task_page.js";

const groupNames = { split: "Split", deletion: "Deletion", paraphrase: "Paraphrase", all: "the list" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* ---- showing ---- */

export function showOrder(answers) {
  const focused = document.activeElement;
  const tops = new Map([...cardById.keys()].map((card) => [card, nodeOf(card).offsetTop]));
  const moved = [...outputs.querySelectorAll(".group")].map((section) => showGroup(section, answers)).some(Boolean);
  if (!moved) return;
  if (focused !== document.activeElement && outputs.contains(focused)) focused.focus({ preventScroll: true });
  if (!calm.matches) glideFrom(tops);
}

function showGroup(section, answers) {
  const { group } = section.dataset;
  const list = section.querySelector(".cards");
  let moved = false;
  answers.groups[group].forEach((card, place) => {
    const node = nodeOf(card);
    if (list.children[place] !== node) {
      list.insertBefore(node, list.children[place] ?? null);
      moved = true;
    }
    node.querySelector(".place").textContent = place + 1;
    const select = node.querySelector("select");
    if (select) select.value = group;
  });
  section.querySelector(".empty").hidden = answers.groups[group].length > 0;
  return moved;
}

function glideFrom(tops) {
  for (const [card, top] of tops) {
    const way = top - nodeOf(card).offsetTop;
    const steps = [{ transform: `translateY(${way}px)` }, { transform: "none" }];
    if (way) nodeOf(card).animate(steps, { duration: 140, easing: "ease-out" });
  }
}

/* ---- moving ---- */

function move(card, group, place) {
  act({ kind: "move", card, group, place });
  nodeOf(card).scrollIntoView({ block: "nearest" });
  const list = state.answers.groups[group];
  say(`${letterOf(card)} is now ${list.indexOf(card) + 1} of ${list.length} in ${groupNames[group]}.`);
}

/** One place up or down; from the edge of a group into the next one. */
export function moveBy(card, way) {
  const { groups } = state.answers;
  const names = Object.keys(groups);
  const group = groupOf(state.answers, card);
  const place = groups[group].indexOf(card) + way;
  if (place >= 0 && place < groups[group].length) return move(card, group, place);
  const other = names[names.indexOf(group) + way];
  if (!other) return say(`${letterOf(card)} is already at the ${way < 0 ? "top" : "bottom"}.`);
  move(card, other, way < 0 ? groups[other].length : 0);
}

/** Into a group, perhaps its own: to where the score fits. */
export function changeGroup(card, group) {
  move(card, group, fittingPlace(state.answers, card, group));
}

/** To where the score fits in its own group. */
export const moveToFit = (card) => changeGroup(card, groupOf(state.answers, card));

export function nextGroup(card, way) {
  const names = Object.keys(state.answers.groups);
  const now = names.indexOf(groupOf(state.answers, card));
  if (names.length > 1) changeGroup(card, names[(now + way + names.length) % names.length]);
}

export function sortGroup(group) {
  act({ kind: "sort", group });
  say(`Sorted by score: ${groupNames[group]}.`);
}

outputs.addEventListener("change", ({ target }) => {
  if (target.dataset.do === "group") changeGroup(cardOf(target), target.value);
});

/* ---- dragging ---- */

const EDGE = 70; // pixels from the edge of what is free, where the page begins to scroll
const START = 5; // pixels after which it is a drag and no click

const drag = { card: "", pointer: 0, from: 0, y: 0, scrolled: 0, target: null };
const line = make("div", { class: "drop-line", "aria-hidden": "true" });

outputs.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest(".handle");
  if (!handle || event.button || known.finished || stopped || drag.card) return;
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  const { pointerId: pointer, clientY: y } = event;
  Object.assign(drag, { card: cardOf(handle), pointer, from: y, y, scrolled: scrollY, target: null });
  nodeOf(drag.card).focus({ preventScroll: true });
});

outputs.addEventListener("pointermove", ({ pointerId, clientY }) => {
  if (pointerId !== drag.pointer || !drag.card) return;
  drag.y = clientY;
  if (!drag.target && Math.abs(drag.y - drag.from) < START) return;
  if (!drag.target) requestAnimationFrame(scrollAlong);
  follow();
});

/** The card follows the pointer; a line says where it would go. Nothing else moves. */
function follow() {
  const node = nodeOf(drag.card);
  node.classList.add("dragged");
  node.style.transform = `translateY(${drag.y - drag.from + scrollY - drag.scrolled}px)`;
  const sections = [...outputs.querySelectorAll(".group")];
  const section = sections.findLast((one) => one.getBoundingClientRect().top <= drag.y) ?? sections[0];
  const boxes = [...section.querySelectorAll(".card:not(.dragged)")].map((card) => card.getBoundingClientRect());
  const place = boxes.filter(({ top, bottom }) => (top + bottom) / 2 < drag.y).length;
  const frame = section.getBoundingClientRect();
  drag.target = { group: section.dataset.group, place };
  line.style.top = `${(boxes[place]?.top ?? boxes.at(-1)?.bottom ?? frame.bottom - 8) - frame.top}px`;
  section.append(line);
}

function scrollAlong() {
  if (!drag.card) return;
  const ceiling = byId("source").getBoundingClientRect().bottom + EDGE;
  const floor = page.querySelector(".bar").getBoundingClientRect().top - EDGE;
  const beyond = Math.min(0, drag.y - ceiling) + Math.max(0, drag.y - floor);
  if (beyond) {
    scrollBy(0, Math.max(-18, Math.min(18, beyond / 6)));
    follow();
  }
  requestAnimationFrame(scrollAlong);
}

function endDrag(drop) {
  const { card, target } = drag;
  if (!card) return;
  drag.card = "";
  line.remove();
  nodeOf(card).classList.remove("dragged");
  nodeOf(card).style.transform = "";
  if (drop && target) move(card, target.group, target.place);
}

outputs.addEventListener("pointerup", ({ pointerId }) => pointerId === drag.pointer && endDrag(true));
outputs.addEventListener("pointercancel", ({ pointerId }) => pointerId === drag.pointer && endDrag(false));
addEventListener("keydown", ({ key }) => key === "Escape" && endDrag(false));
