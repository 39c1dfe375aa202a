// The page on which raters rank, score and mark outputs. The server has drawn it; this draws what changes, and turns
// keys and buttons into events.

import { contradictionsIn, fittingPlace, groupOf, proposedScore, scoreOf } from "./task_answers.js";
import { openEdits, showText, stepThroughEdits } from "./task_edits.js";
import { changeView } from "./task_view.js";
import { moveBy, moveToFit, nextGroup, showOrder, sortGroup } from "./task_order.js";
import { act, delivery, isFinishing, known, listen, pickUp, send, state, stopped } from "./task_outbox.js";
import { byId, cardById, cardOf, explain, given, letterOf, make, nodeOf } from "./task_page.js";
import { outputs, page, paired, plural, ranked, say, shown } from "./task_page.js";
import { cancelDraft, count, giveScore, isDraft, showAnswer, takeDrafts, takeNumber, typeInto } from "./task_scores.js";
import { explainText, isWriting, openQuestions, showWriting, takeWriting } from "./task_writing.js";

/* ---- showing ---- */

function show() {
  const { answers } = state;
  if (ranked) showOrder(answers);
  for (const card of cardById.keys()) showText(card, answers);
  for (const answer of outputs.querySelectorAll(".card .answer")) showAnswer(answer);
  for (const set of outputs.querySelectorAll(".prefer")) showPreference(set, answers.preferences[set.dataset.aspect]);
  if (document.activeElement !== byId("comment")) byId("comment").value = answers.comment;
  if (ranked) showContradictions(answers);
  showMissing(answers);
  showWhatIsPossible();
  showWriting(answers, known.finished || stopped);
  showDelivery();
}

function showPreference(set, chosen) {
  for (const radio of set.querySelectorAll("input"))
    radio.checked = chosen !== undefined && radio.value === (chosen ?? "");
}

function showContradictions(answers) {
  const found = contradictionsIn(answers);
  for (const card of cardById.keys()) {
    const above = found.find(({ lower }) => lower === card);
    const below = found.find(({ upper }) => upper === card);
    if (above) showClash(answers, card, `Scored higher than ${letterOf(above.upper)} above`);
    else if (below) showClash(answers, card, `Scored lower than ${letterOf(below.lower)} below`);
    else showClash(answers, card, "");
  }
  for (const section of outputs.querySelectorAll(".group")) {
    const wrong = found.some(({ upper }) => groupOf(answers, upper) === section.dataset.group);
    section.querySelector("[data-do=sort]").classList.toggle("wanted", wrong);
  }
}

/** Says it with both ways out: another score for the place, or another place for the score. */
function showClash(answers, card, text) {
  const clash = nodeOf(card).querySelector(".clash");
  const proposed = text ? proposedScore(answers, card) : null;
  const place = text ? fittingPlace(answers, card, groupOf(answers, card)) + 1 : 0;
  const told = `${text}/${proposed}/${place}`;
  if (clash.dataset.told === told) return; // a button that has the focus keeps it
  clash.dataset.told = told;
  clash.hidden = !text;
  nodeOf(card).classList.toggle("contradicts", Boolean(text));
  clash.replaceChildren(text);
  if (!text) return;
  const setting = { type: "button", "data-do": "propose", "data-score": proposed, title: "Set this score (P)" };
  if (proposed !== null) clash.append(" ", make("button", setting, `Set to ${shown(proposed)}`));
  const moving = { type: "button", "data-do": "fit", title: "Move it to where its score fits (M)" };
  clash.append(" ", make("button", moving, `Move to place ${place}`));
}

function showMissing(answers) {
  const missing = openQuestions(answers);
  const total = given.aspects.length * (paired ? 1 : cardById.size);
  const done = paired || given.aspects.length > 1 ? "answered" : "scored";
  const left = isWriting ? "Not ready yet" : `${total - missing.length} of ${total} ${done}`;
  byId("next").textContent = missing.length ? left : isWriting ? "Ready" : `All ${done}`;
  byId("next").classList.toggle("more", missing.length > 0);
  const lacks = (answer) =>
    missing.some(({ card, aspect }) => aspect === answer.dataset.aspect && card === (cardOf(answer) ?? ""));
  for (const answer of outputs.querySelectorAll(".lacking")) answer.classList.toggle("lacking", lacks(answer));
  if (byId("problem").dataset.about === "missing") explainMissing(missing);
}

