/** Compares what replicas noted with what the database has: `wrong` has no entries and no number above zero. */
import { mostSpansWithin, type Span } from "../most-within.ts";
import { busy, few, held, some } from "./limits.ts";
import { type Note, readNotes } from "./notes.ts";

export interface Kill {
  readonly pid: number;
  readonly ms: number;
}

export interface LedgerCount {
  readonly callId: string;
  /** Of the row; `refusal`: a completion that says why the call did not succeed. */
  readonly kind: string;
  readonly times: number;
  /** How many of them name the `unknown` record that they correct. */
  readonly correcting: number;
}

/** Clocks are compared by answers that took their time: a window that is shorter by this holds as many at most. */
const leewayMs = 3_000;

export interface Kept {
  readonly rows: readonly LedgerCount[];
  /** Call ids of all questions that were answered. */
  readonly answered: ReadonlySet<string>;
}

export function judge(folder: string, { rows, answered }: Kept, kills: readonly Kill[]) {
  const notes = readNotes(folder);
  const of = (what: Note["what"]) => notes.filter((note) => note.what === what);
  const [ends, answers, outcomes] = [of("end"), of("answered"), of("outcome")];
  const leased = of("begin").filter(({ tool }) => tool === "busy");
  const begins = of("begin").filter(({ tool }) => tool !== "busy");
  const kept = new Set(rows.map(({ callId, kind }) => `${kind} ${callId}`));
  const has = (callId: string, ...kinds: readonly string[]) =>
    kinds.some((kind) => kept.has(`${kind} ${callId}`));
  const begun = new Map(begins.map((note) => [note.callId, note]));
  const told = new Map(outcomes.map((note) => [note.callId, note]));
  const killed = new Set(kills.map(({ pid }) => pid));
  const successes = outcomes.filter(({ code }) => code === undefined);
  const perTool = (tool: string) => begins.filter((note) => note.tool === tool);
  const waits = answers.flatMap(({ callId, ms }) => {
    const resumed = begun.get(callId);
    return resumed === undefined ? [] : [resumed.ms - ms];
  });
  waits.sort((one, two) => one - two);
  return {
    wrong: {
      /** Acknowledged: the caller was told that the call succeeded. */
      acknowledgedWithoutRows: successes.filter(
        ({ callId }) => !has(callId, "intent") || !has(callId, "completion"),
      ),
      effectsWithoutIntent: begins.filter(({ callId }) => !has(callId, "intent")),
      effectsWithoutEnd: begins.filter(({ callId }) => !has(callId, "completion", "unknown")),
      effectsTwice: repeated(begins),
      rowsTwice: rows.filter(({ times }) => times > 1),
      /** Whoever was told why a call was refused finds that in the ledger; but not while there was none. */
      refusedWithoutRow: outcomes.filter(
        ({ callId, code = "" }) => code !== "" && !unrecorded.has(code) && !has(callId, ...endKinds),
      ),
      twoEnds: twoEnds(rows),
      beyondFew: perTool("chaos.few").slice(few.max),
      beyondSome: mostSpansWithin(spansOf(perTool("chaos.some")), some.windowMs - leewayMs) - some.max,
      beyondBusy: mostSpansWithin(spansOf(leased), busy.windowMs - leewayMs) - busy.max,
      beyondHeld: mostAtOnce(perTool("chaos.held"), ends, kills) - held.concurrent,
      /** Answered, and whoever waited lived on, but the call neither ran nor was refused with a reason. */
      answersLost: answers.filter(
        ({ callId, asker = 0 }) => !begun.has(callId) && !told.has(callId) && !killed.has(asker),
      ),
      answersTwice: repeated(answers),
      answeredByAsker: answers.filter(({ asker, pid }) => asker === pid),
      answersForgotten: answers.filter(({ callId }) => !answered.has(callId)),
      runUnanswered: perTool("chaos.asked").filter(({ callId }) => !answered.has(callId)),
    },
    facts: {
      calls: outcomes.length,
      succeeded: successes.length,
      rows: rows.length,
      effects: begins.length,
      corrected: rows.filter(({ correcting }) => correcting > 0).length,
      leased: leased.length,
      answered: answers.length,
      answeredAndRun: waits.length,
      codes: countBy(outcomes.map(({ code }) => code ?? "ok")),
      p50Ms: waits[Math.floor(waits.length / 2)] ?? 0,
      p99Ms: waits[Math.floor(waits.length * 0.99)] ?? 0,
    },
  };
}

const endKinds = ["completion", "refusal", "unknown"];
/** There was no ledger, or no gate any more. */
const unrecorded = new Set(["store_unavailable", "ledger_failed", "gate_closed"]);

/** An end after `unknown` has to say that it corrects it; then it is the one that counts. */
function twoEnds(rows: readonly LedgerCount[]): string[] {
  const counts = new Map<string, number>();
  for (const { callId, kind, times, correcting } of rows)
    if (endKinds.includes(kind)) counts.set(callId, (counts.get(callId) ?? 0) + times - correcting);
  return [...counts].filter(([, count]) => count > 1).map(([callId]) => callId);
}

/** A call that waits for a database that restarts has its effect seconds after it was counted. */
function spansOf(notes: readonly Note[]): Span[] {
  return notes.map(({ asked, ms }) => ({ from: asked ?? ms, to: ms }));
}

function repeated(notes: readonly Note[]): string[] {
  const counts = countBy(notes.map(({ callId }) => callId));
  return Object.keys(counts).filter((callId) => (counts[callId] ?? 0) > 1);
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** What a killed process had begun ended with it. */
function mostAtOnce(begins: readonly Note[], ends: readonly Note[], kills: readonly Kill[]): number {
  const endOf = new Map(ends.map(({ callId, ms }) => [callId, ms]));
  const killOf = new Map(kills.map(({ pid, ms }) => [pid, ms]));
  const changes = begins.flatMap(({ callId, pid, ms }) => [
    { ms, by: 1 },
    { ms: endOf.get(callId) ?? killOf.get(pid) ?? Number.POSITIVE_INFINITY, by: -1 },
  ]);
  changes.sort((one, two) => one.ms - two.ms || one.by - two.by);
  let now = 0;
  let most = 0;
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
