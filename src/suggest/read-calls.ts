/** The calls of the window, each read once: many of them are the same. */
import type { JsonObject } from "../core/input/json.ts";
import { takeTurns } from "../core/run/take-turns.ts";
import type { Rules } from "../rules/rule-set.ts";
import { isNo } from "./evidence.ts";
import type { HistoryCall } from "./history.ts";
import type { RuleJudge, SeenCall } from "./judge.ts";
import { type CallParts, partsOf } from "./shapes/call-parts.ts";
import { freeTexts } from "./shapes/closed-input.ts";

/** Calls that no rule can tell from each other. */
export interface SameCalls {
  /** The first of them. */
  readonly call: HistoryCall;
  readonly calls: readonly HistoryCall[];
  /** As the gate reads it. */
  readonly seen: SeenCall | undefined;
  /** Undefined: the record does not hold enough. */
  readonly read: CallParts | undefined;
  /** Of a call that was denied and whose record is incomplete: what is left of it. A no counts all the same. */
  readonly left?: CallParts & {
    /** Only texts are missing, and no rule looks at those. */
    readonly isWhole: boolean;
  };
}

/** In the order of the ledger. */
export async function readCalls(calls: readonly HistoryCall[], judge: RuleJudge): Promise<SameCalls[]> {
  const readsTexts = readTexts(judge.rules);
  const turn = takeTurns();
  const groups = new Map<string, HistoryCall[]>();
  for (const [index, call] of calls.entries()) {
    if (index % 100 === 0) await turn();
    const key = keyOf(call, readsTexts);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [call]);
    else known.push(call);
  }
  const all = [...groups.values()];
  const seen = await judge.look(all.map(([first]) => first as HistoryCall));
  const read: SameCalls[] = [];
  for (const [index, same] of all.entries()) {
    await turn();
    const call = same[0] as HistoryCall;
    const left = call.incomplete === true && same.some(isNo) ? await readLeft(call, judge) : undefined;
    read.push({
      call,
      calls: same,
      seen: seen[index],
      read: partsOf(call, seen[index]),
      ...(left !== undefined && { left }),
    });
  }
  return read;
}

/** With a word where something was taken out, or where an agent wrote that it was. */
async function readLeft(
  { incomplete: _, ...call }: HistoryCall,
  judge: RuleJudge,
): Promise<SameCalls["left"]> {
  const { input } = call;
  const filled = { ...call, input: JSON.parse(JSON.stringify(input).replace(mark, "x")) as JsonObject };
  const [seen] = await judge.look([filled]);
  const parts = partsOf(filled, seen);
  const isWhole = Object.entries(input).every(
    ([key, value]) => freeTexts.has(key) || JSON.stringify(value).search(mark) === -1,
  );
  return parts && { ...parts, isWhole };
}

const mark = /\[(?:redacted|cut)\b[^\]"\\]*\]?/g;

function keyOf(call: HistoryCall, readsTexts: boolean): string {
  const { tool, askedFor, kind, cwd, workspace, caller, mode, input, incomplete } = call;
  // Few rules look at texts. Where none of those in force does, only that there is one makes a difference.
  const kept = readsTexts
    ? input
    : Object.fromEntries(
        Object.entries(input).map(([key, value]) => [key, freeTexts.has(key) ? typeof value : value]),
      );
  return `${tool}\n${askedFor}\n${kind}\n${cwd}\n${workspace}\n${caller}\n${mode}\n${incomplete}\n${JSON.stringify(kept)}`;
}

function readTexts({ policies = [], routes = [], hooks = [] }: Rules): boolean {
  const types = new Set(["content", "size", "argument"]);
  return (
    hooks.length > 0 ||
    routes.some(({ field }) => field !== undefined && freeTexts.has(field)) ||
    policies.some(({ conditions }) => (conditions ?? []).some(({ type }) => types.has(type)))
  );
}