function explainMissing(missing) {
  const cards = [...new Set(missing.map(({ card }) => card))];
  const jump = (card) => {
    const attributes = { type: "button", "data-jump": card, "aria-label": `Go to ${letterOf(card)}` };
    return make("button", attributes, letterOf(card));
  };
  if (!cards.length) return byId("problem").replaceChildren();
  if (isWriting) explainText();
  else if (paired) explain("Please choose one of the two, or no difference.");
  else {
    const lack = `${cards.length === 1 ? "lacks" : "lack"} ${given.aspects.length > 1 ? "an answer" : "a score"}`;
    explain(`${plural(cards.length, "output")} still ${lack}:`, ...cards.map(jump));
  }
  byId("problem").dataset.about = "missing";
}

function showWhatIsPossible() {
  const closed = known.finished || stopped;
  const waits = delivery().waiting > 0;
  page.dataset.state = closed ? "finished" : "open";
  byId("finished").hidden = !known.finished || stopped;
  const controls = page.querySelectorAll("#outputs :is(input, button, select, textarea), #comment, #finish");
  for (const control of controls) control.disabled = closed;
  byId("undo").disabled = closed || !(state.past.length || (known.can_undo && !waits));
  byId("redo").disabled = closed || !(state.future.length || (known.can_redo && !waits));
}

const SOON = 800; // milliseconds; what is saved by then is not worth an announcement
let announcement = 0;

function showDelivery() {
  const { status, waiting, kept } = delivery();
  const offline = `Offline: ${plural(waiting, "change")} ${kept ? "kept here" : "only on this page; leave it open"}`;
  const text = { stopped: "Not connected", saved: "Saved", saving: "Saving …", offline }[status];
  const announce = () => {
    byId("saved").dataset.status = status;
    if (byId("saved").textContent !== text) byId("saved").textContent = text;
  };
  clearTimeout(announcement);
  if (status === "saving") announcement = setTimeout(announce, SOON);
  else announce();
}

/* ---- going from card to card ---- */

const cardsInOrder = () => [...outputs.querySelectorAll(".card")].map((node) => node.dataset.card);

function goTo(card) {
  const node = card ? nodeOf(card) : outputs.querySelector("#written, .prefer input");
  node.scrollIntoView({ block: "nearest" });
  node.focus({ preventScroll: true });
}

/** Up or down by one. */
function goBy(card, way) {
  const order = cardsInOrder();
  const next = order[order.indexOf(card) + way];
  if (next) goTo(next);
}

/** To the first output without an answer after `card`, or from the top; after the last one, to the way out. */
function goToMissing(card) {
  const missing = openQuestions(state.answers);
  if (!missing.length) return byId("finish").focus();
  const order = cardsInOrder();
  const next = missing.find((one) => order.indexOf(one.card) > order.indexOf(card)) ?? missing[0];
  goTo(next.card);
  if (given.aspects.length > 1) showLacking(next);
}

function showLacking({ card, aspect }) {
  const answers = [...(card ? nodeOf(card) : outputs).querySelectorAll(".answer")];
  answers.find(({ dataset }) => dataset.aspect === aspect)?.classList.add("lacking");
}

// The buttons of a card are tab stops only while one is at it: thirty cards would have two hundred.
outputs.addEventListener("focusin", ({ target }) => {
  const card = target.closest(".card");
  if (!card) return;
  for (const old of outputs.querySelectorAll(".current")) if (old !== card) old.classList.remove("current");
  card.classList.add("current");
  for (const tool of outputs.querySelectorAll(".tools > *")) tool.tabIndex = card.contains(tool) ? 0 : -1;
});

/* ---- buttons ---- */

const onCard = {
  up: (card) => moveBy(card, -1),
  down: (card) => moveBy(card, 1),
  edits: (card) => openEdits(card),
  more: (card, button) => count(button.closest(".answer"), 1),
  less: (card, button) => count(button.closest(".answer"), -1),
  sort: (card, button) => sortGroup(button.closest(".group").dataset.group),
  fit(card) {
    nodeOf(card).focus(); // the button goes
    moveToFit(card);
  },
  propose(card, button) {
    nodeOf(card).focus();
    giveScore(nodeOf(card).querySelector(".answer"), Number(button.dataset.score));
  },
};

