// What events make of the answers, and what is still wrong with these: the same as on the server, which has the last
// word. Answers are never changed; every event gives new ones.

import { cardById, given, paired, ranked, same } from "./task_page.js";

export const withOut = (list, card) => list.filter((other) => other !== card);
export const scoreOf = (answers, card, aspect = given.aspects[0].name) => answers.scores[card]?.[aspect];

export function groupOf(answers, card) {
  return Object.keys(answers.groups).find((group) => answers.groups[group].includes(card));
}

const changes = {
  score(answers, { card, aspect, value }) {
    const { [aspect]: _, ...others } = answers.scores[card] ?? {};
    const { [card]: __, ...scores } = answers.scores;
    const scored = value === null ? others : { ...others, [aspect]: value };
    return { ...answers, scores: Object.keys(scored).length ? { ...scores, [card]: scored } : scores };
  },
  move(answers, { card, group, place }) {
    const groups = Object.entries(answers.groups).map(([name, list]) => [name, withOut(list, card)]);
    const moved = Object.fromEntries(groups);
    moved[group].splice(place, 0, card);
    return { ...answers, groups: moved };
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
  write: (answers, { text, unchanged }) => ({ ...answers, text, unchanged }),
};

export const isChange = (event) => event.kind in changes;

/** Answers, with what undo goes back to. What happened before the page was loaded is undone by the server alone. */
export const startFrom = (answers) => ({ answers, past: [], future: [] });

/** The state after an event. */
export function after(state, event) {
  const { answers, past, future } = state;
  if (event.kind === "undo" && past.length)
    return { answers: past.at(-1), past: past.slice(0, -1), future: [...future, answers] };
  if (event.kind === "redo" && future.length)
    return { answers: future.at(-1), past: [...past, answers], future: future.slice(0, -1) };
  if (!isChange(event)) return state;
  const changed = changes[event.kind](answers, event);
  return same(changed, answers) ? state : { answers: changed, past: [...past, answers], future: [] };
}

/** What was sent without the changes that were undone right after: an undo says nothing once the answers are others. */
export function withoutUndone(sent) {
  const left = [];
  const undone = [];
  for (const one of sent) {
    const { event } = one;
    const latest = left.findLastIndex((other) => isChange(other.event));
    if (event.kind === "undo" && latest >= 0) undone.push(...left.splice(latest, 1));
    else if (event.kind === "redo" && undone.length) left.push(undone.pop());
    else left.push(one);
    if (isChange(event)) undone.length = 0;
  }
  return left;
}

/** Questions without an answer, in the order of the page; "" is the card of a choice between two. */
export function missingIn(answers) {
  const lacks = (card, known) =>
    given.aspects.filter(({ name }) => !(name in known)).map(({ name }) => ({ card, aspect: name }));
  if (paired) return lacks("", answers.preferences);
  return Object.values(answers.groups).flat().flatMap((card) => lacks(card, answers.scores[card] ?? {}));
}

/** Neighbours with a score, of which the lower one has the higher score. */
export function contradictionsIn(answers) {
  if (!ranked) return [];
  return Object.values(answers.groups).flatMap((group) => {
    const scored = group.filter((card) => scoreOf(answers, card) !== undefined);
    const pairs = scored.slice(1).map((lower, index) => ({ upper: scored[index], lower }));
    return pairs.filter(({ upper, lower }) => scoreOf(answers, upper) < scoreOf(answers, lower));
  });
}

/** A score that fits the place of a card: halfway between its neighbours; none if these contradict each other. */
export function proposedScore(answers, card) {
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

/** Where in a group the score of a card fits: above the first that is scored lower; without a score, at the end. */
export function fittingPlace(answers, card, group) {
  const list = withOut(answers.groups[group], card);
  const score = scoreOf(answers, card);
  const lower = list.findIndex((other) => scoreOf(answers, other) < score);
  return lower < 0 ? list.length : lower;
}

/** Whether an event that was meant for the answers `before` still makes sense if they are now other ones. */
export function stillApplies(event, before, now) {
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
    case "write":
      return untouched(({ text, unchanged }) => [text, unchanged]);
    case "move":
    case "sort":
      return untouched((answers) => answers.groups);
    default:
      return untouched((answers) => answers); // undo, redo, finish, reopen: said of all that was seen
  }
}
