// The page on which raters rank, score and mark outputs.
//
// The server has drawn it. Here, everything a rater does becomes an event: it changes the answers on the page at once,
// goes into the outbox, which survives a reload, and from there to the server, whose reply is the truth.
// Texts of a study reach the page only as text nodes.

const byId = (id) => document.getElementById(id);
const page = byId("task");
const given = JSON.parse(byId("task-data").textContent);
const outputs = byId("outputs");
const ranked = given.form === "rank";
const paired = given.form === "pairwise";
const cardById = new Map(given.cards.map((card) => [card.id, card]));
const aspectByName = new Map(given.aspects.map((aspect) => [aspect.name, aspect]));
const groupNames = { split: "Split", deletion: "Deletion", paraphrase: "Paraphrase", all: "All outputs" };
const nodeOf = (card) => byId(`card-${card}`);
const cardOf = (node) => node.closest?.(".card")?.dataset.card;
const letterOf = (card) => byId(`name-${card}`).lastChild.textContent;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* ---- small tools ---- */

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]));
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const shown = (score) => String(Math.round(score * 100) / 100);
const say = (text) => (byId("said").textContent = text);

/* ---- what events make of the answers, as the server does it ---- */

const withOut = (list, card) => list.filter((other) => other !== card);
const scoreOf = (answers, card, aspect = given.aspects[0].name) => answers.scores[card]?.[aspect];
const groupOf = (answers, card) => Object.keys(answers.groups).find((group) => answers.groups[group].includes(card));

const changes = {
  score(answers, { card, aspect, value }) {
    const { [aspect]: _, ...others } = answers.scores[card] ?? {};
    const { [card]: __, ...scores } = answers.scores;
    const scored = value === null ? others : { ...others, [aspect]: value };
    return { ...answers, scores: Object.keys(scored).length ? { ...scores, [card]: scored } : scores };
  },
  move(answers, { card, group, place }) {
    const groups = Object.fromEntries(Object.entries(answers.groups).map(([name, list]) => [name, withOut(list, card)]));
    groups[group].splice(place, 0, card);
    return { ...answers, groups };
  },
  sort(answers, { group }) {
    const score = (card) => scoreOf(answers, card) ?? -Infinity;
    const order = [...answers.groups[group]].sort((a, b) => (score(a) === score(b) ? 0 : score(b) - score(a)));
    return { ...answers, groups: { ...answers.groups, [group]: order } };
  },
  mark(answers, { card, edits }) {
    const { [card]: _, ...others } = answers.edits;
    return { ...answers, edits: same(edits, cardById.get(card).edits) ? others : { ...others, [card]: edits } };
  },
  prefer: (answers, { aspect, card }) => ({ ...answers, preferences: { ...answers.preferences, [aspect]: card } }),
  comment: (answers, { text }) => ({ ...answers, comment: text }),
};

const startFrom = (answers) => ({ answers, past: [], future: [] });

/** The state after an event. What lies before the page was loaded is undone by the server alone. */
function after(state, event) {
  const { answers, past, future } = state;
  if (event.kind === "undo" && past.length)
    return { answers: past.at(-1), past: past.slice(0, -1), future: [...future, answers] };
  if (event.kind === "redo" && future.length)
    return { answers: future.at(-1), past: [...past, answers], future: future.slice(0, -1) };
  if (!(event.kind in changes)) return state;
  const changed = changes[event.kind](answers, event);
  return same(changed, answers) ? state : { answers: changed, past: [...past, answers], future: [] };
}

function missingIn(answers) {
  const lacks = (card, known) => given.aspects.filter(({ name }) => !(name in known)).map(({ name }) => ({ card, aspect: name }));
  if (paired) return lacks("", answers.preferences);
  return Object.values(answers.groups).flat().flatMap((card) => lacks(card, answers.scores[card] ?? {}));
}

/** Neighbours with a score, of which the lower one has the higher score. */
function contradictionsIn(answers) {
  if (!ranked) return [];
  return Object.values(answers.groups).flatMap((group) => {
    const scored = group.filter((card) => scoreOf(answers, card) !== undefined);
    return scored.slice(1).flatMap((lower, index) =>
      scoreOf(answers, scored[index]) < scoreOf(answers, lower) ? [{ upper: scored[index], lower }] : []);
  });
}

/** A score that fits the place of a card: halfway between its neighbours; none if these contradict each other. */
function proposedScore(answers, card) {
  const { low, high, step } = given.aspects[0];
  const group = answers.groups[groupOf(answers, card)];
  const place = group.indexOf(card);
  const scores = (cards) => cards.map((other) => scoreOf(answers, other)).filter((score) => score !== undefined);
  const above = scores(group.slice(0, place)).at(-1) ?? high;
  const below = scores(group.slice(place + 1))[0] ?? low;
  if (below > above) return null;
  const middle = (below + above) / 2;
  const onStep = low + (step ?? 1) * Math.round((middle - low) / (step ?? 1));
  if (below <= onStep && onStep <= above) return onStep;
  return step ? below : middle;
}

/* ---- the outbox: what was done and is not yet acknowledged ---- */

const SHELF = "plainwright-rate/"; // in localStorage, then the assignment, then the tab
const FORGET = 30 * 24 * 3600 * 1000; // milliseconds after which what nobody wanted is thrown away
const PATIENCE = 20_000; // milliseconds until a request counts as lost
const BATCH = 50;

const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const shelf = `${SHELF}${given.assignment}/${randomKey()}`;
const tabs = new BroadcastChannel(SHELF + given.assignment);
let csrf = document.querySelector("meta[name=csrf-token]").content;

let known = given.work; // as the server last said
let settled = startFrom(known.answers); // the answers as far as they are acknowledged
let state = settled; // with what is in the outbox
const outbox = { events: [], sending: 0, busy: false, failures: 0, single: false, timer: 0, stopped: "" };

const isContent = ({ event }) => event.kind !== "show" && event.kind !== "hide";

function remember() {
  try {
    if (!outbox.events.length) return localStorage.removeItem(shelf);
    const { events, sending } = outbox;
    const kept = { url: given.urls.events, base: known.version, answers: known.answers, events, sending, at: Date.now() };
    localStorage.setItem(shelf, JSON.stringify(kept));
  } catch {
    // Without storage, or with a full one, the outbox lives as long as the page.
  }
}