outputs.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-do]");
  if (button) onCard[button.dataset.do](cardOf(button), button);
});
byId("problem").addEventListener("click", ({ target }) => target.dataset.jump && goTo(target.dataset.jump));
byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
byId("next").addEventListener("click", () => goToMissing(outputs.querySelector(".current")?.dataset.card));
byId("finish").addEventListener("click", () => finish());
byId("reopen").addEventListener("click", () => act({ kind: "reopen" }));
byId("help-open").addEventListener("click", () => byId("help").showModal());
changeView();

function undo() {
  takeWriting();
  takeDrafts();
  if (byId("undo").disabled) return say("There is nothing to undo.");
  act({ kind: "undo" });
  say("Undone.");
}

function redo() {
  if (byId("redo").disabled) return say("There is nothing to redo.");
  act({ kind: "redo" });
  say("Done again.");
}

/* ---- keys: letters and digits only on a card, so that nobody's speech or stray finger sets them off ---- */

/** Answers with a digit: types it into the number field, or chooses among the buttons of the next open question. */
function digit(card, key) {
  const answers = [...nodeOf(card).querySelectorAll(".answer")];
  const isOpen = ({ dataset }) => scoreOf(state.answers, card, dataset.aspect) === undefined;
  const answer = answers.find(isOpen) ?? answers[0];
  if (answer.querySelector(".number")) return typeInto(answer, key);
  const choices = [...answer.querySelectorAll("input")];
  const byValue = choices.every(({ value }) => value >= 0 && value <= 9);
  const choice = byValue ? choices.find(({ value }) => value === key) : choices[Number(key) - 1];
  if (!choice) return;
  giveScore(answer, Number(choice.value));
  say(`${answer.dataset.aspect}: ${choice.closest("label").textContent.trim()}`);
  if (!answers.some(isOpen) && openQuestions(state.answers).length) goToMissing(card);
}

function choosePreference(key) {
  const sets = [...outputs.querySelectorAll(".prefer")];
  const set = sets.find(({ dataset }) => !(dataset.aspect in state.answers.preferences)) ?? sets.at(-1);
  const radio = set.querySelectorAll("input")[{ 1: 0, 0: 1, 2: 2 }[key]];
  act({ kind: "prefer", aspect: set.dataset.aspect, card: radio.value || null });
  say(radio.closest("label").querySelector(".score").textContent);
}

const letters = {
  n: goToMissing,
  "?": () => byId("help").showModal(),
  ...(given.edits && { e: openEdits }),
  ...(ranked && {
    j: (card) => moveBy(card, 1),
    k: (card) => moveBy(card, -1),
    g: (card, { shiftKey }) => nextGroup(card, shiftKey ? -1 : 1),
    s: (card) => sortGroup(groupOf(state.answers, card)),
    m: (card) => nodeOf(card).querySelector("[data-do=fit]")?.click(),
    p: (card) => nodeOf(card).querySelector("[data-do=propose]")?.click(),
  }),
};

/** A key on a card; false if it is none of ours. */
function cardKey(card, event) {
  const { key, target, altKey } = event;
  const upOrDown = { ArrowUp: -1, ArrowDown: 1 }[key];
  const leftOrRight = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const isBusy = target.type === "range" || target.type === "radio"; // has its own use for arrows
  if (altKey) return ranked && upOrDown ? moveBy(card, upOrDown) : false;
  if (upOrDown && !isBusy) return goBy(card, upOrDown);
  if (leftOrRight && !isBusy && given.edits) return stepThroughEdits(card, leftOrRight);
  if (key === "Escape") return nodeOf(card).focus();
  if (paired && "012".includes(key)) return choosePreference(key);
  if (!paired && /^\d$/.test(key)) return digit(card, key);
  return letters[key.toLowerCase()]?.(card, event) ?? key.toLowerCase() in letters;
}

