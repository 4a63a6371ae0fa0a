/** What the answers of people are worth. That a call ran says nothing; only a person's answer to it does. */
import type { HistoryCall } from "./history.ts";
import type { Evidence } from "./suggestion.ts";

/** Nobody reads a question in less. */
const readingSeconds = 1.5;
const mostOfOneSession = 0.3;
const dayMs = 86_400_000;

/** So sure one has to be that the next answer is a yes. */
const wantedLowerBound = 0.95;
export const leastSessions = 2;
export const leastDays = 2;

/**
 * A person other than who asked has answered this very question. A yes that came back from the calling client is
 * the client's word, and a grant is the answer to an earlier call.
 */
export function isAnswered({ question, caller, owner }: HistoryCall): boolean {
  if (
    question === undefined ||
    question.withAnother === true ||
    question.byGrant === true ||
    question.via === "elicitation"
  )
    return false;
  if (question.state !== "approved" && question.state !== "denied") return false;
  if (question.by === undefined || question.by === "" || question.by === "the gate") return false;
  return question.by !== caller && question.by !== owner;
}

/** A plain yes to the call as it was made. */
export function isYes(call: HistoryCall): boolean {
  return isAnswered(call) && call.question?.state === "approved" && call.question.editedInput === undefined;
}

/** Whoever said it: a no counts from anybody, at once or not. One that came with another denial is about that one. */
export function isNo({ question }: HistoryCall): boolean {
  return question?.state === "denied" && question.withAnother !== true && question.by !== "the gate";
}

/**
 * Answers of one person so close to each other that nobody read between them: one click for many, or a heap that an
 * agent has piled up and that is clicked away.
 */
export function answersInARow(calls: readonly HistoryCall[]): ReadonlySet<HistoryCall> {
  const answered = calls.flatMap((call) => {
    const { by, answeredAt } = call.question ?? {};
    return by === undefined || answeredAt === undefined ? [] : [{ call, by, at: answeredAt }];
  });
  answered.sort((one, other) => one.at - other.at);
  const last = new Map<string, (typeof answered)[number]>();
  const found = new Set<HistoryCall>();
  for (const one of answered) {
    const before = last.get(one.by);
    if (before !== undefined && one.at - before.at < readingSeconds * 1_000)
      found.add(before.call).add(one.call);
    last.set(one.by, one);
  }
  return found;
}

/** How often people were asked, what they said, and how much that counts. */
export function weigh(calls: readonly HistoryCall[], together: ReadonlySet<HistoryCall>): Evidence {
  const yes = calls.filter(isYes);
  const no = calls.filter(isNo);
  // What speaks for an approval are yeses; of what was only ever denied, the denials tell who looked.
  const answers = yes.length > 0 ? yes : no;
  const bySession = new Map<string, number>();
  for (const call of yes) {
    const session = sessionOf(call);
    bySession.set(session, (bySession.get(session) ?? 0) + weightOf(call, together));
  }
  const weight = capped([...bySession.values()]);
  return {
    asked: calls.filter(({ question }) => question !== undefined).length,
    approved: yes.length,
    denied: no.length,
    edited: calls.filter(({ question }) => question?.editedInput !== undefined).length,
    people: new Set(answers.map(({ question }) => question?.by)).size,
    sessions: new Set(answers.map(sessionOf)).size,
    days: daysOf(answers.map(({ at }) => at)),
    weight: round(weight),
    lowerBound: round(wilson(weight, weight + no.length)),
  };
}

export function isSure(lowerBound: number): boolean {
  return lowerBound >= wantedLowerBound - 1e-9;
}

/** How much has to speak for it, if so many speak against it. */
export function neededWeight(no: number): number {
  for (let yes = 1; yes < 10_000; yes++) if (isSure(wilson(yes, yes + no))) return yes;
  return 10_000;
}

/** Calls without a session are those of one caller on one day. */
function sessionOf({ session, caller, at }: HistoryCall): string {
  return session ?? `${caller} ${Math.floor(at / dayMs)}`;
}

/** Days of the calendar, but not more than there was time for: a night of calls is one day. */
function daysOf(times: readonly number[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const at of times) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  const days = new Set(times.map((at) => Math.floor(at / dayMs))).size;
  return Math.min(days, Math.floor(Math.max(0, last - first) / dayMs) + 1);
}

/** How long it took is not always known; then it may have been a reflex. */
function weightOf(call: HistoryCall, together: ReadonlySet<HistoryCall>): number {
  const { secondsToAnswer } = call.question ?? {};
  const isCareful = secondsToAnswer !== undefined && secondsToAnswer >= readingSeconds && !together.has(call);
  return isCareful ? 1 : 0.5;
}

/** The most that the sessions count together when none of them may be more than its share of it. */
function capped(weights: readonly number[]): number {
  let total = weights.reduce((sum, one) => sum + one, 0);
  for (let round = 0; round < 50; round++) {
    const next = weights.reduce((sum, one) => sum + Math.min(one, total * mostOfOneSession), 0);
    if (total - next < 1e-9) break;
    total = next;
  }
  // Fewer than four sessions: no share of 30 % adds up to the whole, and nothing would remain.
  return weights.length * mostOfOneSession < 1 ? fewSessions(weights) : total;
}

/** Each counts as much as the smallest of them allows: two sessions are the least that counts at all. */
function fewSessions(weights: readonly number[]): number {
  if (weights.length < leastSessions) return 0;
  const others = (at: number) => weights.reduce((sum, one, index) => sum + (index === at ? 0 : one), 0);
  return weights.reduce((sum, one, at) => sum + Math.min(one, others(at)), 0);
}

/** How many are approved at least, as far as so many answers tell: 19 without a denial are 95 %. */
export function wilson(yes: number, all: number): number {
  if (all <= 0) return 0;
  // One standard deviation.
  const z = 1;
  const share = yes / all;
  const centre = share + (z * z) / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share) + (z * z) / (4 * all)) / all);
  return (centre - spread) / (1 + (z * z) / all);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
