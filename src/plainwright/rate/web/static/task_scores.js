// Giving scores: sliders, number fields, choices and counts. What is being given is a draft, which the page does not
// write over; it becomes an event when the rater is done with it.

import { scoreOf } from "./task_answers.js";
import { act, state } from "./task_outbox.js";
import { aspectByName, cardOf, explain, letterOf, outputs, shown } from "./task_page.js";

const SLIDE = 600; // milliseconds of rest after which a slide by keys is over

const drafts = new Map(); // answers that are being given, each with its timer

const scaleOf = (answer) => aspectByName.get(answer.dataset.aspect);
const scoreIn = (answer) => scoreOf(state.answers, cardOf(answer), answer.dataset.aspect);

export const isDraft = (answer) => drafts.has(answer);

/* ---- showing ---- */

export function showAnswer(answer, score = scoreIn(answer)) {
  if (isDraft(answer)) return;
  for (const radio of answer.querySelectorAll("input[type=radio]"))
    radio.checked = score !== undefined && Number(radio.value) === score;
  const number = answer.querySelector(".number");
  if (number) number.value = score === undefined ? "" : shown(score);
  const range = answer.querySelector("input[type=range]");
  if (range) showRange(range, score);
}

function showRange(range, score) {
  range.classList.toggle("unset", score === undefined);
  range.setAttribute("aria-valuetext", score === undefined ? "not scored yet" : shown(score));
  range.value = score ?? (Number(range.min) + Number(range.max)) / 2;
  range.style.setProperty("--share", (range.value - range.min) / (range.max - range.min));
}

/* ---- giving ---- */

export function giveScore(answer, value) {
  dropDraft(answer);
  act({ kind: "score", card: cardOf(answer), aspect: answer.dataset.aspect, value });
  showAnswer(answer);
}

/** What stands in a number field: a score, null if it is empty, undefined for what is no score here. */
function readNumber(answer) {
  const { low, high, step } = scaleOf(answer);
  const text = answer.querySelector(".number").value.trim().replace(",", ".").replace("−", "-");
  if (text === "") return null;
  const score = Number(text);
  const steps = (score - low) / step;
  return score >= low && score <= high && (!step || Math.abs(steps - Math.round(steps)) < 1e-9) ? score : undefined;
}

/** Takes over what stands in a number field; false, with a sentence, if it is no score. */
export function takeNumber(answer) {
  const score = readNumber(answer);
  answer.querySelector(".number").toggleAttribute("aria-invalid", score === undefined);
  if (score !== undefined) giveScore(answer, score);
  else explainScale(answer);
  return score !== undefined;
}

function explainScale(answer) {
  const { low, high, step } = scaleOf(answer);
  const kind = step === 1 ? "a whole number" : step ? `a number in steps of ${step}` : "a number";
  explain(`${letterOf(cardOf(answer))}: expected ${kind} from ${low} to ${high}.`);
}

function keepDraft(answer, milliseconds = 0) {
  clearTimeout(drafts.get(answer));
  drafts.set(answer, milliseconds && setTimeout(() => takeNumber(answer), milliseconds));
}

function dropDraft(answer) {
  clearTimeout(drafts.get(answer));
  drafts.delete(answer);
}

/** Everything that is being given counts; false if something is no score. */
export const takeDrafts = () => [...drafts.keys()].map(takeNumber).every(Boolean);

/** Back to the score before. */
export function cancelDraft(answer) {
  dropDraft(answer);
  answer.querySelector(".number").removeAttribute("aria-invalid");
  showAnswer(answer);
}

/** Starts to type a score. */
export function typeInto(answer, digit) {
  const field = answer.querySelector(".number");
  field.focus();
  field.value = digit;
  keepDraft(answer);
}

export function count(answer, way) {
  const { low, high, step } = scaleOf(answer);
  giveScore(answer, Math.max(low, Math.min(high, (scoreIn(answer) ?? low) + way * step)));
}

/* ---- what raters do with fields ---- */

function slideTo(answer, range) {
  answer.querySelector(".number").value = shown(Number(range.value));
  showRange(range, Number(range.value));
}

outputs.addEventListener("input", ({ target }) => {
  const answer = target.closest(".answer");
  if (!answer || target.type === "radio") return;
  if (target.type === "range") slideTo(answer, target);
  keepDraft(answer, target.type === "range" ? SLIDE : 0);
});

outputs.addEventListener("change", ({ target }) => {
  const answer = target.closest(".answer");
  if (target.matches(".prefer input"))
    act({ kind: "prefer", aspect: answer.dataset.aspect, card: target.value || null });
  else if (target.type === "radio") giveScore(answer, Number(target.value));
  else if (target.matches(".number")) takeNumber(answer);
});

// A slider without a score stands in the middle, unseen: a tap right there changes nothing, but means something.
outputs.addEventListener("pointerdown", ({ target }) => {
  if (target.type !== "range" || target.disabled) return;
  const release = () => {
    slideTo(target.closest(".answer"), target);
    takeNumber(target.closest(".answer"));
  };
  target.addEventListener("pointerup", release, { once: true });
  target.addEventListener("pointercancel", () => target.removeEventListener("pointerup", release), { once: true });
});

outputs.addEventListener("focusout", ({ target }) => {
  const answer = target.closest(".answer");
  if (target.type === "range" && isDraft(answer)) takeNumber(answer);
});
