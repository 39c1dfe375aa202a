// From the page to the server. Whatever a rater does changes the answers here at once and waits in the outbox until the
// server has acknowledged it; the outbox is also kept by the browser, so that a reload loses nothing. Each event has a
// key of its own: sent twice, it counts once.

import { after, isChange, startFrom, stillApplies, withoutUndone } from "./task_answers.js";
import { byId, explain, given, make, plural, same, say } from "./task_page.js";

const SHELF = "plainwright-rate/"; // in localStorage; then the assignment, then the tab
const FORGET = 30 * 24 * 3600 * 1000; // milliseconds after which what nobody took is thrown away
const PATIENCE = 20_000; // milliseconds until a request counts as lost
const PAUSE = 120; // milliseconds in which what belongs together gathers
const BATCH = 50; // events at once, and as many bytes as browsers still send for a page that is being left
const ROOM = 32 * 1024;

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const shelf = `${SHELF}${given.assignment}/${randomKey()}`;
const tabs = new BroadcastChannel(SHELF + given.assignment);
const outbox = { events: [], sending: 0, busy: false, failures: 0, single: false, renewed: false, timer: 0, kept: true };
let csrf = document.querySelector("meta[name=csrf-token]").content;
let settled = startFrom(given.work.answers); // the answers as far as they are acknowledged

export let known = given.work; // as the server last said
export let state = settled; // with what is in the outbox
export let stopped = false; // nothing more can be sent from this page

const listeners = { changed() {}, finished() {} };

/** `changed` is called after everything that may look different now, `finished` with the address of what comes next. */
export const listen = (callbacks) => Object.assign(listeners, callbacks);

const isContent = ({ event }) => event.kind !== "show" && event.kind !== "hide";
const unsent = () => outbox.events.filter(isContent).length;

/** "saved", "saving", "offline" or "stopped", how many changes wait, and whether the browser keeps them. */
export function delivery() {
  const waiting = unsent();
  const status = stopped ? "stopped" : !waiting ? "saved" : outbox.failures ? "offline" : "saving";
  return { waiting, status, kept: outbox.kept };
}

export const isFinishing = () => outbox.events.some(({ event }) => event.kind === "finish");

/** Does something: at once on this page, soon on the server. */
export function act(event) {
  if (stopped) return;
  const next = after(state, event);
  if (isChange(event) && next === state) return;
  state = next;
  outbox.events.push({ key: randomKey(), at: Date.now(), event });
  remember();
  listeners.changed();
  if (!outbox.failures) wait(PAUSE);
}

function wait(milliseconds) {
  clearTimeout(outbox.timer);
  outbox.timer = setTimeout(send, milliseconds);
}

/* ---- what the browser keeps ---- */

function remember() {
  const { events, sending } = outbox;
  const kept = { url: given.urls.events, base: known.version, answers: known.answers, events, sending, at: Date.now() };
  try {
    if (events.length) localStorage.setItem(shelf, JSON.stringify(kept));
    else localStorage.removeItem(shelf);
    outbox.kept = true;
  } catch {
    outbox.kept = false; // no storage, or a full one: the outbox lives as long as the page
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

/** Sends what was left behind: for this page through its own outbox, for others straight to where it belongs. */
export function pickUp() {
  for (const [name, kept] of leftBehind()) {
    if (kept.url !== given.urls.events) {
      deliver(name, kept);
      continue;
    }
    outbox.sending = outbox.events.length ? 0 : kept.sending;
    outbox.events.push(...kept.events);
    known = { ...known, version: Math.min(known.version, kept.base), answers: kept.answers };
    localStorage.removeItem(name);
  }
  remember();
  if (!outbox.events.length) return;
  state = withEvents(settled);
  listeners.changed();
  wait(0);
}

async function deliver(name, { url, base, events, sending }) {
  try {
    let rest = events;
    for (let count = sending || fitting(rest); rest.length; count = fitting(rest)) {
      const { status, body } = await post(url, base, rest.slice(0, count));
      if (status !== 200) break;
      rest = rest.slice(count);
      base = body.work.version;
    }
    // Answers that did not fit stay for when their own page is opened, which can sort it out.
    if (!rest.some(isContent)) localStorage.removeItem(name);
  } catch {
    // The next page tries again.
  }
}

/* ---- sending ---- */

const sizeOf = (data) => new TextEncoder().encode(JSON.stringify(data)).length;

/** How many of the first events go into one request: one at the least. */
function fitting(events) {
  let count = 0;
  for (let room = ROOM; count < Math.min(BATCH, events.length); count += 1) {
    room -= sizeOf(events[count]);
    if (room < 0) break;
  }
  return Math.max(1, count);
}

/** How many events go next: a finish goes alone, so that if it is refused, it takes nothing with it. */
function nextBatch() {
  if (outbox.single) return 1;
  const finish = outbox.events.findIndex(({ event }) => event.kind === "finish");
  return finish > 0 ? Math.min(finish, fitting(outbox.events)) : finish === 0 ? 1 : fitting(outbox.events);
}

async function post(url, base, events) {
  const data = { base, events };
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify(data),
    keepalive: sizeOf(data) < 2 * ROOM, // goes out even if the page is being left; browsers refuse it for more
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE),
  });
  return { status: response.status, body: await response.json() };
}

