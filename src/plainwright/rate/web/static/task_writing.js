// Writing a text: the field, how long it is as one types, and what is wrong with it. What is typed is a draft until the
// rater rests; then it is saved. The server looks at every draft, and has the last word on all that words alone can tell.

import { missingIn } from "./task_answers.js";
import { act, known, state, stopped } from "./task_outbox.js";
import { byId, closeProblem, explain, given, make, plural, say } from "./task_page.js";

const REST = 800; // milliseconds without a key after which a draft is saved

const limits = given.writing;
const field = byId("written");
const unchanged = byId("unchanged"); // not in every study

export const isWriting = Boolean(limits);

let draft = 0; // a timer, while something is not saved

/* ---- what is wrong ---- */

const countWords = (text) => text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const wordsOf = (text) => (text.normalize("NFC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
const stopsIn = (text) => (text.match(/[.!?…]/gu) ?? []).length;

/** As the server says it, if it has seen this very text; otherwise what a look at its length and words tells. */
function problemsIn({ text, unchanged: isUnchanged }) {
  if (isUnchanged) return [];
  if (known.answers.text === text && !known.answers.unchanged) return known.problems;
  const words = countWords(text);
  if (!words) return ["nothing is written yet"];
  if (words < limits.low) return [`it has ${plural(words, "word")}, and needs at least ${limits.low}`];
  if (words > limits.high) return [`it has ${plural(words, "word")}, and may have at most ${limits.high}`];
  const isCopy = wordsOf(text) === wordsOf(given.source.text) && stopsIn(text) <= stopsIn(given.source.text);
  return isCopy ? ["it is the original again"] : [];
}

/** What keeps a page from being finished, of whatever form. */
export function openQuestions(answers) {
  if (!isWriting) return missingIn(answers);
  return problemsIn(answers).length ? [{ card: "", aspect: "text" }] : [];
}

export function explainText() {
  const found = problemsIn(state.answers).join("; ");
  const way = unchanged ? ` Or tick “${unchanged.closest("label").textContent.trim()}”` : "";
  if (found) explain(`Your text cannot be taken yet: ${found}.${way}`);
}

/* ---- showing ---- */

function showCount(text) {
  const words = countWords(text);
  byId("written-count").textContent = `${plural(words, "word")} (${limits.low} to ${limits.high})`;
  byId("written-count").classList.toggle("off", words > limits.high);
}

export function showWriting(answers, isClosed) {
  if (!isWriting) return;
  if (!draft && field.value !== answers.text) field.value = answers.text;
  field.disabled = isClosed || answers.unchanged;
  if (unchanged) unchanged.checked = answers.unchanged;
  byId("from-source").disabled = field.disabled || field.value === given.source.text;
  byId("from-source").hidden = isClosed;
  showCount(field.value);
  // Whoever is still typing knows that it is not done; and an empty field says so itself.
  const found = draft || isClosed || !field.value.trim() || field.value === given.source.text ? [] : problemsIn(answers);
  byId("written-problems").hidden = !found.length;
  byId("written-problems").replaceChildren(...found.map((problem) => make("li", {}, `${problem[0].toUpperCase()}${problem.slice(1)}.`)));
}

/* ---- writing ---- */

/** Saves what stands in the field. */
export function takeWriting() {
  clearTimeout(draft);
  draft = 0;
  if (!isWriting || known.finished || stopped) return;
  const isUnchanged = unchanged?.checked ?? false;
  if (field.value === state.answers.text && isUnchanged === state.answers.unchanged) return;
  act({ kind: "write", text: field.value, unchanged: isUnchanged });
}

/** Saves it and shows it, also if nothing is new. */
function take() {
  takeWriting();
  showWriting(state.answers, known.finished || stopped);
}

function begin() {
  field.value = given.source.text;
  take();
  field.focus();
  say("The original is in the field.");
}

if (isWriting) {
  field.addEventListener("input", () => {
    clearTimeout(draft);
    draft = setTimeout(take, REST);
    closeProblem(); // it was about another text
    showWriting(state.answers, false);
  });
  field.addEventListener("change", take);
  unchanged?.addEventListener("change", take);
  byId("from-source").addEventListener("click", begin);
}