/** What earlier pages of this browser could not send: [name on the shelf, what is kept there]. */
function leftBehind() {
  const found = [];
  try {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(SHELF) || name === shelf) continue;
      const kept = JSON.parse(localStorage.getItem(name));
      if (Date.now() - kept.at > FORGET) localStorage.removeItem(name);
      else found.push([name, kept]);
    }
  } catch {
    // Nothing readable is nothing left behind.
  }
  return found;
}

/** Does something: at once on this page, soon on the server. */
function act(event) {
  if (outbox.stopped) return;
  const next = after(state, event);
  if (event.kind in changes && next === state) return;
  state = next;
  outbox.events.push({ key: randomKey(), at: Date.now(), event });
  remember();
  show();
  if (!outbox.failures) wait(event.kind === "show" ? 0 : 120);
}

function wait(milliseconds) {
  clearTimeout(outbox.timer);
  outbox.timer = setTimeout(send, milliseconds);
}

/** How many events go next: a finish goes alone, so that if it is refused, it takes nothing with it. */
function nextBatch() {
  if (outbox.single) return 1;
  const alone = outbox.events.findIndex(({ event }) => event.kind === "finish");
  return alone === 0 ? 1 : Math.min(alone < 0 ? BATCH : alone, BATCH, outbox.events.length);
}

async function post(url, base, events) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify({ base, events }),
    keepalive: true, // goes out even if the page is being left
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE),
  });
  return { status: response.status, body: await response.json() };
}

async function send() {
  if (outbox.busy || outbox.stopped || !outbox.events.length) return;
  clearTimeout(outbox.timer);
  outbox.busy = true;
  // Until it is answered, a batch is sent again exactly as it was.
  outbox.sending ||= nextBatch();
  remember();
  showSaved();
  try {
    const { status, body } = await post(given.urls.events, known.version, outbox.events.slice(0, outbox.sending));
    await answered(status, body);
    outbox.failures = 0;
  } catch {
    outbox.failures += 1;
  }
  outbox.busy = false;
  showSaved();
  if (outbox.failures) wait(Math.min(15_000, 500 * 2 ** outbox.failures) * (0.75 + Math.random() / 2));
  else if (outbox.events.length) wait(0);
}

async function answered(status, body) {
  if (status === 200) return accepted(body);
  if (status === 409 && body.reason === "stale") return overtaken();
  if (status === 403 && !outbox.renewed) {
    outbox.renewed = true; // the session is a new one; its token is on a fresh page
    return void (await fetchPage());
  }
  if (status >= 500 || status === 429) throw new Error(body.error);
  if ([400, 413, 415, 422].includes(status)) return refused(body.error);
  stop(body.error, status);
}

function accepted({ work, next }) {
  const finishing = outbox.events.slice(0, outbox.sending).some(({ event }) => event.kind === "finish");
  const expected = outbox.events.splice(0, outbox.sending).reduce((now, { event }) => after(now, event), settled);
  settled = same(expected.answers, work.answers) ? expected : startFrom(work.answers);
  settle(work);
  outbox.renewed = false;
  tabs.postMessage(work.version);
  if (finishing && work.finished) goOn(next);
}

/** Takes what the server says for granted, and adds what it does not know yet. */
function settle(work) {
  known = work;
  outbox.sending = 0;
  outbox.single &&= outbox.events.length > 0;
  state = outbox.events.reduce((now, { event }) => after(now, event), settled);
  remember();
  show();
}

/** A refused batch is sent event by event, to find the one that does not fit. */
function refused(reason) {
  if (outbox.sending > 1) {
    outbox.single = true;
    outbox.sending = 1;
    return;
  }
  const [{ event }] = outbox.events.splice(0, 1);
  settle(known);
  if (event.kind !== "undo" && event.kind !== "redo") explain(`Not accepted: ${reason}.`);
}

/** Nothing more can be sent from this page. */
function stop(reason, status) {
  const left = outbox.events.filter(isContent).length;
  outbox.stopped = reason;
  const kept = left ? ` ${plural(left, "change")} of yours ${left === 1 ? "is" : "are"} kept in this browser.` : "";
  const way = status === 401 ? " Open your invitation link again to go on." : "";
  explain(`${reason[0].toUpperCase()}${reason.slice(1)}.${kept}${way}`, make("a", { href: given.urls.work }, "Go on"));
  show();
}

/** The present state of this page on the server, read from a fresh copy of it. */
async function fetchPage() {
  const response = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE), cache: "no-store" });
  if (response.status >= 500) throw new Error(response.statusText);
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  const data = fresh.getElementById("task-data");
  if (!data) return void stop("this page is not open to you any more", response.status);
  csrf = fresh.querySelector("meta[name=csrf-token]").content;
  return JSON.parse(data.textContent);
}

/** Another tab or device was faster: its state stands; of ours, what it did not touch is added. */
async function overtaken() {
  const fresh = await fetchPage();
  if (!fresh) return;
  const before = known.answers;
  const theirs = fresh.work.answers;
  const ours = outbox.events;
  outbox.events = ours.filter(({ event }) => stillApplies(event, before, theirs));
  const done = startFrom(theirs);
  const dropped = ours.filter((sent) => isContent(sent) && !outbox.events.includes(sent) && after(done, sent.event) !== done);
  settled = startFrom(theirs);
  settle(fresh.work);
  if (dropped.length) explain(`This page was changed in another tab or device. It is shown as it is now; ${plural(dropped.length, "change")} made here did not fit any more.`);
  else if (!same(before, theirs)) say("This page was changed in another tab or device, and is shown as it is now.");
}

function stillApplies(event, before, now) {
  const untouched = (read) => same(read(before), read(now));
  switch (event.kind) {
    case "show":
    case "hide":
      return true;
    case "score":
      return untouched((answers) => scoreOf(answers, event.card, event.aspect));
    case "mark":
      return untouched((answers) => answers.edits[event.card]);
    case "prefer":
      return untouched((answers) => answers.preferences[event.aspect]);
    case "comment":
      return untouched((answers) => answers.comment);
    case "move":
    case "sort":
      return untouched((answers) => answers.groups);
    default:
      return untouched((answers) => answers); // undo, redo, finish, reopen: said of all that was seen
  }
}