export async function send() {
  if (outbox.busy || stopped || !outbox.events.length) return;
  clearTimeout(outbox.timer);
  outbox.busy = true;
  outbox.sending ||= nextBatch(); // until it is answered, a batch is sent again exactly as it was
  remember();
  try {
    const { status, body } = await post(given.urls.events, known.version, outbox.events.slice(0, outbox.sending));
    await answered(status, body);
    outbox.failures = 0;
  } catch {
    outbox.failures += 1;
  }
  outbox.busy = false;
  listeners.changed();
  if (outbox.failures) wait(Math.min(15_000, 500 * 2 ** outbox.failures) * (0.75 + Math.random() / 2));
  else if (outbox.events.length) wait(0);
}

async function answered(status, body) {
  if (status === 200) return accepted(body);
  if (status === 409 && body.reason === "stale") return overtaken(body.work);
  if (status === 403 && !outbox.renewed) {
    outbox.renewed = true; // the session is a new one; its token is on a fresh page
    return void (await fetchPage());
  }
  if (status >= 500 || status === 429) throw new Error(body.error);
  if ([400, 413, 415, 422].includes(status)) return refused(body.error);
  stop(body.error, status);
}

function accepted({ work, next }) {
  const sent = outbox.events.splice(0, outbox.sending);
  const expected = sent.reduce((now, { event }) => after(now, event), settled);
  settle(work, same(expected.answers, work.answers) ? expected : startFrom(work.answers));
  outbox.renewed = false;
  tabs.postMessage(work.version);
  if (work.finished && sent.some(({ event }) => event.kind === "finish")) listeners.finished(next);
}

/** Takes what the server says for granted, and adds what it does not know yet. */
function settle(work, acknowledged) {
  known = work;
  settled = acknowledged;
  outbox.sending = 0;
  outbox.single &&= outbox.events.length > 0;
  state = withEvents(settled);
  remember();
  listeners.changed();
}

/** A state with all that is in the outbox. */
const withEvents = (start) => outbox.events.reduce((now, { event }) => after(now, event), start);

/** A refused batch is sent event by event, to find the one that does not fit. */
function refused(reason) {
  if (outbox.sending > 1) {
    outbox.single = true;
    outbox.sending = 1;
    return;
  }
  const [{ event }] = outbox.events.splice(0, 1);
  settle(known, settled);
  if (event.kind !== "undo" && event.kind !== "redo") explain(`Not accepted: ${reason}.`);
}

function stop(reason, status) {
  const left = unsent();
  stopped = true;
  const where = outbox.kept ? "kept in this browser" : "on this page alone and will be lost with it";
  const kept = left ? ` ${plural(left, "change")} of yours ${left === 1 ? "is" : "are"} ${where}.` : "";
  const way = status === 401 ? " Open your invitation link again to go on." : "";
  explain(`${reason[0].toUpperCase()}${reason.slice(1).replace(/\.$/, "")}.${kept}${way}`);
  if (status !== 401) byId("problem").firstChild.append(make("a", { href: given.urls.work }, "Go on"));
  listeners.changed();
}

/* ---- when the server knows more than this page ---- */

/** The present state of this page, read from a fresh copy of it. */
async function fetchPage() {
  const response = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE), cache: "no-store" });
  if (response.status >= 500) throw new Error(response.statusText);
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  const data = fresh.getElementById("task-data");
  if (!data) return void stop("this page is not open to you any more", response.status);
  csrf = fresh.querySelector("meta[name=csrf-token]").content;
  return JSON.parse(data.textContent).work;
}

const CHANGED_ELSEWHERE = "This page was changed in another tab or on another device, and is shown as it is now";

/** Another tab or device was faster: its state stands; of ours, what it did not touch is added. */
function overtaken(work) {
  const before = known.answers;
  const theirs = startFrom(work.answers);
  const ours = withoutUndone(outbox.events);
  outbox.events = ours.filter(({ event }) => stillApplies(event, before, work.answers));
  const matters = ({ event }) => isContent({ event }) && (!isChange(event) || after(theirs, event) !== theirs);
  const lost = ours.filter((sent) => !outbox.events.includes(sent) && matters(sent)).length;
  settle(work, theirs);
  if (lost) explain(`${CHANGED_ELSEWHERE}; ${plural(lost, "change")} made here did not fit any more.`);
  else if (!same(before, work.answers)) say(`${CHANGED_ELSEWHERE}.`);
}

/** Looks whether the server knows more. */
export async function refresh() {
  if (outbox.busy || outbox.events.length || stopped) return;
  try {
    const work = await fetchPage();
    if (!work || outbox.events.length || work.version <= known.version) return;
    const alike = same(work.answers, known.answers);
    settle(work, alike ? settled : startFrom(work.answers));
    if (!alike) say(`${CHANGED_ELSEWHERE}.`);
  } catch {
    // The next event finds out.
  }
}

tabs.addEventListener("message", ({ data }) => data > known.version && refresh());
addEventListener("online", () => wait(0));
addEventListener("pageshow", ({ persisted }) => persisted && refresh()); // back from the browser's memory
addEventListener("beforeunload", (event) => {
  send();
  // What is on its way gets there without the page; what cannot leave would wait in this browser unseen, or be lost.
  const leaving = outbox.busy && !outbox.failures ? outbox.sending : 0;
  const stays = outbox.events.slice(leaving).some(isContent);
  if (stays && (outbox.failures || !outbox.kept)) event.preventDefault();
});