/** A key in a number field; false if it is none of ours. */
function fieldKey(card, { key, target, altKey }) {
  const answer = target.closest(".answer");
  const upOrDown = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (key === "Enter") return takeNumber(answer) ? goToMissing(card) : undefined;
  if (key === "Escape") return cancelDraft(answer), nodeOf(card).focus();
  if (!upOrDown || !takeNumber(answer)) return false;
  return altKey && ranked ? moveBy(card, upOrDown) : goBy(card, upOrDown);
}

outputs.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const card = cardOf(target) ?? (target.closest(".prefer") ? given.cards[0].id : undefined);
  if (!card || event.ctrlKey || event.metaKey || known.finished || stopped) return;
  if (target.matches("select") || (target.matches("button") && (key === "Enter" || key === " "))) return;
  const ours = target.matches(".number") ? fieldKey(card, event) : cardKey(card, event);
  if (ours !== false) event.preventDefault();
});

addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const isTyping = event.target.matches("textarea") || isDraft(event.target.closest?.(".answer"));
  if (key === "enter") finish();
  else if (isTyping) return; // the field has an undo of its own
  else if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || key === "z") redo();
  else return;
  event.preventDefault();
});

/* ---- comment ---- */

let commentTimer = 0;

function takeComment() {
  if (byId("comment").value !== state.answers.comment) act({ kind: "comment", text: byId("comment").value });
}

byId("comment").addEventListener("change", takeComment);
byId("comment").addEventListener("input", () => {
  clearTimeout(commentTimer);
  commentTimer = setTimeout(takeComment, 1500);
});

/* ---- finishing ---- */

function finish(confirmed = false) {
  if (known.finished || stopped || isFinishing() || !takeDrafts()) return;
  takeWriting();
  takeComment();
  const missing = openQuestions(state.answers);
  if (missing.length) {
    explainMissing(missing);
    goTo(missing[0].card);
    return showLacking(missing[0]);
  }
  const against = contradictionsIn(state.answers);
  if (against.length && !confirmed && given.contradictions !== "allow") return askAbout(against);
  act({ kind: "finish", confirmed: against.length > 0 });
}

function askAbout(contradictions) {
  const dialog = byId("confirm");
  const withScore = (card) => `${letterOf(card)} (${shown(scoreOf(state.answers, card))})`;
  const sentence = ({ upper, lower }) =>
    `${withScore(lower)} is scored higher than ${withScore(upper)}, but stands below it.`;
  byId("confirm-list").replaceChildren(...contradictions.map((pair) => make("li", {}, sentence(pair))));
  dialog.returnValue = "";
  dialog.onclose = () => (dialog.returnValue === "finish" ? finish(true) : goTo(contradictions[0].lower));
  dialog.showModal();
}

const GOING_ON = "plainwright-going-on"; // the next page starts at its first output

function goOn(next) {
  try {
    sessionStorage.setItem(GOING_ON, "yes");
  } catch {
    // Then it starts at its top.
  }
  location.assign(next ?? given.urls.work);
}

function startWhereOneGoesOn() {
  try {
    if (!sessionStorage.getItem(GOING_ON) || known.finished) return;
    sessionStorage.removeItem(GOING_ON);
    (isWriting ? byId("written") : nodeOf(cardsInOrder()[0])).focus({ preventScroll: true });
  } catch {
    // At the top, then.
  }
}

/* ---- coming and going ---- */

function comeOrGo() {
  const isVisible = document.visibilityState === "visible";
  if (!isVisible) {
    takeWriting();
    takeDrafts();
    takeComment();
  }
  if (!known.finished) act({ kind: isVisible ? "show" : "hide" });
  if (!isVisible) send();
}

/** Nothing that has the focus may lie under what sticks to the edges of the window. */
function keepClear() {
  const root = document.documentElement.style;
  root.setProperty("scroll-padding-top", `${byId("source").offsetHeight + 8}px`);
  root.setProperty("scroll-padding-bottom", `${page.querySelector(".bar").offsetHeight + 8}px`);
}

for (const sticky of [byId("source"), page.querySelector(".bar")]) new ResizeObserver(keepClear).observe(sticky);
document.addEventListener("visibilitychange", comeOrGo);
listen({ changed: show, finished: goOn });
show();
pickUp();
if (document.visibilityState === "visible") comeOrGo();
startWhereOneGoesOn();
page.dataset.ready = "";