/** Looks whether the server knows more than this page does. */
async function refresh() {
  if (outbox.busy || outbox.events.length || outbox.stopped) return;
  try {
    const fresh = await fetchPage();
    if (!fresh || outbox.events.length || fresh.work.version <= known.version) return;
    if (!same(fresh.work.answers, known.answers)) {
      settled = startFrom(fresh.work.answers);
      say("This page was changed in another tab or device, and is shown as it is now.");
    }
    settle(fresh.work);
  } catch {
    // The next event finds out.
  }
}

/** Sends what was left behind: for this page through its own outbox, for others straight to where it belongs. */
function pickUp() {
  for (const [name, kept] of leftBehind()) {
    if (kept.url === given.urls.events) {
      outbox.sending = outbox.events.length ? 0 : kept.sending;
      outbox.events.push(...kept.events);
      known = { ...known, version: Math.min(known.version, kept.base), answers: kept.answers };
      localStorage.removeItem(name);
    } else {
      deliver(name, kept);
    }
  }
  remember();
}

async function deliver(name, { url, base, events, sending }) {
  try {
    const first = sending || Math.min(events.length, BATCH);
    const { status } = await post(url, base, events.slice(0, first));
    // Without a session, or as somebody else, it stays for whom it belongs to.
    if ([200, 400, 409, 422].includes(status)) localStorage.removeItem(name);
  } catch {
    // The next page tries again.
  }
}

/* ---- showing ---- */

function show() {
  const { answers } = state;
  if (ranked) showOrder(answers);
  for (const card of cardById.keys()) showCard(answers, card);
  for (const set of outputs.querySelectorAll(".prefer")) {
    const chosen = answers.preferences[set.dataset.aspect];
    for (const radio of set.querySelectorAll("input")) radio.checked = chosen !== undefined && radio.value === (chosen ?? "");
  }
  if (document.activeElement !== byId("comment")) byId("comment").value = answers.comment;
  showContradictions(answers);
  showMissing(answers);
  const closed = known.finished || Boolean(outbox.stopped);
  page.dataset.state = closed ? "finished" : "open";
  byId("finished").hidden = !known.finished;
  for (const control of page.querySelectorAll("#outputs :is(input, button, select), #comment, #finish")) control.disabled = closed;
  byId("undo").disabled = closed || !(state.past.length || (known.can_undo && !outbox.events.some(isContent)));
  byId("redo").disabled = closed || !(state.future.length || (known.can_redo && !outbox.events.some(isContent)));
  showSaved();
}

function showSaved() {
  const left = outbox.events.filter(isContent).length;
  const status = outbox.stopped ? "stopped" : !left ? "saved" : outbox.failures ? "offline" : "saving";
  byId("saved").dataset.status = status;
  const text = { stopped: "Not connected", saved: "Saved", saving: "Saving …", offline: `Offline: ${plural(left, "change")} kept here` }[status];
  // What takes a moment only is not worth an announcement.
  clearTimeout(showSaved.timer);
  if (status === "saving") showSaved.timer = setTimeout(() => (byId("saved").textContent = text), 800);
  else if (byId("saved").textContent !== text) byId("saved").textContent = text;
}

function showOrder(answers) {
  const focused = document.activeElement;
  const before = calm.matches ? null : new Map([...cardById.keys()].map((card) => [card, nodeOf(card).offsetTop]));
  let moved = false;
  for (const section of outputs.querySelectorAll(".group")) {
    const { group } = section.dataset;
    const list = section.querySelector(".cards");
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
  }
  if (!moved) return;
  if (focused !== document.activeElement && outputs.contains(focused)) focused.focus({ preventScroll: true });
  for (const [card, top] of before ?? []) {
    const way = top - nodeOf(card).offsetTop;
    if (way) nodeOf(card).animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: 140, easing: "ease-out" });
  }
}

function showCard(answers, card) {
  const node = nodeOf(card);
  for (const answer of node.querySelectorAll(".answer")) showAnswer(answer, scoreOf(answers, card, answer.dataset.aspect));
  showText(card, answers.edits[card] ?? cardById.get(card).edits);
}

function showAnswer(answer, score) {
  if (drafts.has(answer)) return; // being typed
  for (const radio of answer.querySelectorAll("input[type=radio]")) radio.checked = score !== undefined && Number(radio.value) === score;
  const number = answer.querySelector(".number");
  if (number && number.value !== (score === undefined ? "" : shown(score))) number.value = score === undefined ? "" : shown(score);
  const range = answer.querySelector("input[type=range]");
  if (range) showRange(range, score);
  answer.classList.toggle("answered", score !== undefined);
}

function showRange(range, score) {
  range.classList.toggle("unset", score === undefined);
  range.setAttribute("aria-valuetext", score === undefined ? "not scored yet" : shown(score));
  range.value = score ?? (Number(range.min) + Number(range.max)) / 2;
  range.style.setProperty("--share", (range.value - range.min) / (range.max - range.min));
}

function showContradictions(answers) {
  if (!ranked) return;
  const found = contradictionsIn(answers);
  for (const card of cardById.keys()) {
    const below = found.find((pair) => pair.upper === card);
    const above = found.find((pair) => pair.lower === card);
    const node = nodeOf(card);
    const notice = node.querySelector(".clash");
    const text = above ? `Scored higher than ${letterOf(above.upper)} above` : below ? `Scored lower than ${letterOf(below.lower)} below` : "";
    const proposed = text ? proposedScore(answers, card) : null;
    const told = `${text}|${proposed}`;
    if (notice.dataset.told === told) continue;
    notice.dataset.told = told;
    notice.hidden = !text;
    node.classList.toggle("contradicts", Boolean(text));
    notice.replaceChildren(text);
    if (proposed !== null && text) notice.append(" ", make("button", { type: "button", "data-do": "propose", "data-score": proposed, title: "Set the proposed score (P)" }, `Set to ${shown(proposed)}`));
  }
  for (const section of outputs.querySelectorAll(".group")) {
    const wrong = found.some(({ upper }) => groupOf(answers, upper) === section.dataset.group);
    section.querySelector("[data-do=sort]").classList.toggle("wanted", wrong);
  }
}

function showMissing(answers) {
  const missing = missingIn(answers);
  const total = paired ? given.aspects.length : cardById.size * given.aspects.length;
  const noun = paired || given.aspects.length > 1 ? "answered" : "scored";
  byId("next").textContent = missing.length ? `${total - missing.length} of ${total} ${noun}` : `All ${noun}`;
  byId("next").classList.toggle("more", missing.length > 0);
  for (const answer of outputs.querySelectorAll(".answer.lacking")) {
    if (!missing.some(({ card, aspect }) => aspect === answer.dataset.aspect && card === (cardOf(answer) ?? ""))) answer.classList.remove("lacking");
  }
  if (byId("problem").dataset.about === "missing") explainMissing(missing);
}

/** A sentence above the buttons, read out at once. */
function explain(text, ...more) {
  const close = make("button", { type: "button", "aria-label": "Close this message", class: "close" }, "×");
  close.addEventListener("click", () => byId("problem").replaceChildren());
  byId("problem").dataset.about = "";
  byId("problem").replaceChildren(make("p", {}, text, " ", ...more), close);
}

function explainMissing(missing) {
  const cards = [...new Set(missing.map(({ card }) => card))];
  if (!cards.length) return byId("problem").replaceChildren();
  if (paired) return explain("Please choose one of the two, or no difference.");
  const jumps = cards.map((card) => make("button", { type: "button", "data-jump": card, "aria-label": `Go to ${letterOf(card)}` }, letterOf(card)));
  explain(`${plural(cards.length, "output")} still ${cards.length === 1 ? "lacks" : "lack"} ${given.aspects.length > 1 ? "an answer" : "a score"}:`, ...jumps);
  byId("problem").dataset.about = "missing";
}

/* ---- texts and their edits ---- */

// Places of edits are counted in code points, as the server counts; strings of this language are not.
const sourcePoints = [...given.source.text];
const removed = (edit) => sourcePoints.slice(edit.source_start, edit.source_end).join("");

function editNode(edit, text) {
  const hidden = (words) => make("span", { class: "said" }, words);
  const sign = (mark) => make("span", { class: "sign", "aria-hidden": "true" }, mark);
  const places = { tabindex: -1, "data-from": edit.source_start, "data-to": edit.source_end };
  if (edit.kind === "deletion")
    return make("span", { class: "edit deletion", ...places }, sign("^"), hidden(" [deleted: "), make("span", { class: "gone" }, removed(edit)), hidden("] "));
  if (edit.kind === "split") return make("span", { class: "edit split", ...places }, sign("||"), hidden(" [split] "));
  return make("b", { class: "edit paraphrase", ...places }, hidden("[changed: "), text, hidden("]"));
}

const drawn = new Map(); // which edits a text shows

function showText(card, edits) {
  if (drawn.get(card) === edits || !given.edits) return;
  drawn.set(card, edits);
  const points = [...cardById.get(card).text];
  const nodes = [];
  let at = 0;
  for (const edit of edits) {
    nodes.push(points.slice(at, edit.start).join(""), editNode(edit, points.slice(edit.start, edit.end).join("")));
    at = edit.end;
  }
  byId(`text-${card}`).replaceChildren(...nodes, points.slice(at).join(""));
}

/** Says what an edit did, in a small box beside it, and shows in the original where it was. */
function explainEdit(node) {
  const tip = byId("tip");
  CSS.highlights?.delete("origin");
  const [from, to] = node ? [Number(node.dataset.from), Number(node.dataset.to)] : [0, 0];
  const words = sourcePoints.slice(from, to).join("");
  const text = !node || !page.contains(node) ? "" : node.matches(".split") ? "split" : words && (node.matches(".deletion") ? `deleted: ${words}` : `instead of: ${words}`);
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const box = node.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${box.bottom + 6 + tip.offsetHeight > innerHeight ? box.top - tip.offsetHeight - 6 : box.bottom + 6}px`;
  if (!words || !window.Highlight) return;
  const range = new Range();
  const offset = (point) => sourcePoints.slice(0, point).join("").length;
  range.setStart(byId("source-text").firstChild, offset(from));
  range.setEnd(byId("source-text").firstChild, offset(to));
  CSS.highlights.set("origin", new Highlight(range));
}

for (const name of ["pointerover", "focusin", "click"])
  outputs.addEventListener(name, ({ target }) => {
    const edit = target.closest(".edit");
    if (edit || name !== "click") explainEdit(edit);
  });
addEventListener("scroll", () => explainEdit(null), { passive: true });
outputs.addEventListener("pointerleave", () => explainEdit(null));

/** From one marked edit of a card to the next, by key. */
function stepThroughEdits(card, way) {
  const edits = [...nodeOf(card).querySelectorAll(".edit")];
  if (!edits.length) return say("No edits are marked here.");
  const now = edits.indexOf(document.activeElement);
  const next = now + way;
  if (next < 0 || next >= edits.length) nodeOf(card).focus();
  else (now < 0 && way < 0 ? edits.at(-1) : edits[next]).focus();
}

/* ---- correcting edits ---- */

const corrected = { card: "", edits: [], place: null };

function openEdits(card) {
  const edits = state.answers.edits[card] ?? cardById.get(card).edits;
  Object.assign(corrected, { card, edits: edits.map((edit) => ({ ...edit })), place: null });
  byId("edits-letter").textContent = letterOf(card);
  drawEdits();
  byId("edits").returnValue = "";
  byId("edits").showModal();
  byId("edits-places").querySelector("[tabindex='0']")?.focus();
}

/** The places that can be marked: words, and the gaps between them. */
function placesOf({ text, words }) {
  const points = [...text];
  const gap = (from, to) => ({ gap: true, start: from, end: to });
  const places = words.flatMap(([start, end], index) => {
    const before = gap(index ? words[index - 1][1] : 0, start);
    const apart = !index || before.start < before.end || editsAt(before).length;
    return [...(apart ? [before] : []), { gap: false, start, end }];
  });
  return [...places, gap(words.at(-1)?.[1] ?? 0, points.length)];
}

function editsAt({ gap, start, end }) {
  return corrected.edits.filter((edit) =>
    gap ? edit.kind !== "paraphrase" && edit.start >= start && edit.start <= end : edit.kind === "paraphrase" && edit.start < end && edit.end > start);
}

function drawEdits() {
  const card = cardById.get(corrected.card);
  const points = [...card.text];
  const places = placesOf(card);
  const now = Math.max(0, places.findIndex((place) => same(place, corrected.place)));
  byId("edits-places").replaceChildren(...places.map((place, index) => {
    const marks = editsAt(place).map(({ kind }) => kind);
    const word = points.slice(place.start, place.end).join("");
    const sign = marks.map((kind) => (kind === "split" ? "||" : "^")).join(" ");
    const button = make("button", {
      type: "button",
      class: place.gap ? "gap" : "word",
      tabindex: index === now ? 0 : -1,
      "aria-pressed": marks.length > 0,
      "aria-label": place.gap ? ["gap", ...marks].join(", ") : word,
    }, place.gap ? sign || "\u00b7" : word);
    button.place = place;
    return button;
  }));
  drawOrigin();
}

/** Which words of the original the marked place stands for. */
function drawOrigin() {
  const edit = corrected.place && editsAt(corrected.place).find(({ kind }) => kind !== "split");
  byId("edits-origin").classList.toggle("idle", !edit);
  byId("edits-origin-how").textContent = edit ? `Tap the first and the last word that ${edit.kind === "deletion" ? "went here" : "stood for this"}.` : "Choose a marked place above to see or change them.";
  const nodes = given.source.words.map(([start, end]) => {
    const inside = Boolean(edit) && start < edit.source_end && end > edit.source_start;
    const button = make("button", { type: "button", class: "word", "aria-pressed": inside }, sourcePoints.slice(start, end).join(""));
    button.disabled = !edit;
    button.addEventListener("click", () => {
      const alone = inside || edit.source_end <= edit.source_start;
      edit.source_start = alone ? start : Math.min(start, edit.source_start);
      edit.source_end = alone ? end : Math.max(end, edit.source_end);
      const place = [...byId("edits-words").children].indexOf(button);
      drawOrigin();
      byId("edits-words").children[place].focus();
    });
    return button;
  });
  byId("edits-words").replaceChildren(...nodes);
}

function markPlace(place, kind) {
  corrected.place = place;
  if (place.gap) markGap(place, kind);
  else markWord(place);
  drawEdits();
  byId("edits-places").querySelector("[tabindex='0']").focus();
}

function markGap(place, kind) {
  const old = editsAt(place).find((edit) => edit.kind === kind);
  if (old) corrected.edits.splice(corrected.edits.indexOf(old), 1);
  else {
    cutOut(place.start, place.start);
    corrected.edits.push({ kind, start: place.start, end: place.start, source_start: 0, source_end: 0 });
  }
}

function markWord({ start, end, gap }) {
  if (editsAt({ start, end, gap }).length) return cutOut(start, end);
  // Neighbouring words become one paraphrase, unless something is marked between them.
  const { words } = cardById.get(corrected.card);
  const index = words.findIndex(([first]) => first === start);
  const before = index > 0 && { gap: true, start: words[index - 1][1], end: start };
  const behind = index + 1 < words.length && { gap: true, start: end, end: words[index + 1][0] };
  const joined = (between, touches) => between && !editsAt(between).length && corrected.edits.find((edit) => edit.kind === "paraphrase" && touches(edit));
  const left = joined(before, (edit) => edit.end === before.start);
  const right = joined(behind, (edit) => edit.start === behind.end);
  if (left) left.end = end;
  else if (right) right.start = start;
  else corrected.edits.push({ kind: "paraphrase", start, end, source_start: 0, source_end: 0 });
}

/** Takes what lies between two places out of the paraphrases that reach over it. */
function cutOut(from, to) {
  const { words } = cardById.get(corrected.card);
  corrected.edits = corrected.edits.flatMap((edit) => {
    const reaches = edit.kind === "paraphrase" && (from === to ? edit.start < from && edit.end > from : edit.start < to && edit.end > from);
    if (!reaches) return [edit];
    const inside = words.filter(([start, end]) => start >= edit.start && end <= edit.end);
    const left = inside.filter(([, end]) => end <= from).at(-1);
    const right = inside.find(([start]) => start >= to);
    return [...(left ? [{ ...edit, end: left[1] }] : []), ...(right ? [{ ...edit, start: right[0] }] : [])];
  });
}

function saveEdits() {
  const order = (a, b) => a.start - b.start || a.end - b.end || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0) || a.source_start - b.source_start;
  act({ kind: "mark", card: corrected.card, edits: corrected.edits.sort(order) });
}

if (given.edits) {
  const places = byId("edits-places");
  const tool = () => document.querySelector("input[name=gap-tool]:checked").value;
  places.addEventListener("click", ({ target }) => target.place && markPlace(target.place, tool()));
  places.addEventListener("focusin", ({ target }) => {
    if (!target.place || same(target.place, corrected.place)) return;
    corrected.place = target.place;
    for (const button of places.querySelectorAll("button")) button.tabIndex = button === target ? 0 : -1;
    drawOrigin();
  });
  places.addEventListener("keydown", (event) => {
    const buttons = [...places.querySelectorAll("button")];
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const kind = { d: "deletion", s: "split" }[event.key.toLowerCase()];
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.place) return;
    if (way) buttons[buttons.indexOf(event.target) + way]?.focus();
    else if (kind && event.target.place.gap) markPlace(event.target.place, kind);
    else return;
    event.preventDefault();
  });
  byId("edits-reset").addEventListener("click", () => {
    corrected.edits = cardById.get(corrected.card).edits.map((edit) => ({ ...edit }));
    drawEdits();
  });
  byId("edits").addEventListener("close", () => {
    if (byId("edits").returnValue === "save") saveEdits();
    nodeOf(corrected.card).focus();
  });
}

/* ---- scores ---- */

const drafts = new Map(); // answers that are being given: until they are, the page does not write over them

function scale(answer) {
  return aspectByName.get(answer.dataset.aspect);
}

function giveScore(answer, value) {
  clearTimeout(drafts.get(answer));
  drafts.delete(answer);
  act({ kind: "score", card: cardOf(answer), aspect: answer.dataset.aspect, value });
  showAnswer(answer, scoreOf(state.answers, cardOf(answer), answer.dataset.aspect));
}

/** Reads a number field: a score, null for an empty one, undefined for what is no score here. */
function readNumber(answer) {
  const { low, high, step } = scale(answer);
  const text = answer.querySelector(".number").value.trim().replace(",", ".").replace("−", "-");
  if (text === "") return null;
  const score = Number(text);
  const fits = score >= low && score <= high && (!step || Math.abs((score - low) / step - Math.round((score - low) / step)) < 1e-9);
  return fits ? score : undefined;
}

/** Takes over what stands in a number field; false if it is no score. */
function takeNumber(answer) {
  const score = readNumber(answer);
  const { low, high, step } = scale(answer);
  answer.querySelector(".number").toggleAttribute("aria-invalid", score === undefined);
  if (score === undefined) {
    explain(`${letterOf(cardOf(answer))}: expected ${step ? `a number in steps of ${step}` : "a number"} from ${low} to ${high}.`);
    return false;
  }
  giveScore(answer, score);
  return true;
}

const keepDraft = (answer, milliseconds = 0) => {
  clearTimeout(drafts.get(answer));
  drafts.set(answer, milliseconds ? setTimeout(() => takeDraft(answer), milliseconds) : 0);
};

function takeDraft(answer) {
  if (!drafts.has(answer)) return;
  if (readNumber(answer) === undefined) return void takeNumber(answer);
  giveScore(answer, readNumber(answer));
}

const takeDrafts = () => [...drafts.keys()].forEach(takeDraft);

outputs.addEventListener("input", ({ target }) => {
  const answer = target.closest(".answer");
  if (!answer || target.type === "radio") return;
  if (target.type === "range") {
    answer.querySelector(".number").value = shown(Number(target.value));
    showRange(target, Number(target.value));
    keepDraft(answer, 600); // one event for a whole slide, by pointer or by keys
  } else {
    keepDraft(answer);
  }
});

outputs.addEventListener("change", ({ target }) => {
  const answer = target.closest(".answer");
  if (target.matches(".prefer input")) act({ kind: "prefer", aspect: answer.dataset.aspect, card: target.value || null });
  else if (target.type === "radio") giveScore(answer, Number(target.value));
  else if (target.matches(".number")) takeNumber(answer);
  else if (target.dataset.do === "group") changeGroup(cardOf(target), target.value);
});

// A slider without a score stands in the middle, unseen; a tap right there changes nothing, but means something.
outputs.addEventListener("pointerup", ({ target }) => {
  if (target.type !== "range" || target.disabled) return;
  const answer = target.closest(".answer");
  answer.querySelector(".number").value = shown(Number(target.value));
  keepDraft(answer);
  takeDraft(answer);
});
outputs.addEventListener("focusout", ({ target }) => {
  const answer = target.closest(".answer");
  if (answer && target.type === "range") takeDraft(answer);
});

function step(answer, way) {
  const { low, high, step: size } = scale(answer);
  const now = scoreOf(state.answers, cardOf(answer), answer.dataset.aspect);
  giveScore(answer, Math.max(low, Math.min(high, (now ?? low) + way * size)));
}

/* ---- order and groups ---- */

function move(card, group, place) {
  act({ kind: "move", card, group, place });
  const node = nodeOf(card);
  node.scrollIntoView({ block: "nearest" });
  say(`${letterOf(card)} is now ${state.answers.groups[group].indexOf(card) + 1} of ${state.answers.groups[group].length} in ${groupNames[group]}.`);
}

/** One place up or down; from the edge of a group into the next one. */
function moveBy(card, way) {
  const names = Object.keys(state.answers.groups);
  const group = groupOf(state.answers, card);
  const list = state.answers.groups[group];
  const place = list.indexOf(card) + way;
  if (place >= 0 && place < list.length) return move(card, group, place);
  const other = names[names.indexOf(group) + way];
  if (!other) return say(`${letterOf(card)} is already at the ${way < 0 ? "top" : "bottom"}.`);
  move(card, other, way < 0 ? state.answers.groups[other].length : 0);
}

/** Into another group: to where the score fits, without a score to the end. */
function changeGroup(card, group) {
  const list = withOut(state.answers.groups[group], card);
  const score = scoreOf(state.answers, card);
  const lower = list.findIndex((other) => scoreOf(state.answers, other) < score);
  move(card, group, score === undefined || lower < 0 ? list.length : lower);
}

function nextGroup(card, way) {
  const names = Object.keys(state.answers.groups);
  const now = names.indexOf(groupOf(state.answers, card));
  if (names.length > 1) changeGroup(card, names[(now + way + names.length) % names.length]);
}

/* ---- dragging, by mouse, pen or finger ---- */

const EDGE = 70; // pixels from the edge of the window where it begins to scroll
const drag = { card: "", pointer: 0, x: 0, y: 0, top: 0, scrolled: 0, target: null };
const line = make("div", { class: "drop-line", "aria-hidden": "true" });

outputs.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest(".handle");
  if (!handle || event.button || known.finished || outbox.stopped || drag.card) return;
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  Object.assign(drag, { card: cardOf(handle), pointer: event.pointerId, y: event.clientY, top: event.clientY, scrolled: scrollY, target: null });
  nodeOf(drag.card).focus({ preventScroll: true });
});

outputs.addEventListener("pointermove", (event) => {
  if (event.pointerId !== drag.pointer || !drag.card) return;
  drag.y = event.clientY;
  if (!drag.target && Math.abs(drag.y - drag.top) < 5) return;
  if (!drag.target) requestAnimationFrame(scrollAlong);
  followPointer();
});

function followPointer() {
  const node = nodeOf(drag.card);
  node.classList.add("dragged");
  node.style.transform = `translateY(${drag.y - drag.top + scrollY - drag.scrolled}px)`;
  const sections = [...outputs.querySelectorAll(".group")];
  const section = sections.findLast((one) => one.getBoundingClientRect().top <= drag.y) ?? sections[0];
  const others = [...section.querySelectorAll(".card")].filter((card) => card !== node);
  const place = others.filter((card) => middle(card) < drag.y).length;
  drag.target = { group: section.dataset.group, place };
  section.append(line);
  const frame = section.getBoundingClientRect();
  const edge = others[place]?.getBoundingClientRect().top ?? others.at(-1)?.getBoundingClientRect().bottom ?? frame.bottom - 8;
  line.style.top = `${edge - frame.top}px`;
}

function middle(node) {
  const box = node.getBoundingClientRect();
  return (box.top + box.bottom) / 2;
}

function scrollAlong() {
  if (!drag.card || !drag.target) return;
  const ceiling = byId("source").getBoundingClientRect().bottom + EDGE;
  const floor = page.querySelector(".bar").getBoundingClientRect().top - EDGE;
  const way = drag.y < ceiling ? (drag.y - ceiling) / 6 : drag.y > floor ? (drag.y - floor) / 6 : 0;
  if (way) {
    scrollBy(0, Math.max(-18, Math.min(18, way)));
    followPointer();
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

/* ---- buttons and keys ---- */

const inOrder = () => [...outputs.querySelectorAll(".card")].map((node) => node.dataset.card);

function goTo(card, aspect) {
  const node = card ? nodeOf(card) : outputs.querySelector(".prefer");
  node.scrollIntoView({ block: "nearest" });
  (card ? node : node.querySelector("input")).focus();
  if (aspect) (card ? node : outputs).querySelector(`.answer[data-aspect="${CSS.escape(aspect)}"]`)?.classList.add("lacking");
}

/** To the first output without an answer after `card`, or from the top. */
function goToMissing(card) {
  const missing = missingIn(state.answers);
  if (!missing.length) return byId("finish").focus();
  const order = inOrder();
  const here = order.indexOf(card);
  const next = missing.find((one) => order.indexOf(one.card) > here) ?? missing[0];
  goTo(next.card, given.aspects.length > 1 ? next.aspect : undefined);
}

function stepTo(card, way) {
  const order = inOrder();
  const next = order[order.indexOf(card) + way];
  if (next) goTo(next);
}

const actions = {
  up: (card) => moveBy(card, -1),
  down: (card) => moveBy(card, 1),
  edits: openEdits,
  propose: (card, button) => {
    nodeOf(card).focus();
    giveScore(nodeOf(card).querySelector(".answer"), Number(button.dataset.score));
  },
  more: (card, button) => step(button.closest(".answer"), 1),
  less: (card, button) => step(button.closest(".answer"), -1),
  sort: (card, button) => sortGroup(button.closest(".group").dataset.group),
};

function sortGroup(group) {
  act({ kind: "sort", group });
  say(`${groupNames[group]} is sorted by score.`);
}

outputs.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-do]");
  if (button) actions[button.dataset.do](cardOf(button), button);
});

/** Answers with a digit: types it into the number field, or chooses among the buttons of the next open question. */
function digit(card, key) {
  const node = nodeOf(card);
  const answers = [...node.querySelectorAll(".answer")];
  const open = answers.find((answer) => scoreOf(state.answers, card, answer.dataset.aspect) === undefined) ?? answers[0];
  const field = open.querySelector(".number");
  if (field) {
    field.focus();
    field.value = key;
    return keepDraft(open);
  }
  const choices = [...open.querySelectorAll("input")];
  const direct = choices.every(({ value }) => value >= 0 && value <= 9);
  const choice = direct ? choices.find(({ value }) => value === key) : choices[Number(key) - 1];
  if (!choice) return;
  giveScore(open, Number(choice.value));
  say(`${open.dataset.aspect}: ${choice.closest("label").textContent.trim()}`);
  const next = missingIn(state.answers);
  if (next.length && !next.some((one) => one.card === card)) goToMissing(card);
}

function choosePreference(key) {
  const sets = [...outputs.querySelectorAll(".prefer")];
  const open = sets.find(({ dataset }) => !(dataset.aspect in state.answers.preferences)) ?? sets.at(-1);
  const radio = open.querySelectorAll("input")[{ 1: 0, 0: 1, 2: 2 }[key]];
  act({ kind: "prefer", aspect: open.dataset.aspect, card: radio.value || null });
  say(radio.closest("label").querySelector(".score").textContent);
}

/** Keys without Ctrl, on an output. True: it was one of ours. */
function cardKey(event, card) {
  const { key, target } = event;
  const letter = key.toLowerCase();
  const slides = target.type === "range" || target.type === "radio"; // have their own use for arrows
  const arrow = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (event.altKey) return ranked && arrow ? (moveBy(card, arrow), true) : false;
  if (arrow && !slides) return stepTo(card, arrow), true;
  if ((key === "ArrowRight" || key === "ArrowLeft") && !slides && given.edits) return stepThroughEdits(card, key === "ArrowRight" ? 1 : -1), true;
  if (key === "Escape" && target !== nodeOf(card)) return nodeOf(card).focus(), true;
  if (/^[0-9]$/.test(key)) return paired ? "012".includes(key) && (choosePreference(key), true) : (digit(card, key), true);
  if (letter === "n") return goToMissing(card), true;
  if (letter === "e" && given.edits) return openEdits(card), true;
  if (!ranked) return false;
  if (letter === "j" || letter === "k") return moveBy(card, letter === "j" ? 1 : -1), true;
  if (letter === "g") return nextGroup(card, event.shiftKey ? -1 : 1), true;
  if (letter === "s") return sortGroup(groupOf(state.answers, card)), true;
  if (letter === "p") return nodeOf(card).querySelector("[data-do=propose]")?.click(), true;
  return false;
}

/** Keys in a number field. */
function fieldKey({ key, target }) {
  const answer = target.closest(".answer");
  const card = cardOf(target);
  if (key === "Enter") {
    if (takeNumber(answer)) goToMissing(card);
    return true;
  }
  if (key === "Escape") {
    drafts.delete(answer);
    target.removeAttribute("aria-invalid");
    showAnswer(answer, scoreOf(state.answers, card, answer.dataset.aspect));
    return nodeOf(card).focus(), true;
  }
  if ((key === "ArrowUp" || key === "ArrowDown") && takeNumber(answer)) return stepTo(card, key === "ArrowUp" ? -1 : 1), true;
  return false;
}

outputs.addEventListener("keydown", (event) => {
  const card = cardOf(event.target) ?? (paired && event.target.closest(".prefer") ? given.cards[0].id : undefined);
  if (!card || event.ctrlKey || event.metaKey || known.finished || outbox.stopped) return;
  if (event.target.matches("select") || (event.target.matches("button") && (event.key === "Enter" || event.key === " "))) return;
  const ours = event.target.matches(".number") ? fieldKey(event) : event.key === "?" ? (byId("help").showModal(), true) : cardKey(event, card);
  if (ours) event.preventDefault();
});

addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const typing = event.target.matches("textarea") || drafts.has(event.target.closest?.(".answer"));
  if (key === "enter") finish();
  else if (typing) return; // the field has an undo of its own
  else if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || key === "z") redo();
  else return;
  event.preventDefault();
});

function undo() {
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

byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
byId("next").addEventListener("click", () => goToMissing(cardOf(page.querySelector(".card.current") ?? page)));
byId("finish").addEventListener("click", () => finish());
byId("help-open").addEventListener("click", () => byId("help").showModal());
byId("reopen").addEventListener("click", () => act({ kind: "reopen" }));
byId("problem").addEventListener("click", ({ target }) => target.dataset.jump && goTo(target.dataset.jump));

// The buttons of a card are tab stops only while one is at it: thirty cards would have two hundred.
outputs.addEventListener("focusin", ({ target }) => {
  const card = target.closest(".card");
  if (!card) return;
  for (const old of outputs.querySelectorAll(".card.current")) if (old !== card) old.classList.remove("current");
  card.classList.add("current");
  for (const tool of outputs.querySelectorAll(".tools > *")) tool.tabIndex = card.contains(tool) ? 0 : -1;
});

/** A choice of how the page looks, kept in this browser. */
function preferenceOfView(control, name, apply) {
  const stored = (() => {
    try {
      return localStorage.getItem(`plainwright-view/${name}`);
    } catch {
      return null;
    }
  })();
  if (stored !== null) apply(stored === "on");
  return (on) => {
    apply(on);
    try {
      localStorage.setItem(`plainwright-view/${name}`, on ? "on" : "off");
    } catch {
      // It holds for this page.
    }
  };
}

const setCompact = preferenceOfView(byId("compact"), "compact", (on) => {
  page.toggleAttribute("data-compact", on);
  byId("compact").setAttribute("aria-pressed", on);
});
byId("compact").setAttribute("aria-pressed", page.hasAttribute("data-compact"));
byId("compact").addEventListener("click", () => setCompact(!page.hasAttribute("data-compact")));
if (given.edits) {
  const setDeleted = preferenceOfView(byId("show-deleted"), "deleted", (on) => {
    page.toggleAttribute("data-deleted", on);
    byId("show-deleted").checked = on;
  });
  byId("show-deleted").addEventListener("change", ({ target }) => setDeleted(target.checked));
}

/* ---- comment ---- */

function takeComment() {
  if (byId("comment").value !== state.answers.comment) act({ kind: "comment", text: byId("comment").value });
}
byId("comment").addEventListener("change", takeComment);
byId("comment").addEventListener("input", () => {
  clearTimeout(takeComment.timer);
  takeComment.timer = setTimeout(takeComment, 1500);
});

/* ---- finishing ---- */

function finish(confirmed = false) {
  if (known.finished || outbox.stopped || outbox.events.some(({ event }) => event.kind === "finish")) return;
  takeDrafts();
  takeComment();
  if (drafts.size) return; // something is no score; that was said
  const missing = missingIn(state.answers);
  if (missing.length) {
    explainMissing(missing);
    return goTo(missing[0].card, missing[0].aspect);
  }
  const against = contradictionsIn(state.answers);
  if (against.length && !confirmed && given.contradictions !== "allow") return askAbout(against);
  act({ kind: "finish", confirmed: against.length > 0 });
}

function askAbout(contradictions) {
  const sentence = ({ upper, lower }) =>
    `${letterOf(lower)} (${shown(scoreOf(state.answers, lower))}) is scored higher than ${letterOf(upper)} (${shown(scoreOf(state.answers, upper))}), but stands below it.`;
  byId("confirm-list").replaceChildren(...contradictions.map((pair) => make("li", {}, sentence(pair))));
  byId("confirm").returnValue = "";
  byId("confirm").showModal();
  byId("confirm").onclose = () => {
    if (byId("confirm").returnValue === "finish") finish(true);
    else goTo(contradictions[0].lower);
  };
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

/* ---- coming and going ---- */

const inSight = (yes) => !known.finished && act({ kind: yes ? "show" : "hide" });

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") return inSight(true);
  takeDrafts();
  takeComment();
  inSight(false);
  send();
});
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  refresh(); // came back from the browser's memory
});
addEventListener("beforeunload", (event) => {
  takeDrafts();
  takeComment();
  if (outbox.events.some(isContent)) {
    send();
    event.preventDefault();
  }
});
addEventListener("online", () => wait(0));
tabs.addEventListener("message", ({ data }) => data > known.version && refresh());

/** Nothing that has the focus may lie under what sticks to the edges of the window. */
function keepClear() {
  const root = document.documentElement.style;
  root.setProperty("scroll-padding-top", `${byId("source").offsetHeight + 8}px`);
  root.setProperty("scroll-padding-bottom", `${page.querySelector(".bar").offsetHeight + 8}px`);
}
new ResizeObserver(keepClear).observe(byId("source"));
new ResizeObserver(keepClear).observe(page.querySelector(".bar"));

show();
pickUp();
if (!known.finished && document.visibilityState === "visible") inSight(true);
else if (outbox.events.length) wait(0);
try {
  if (sessionStorage.getItem(GOING_ON) && !known.finished) {
    sessionStorage.removeItem(GOING_ON);
    nodeOf(inOrder()[0]).focus({ preventScroll: true });
  }
} catch {
  // Starts at its top.
}
page.dataset.ready = "";
