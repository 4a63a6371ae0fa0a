/** What policies in shadow mode would have done, beside what people did. */
import { isJsonObject, type Json, type JsonObject } from "../core/input/json.ts";
import type { HistoryCall } from "../suggest/history.ts";

/** Of one policy, as it is worded now. */
export interface ShadowTally {
  readonly rule: string;
  /** Questions that nobody would have been asked. */
  readonly answered: number;
  /** Of those: a person said yes to the call as it was. */
  readonly agreed: number;
  /** Of those: a person said no, or approved another input. */
  readonly disagreed: number;
  /** Calls that went through, or that a person was asked about, and it would have denied. */
  readonly stopped: number;
  /** Of those: a person said yes. */
  readonly stoppedApproved: number;
  /** Calls that went through, and it would have asked about. */
  readonly asked: number;
}

/** `wordings`: of each policy in shadow mode. What an earlier wording would have done says nothing about it. */
export function tallyShadows(
  calls: Iterable<{ readonly call: HistoryCall; readonly entry: { readonly body: JsonObject } }>,
  wordings: ReadonlyMap<string, string>,
): readonly ShadowTally[] {
  const tallies = new Map([...wordings.keys()].map((rule) => [rule, emptyTally(rule)]));
  for (const { call, entry } of calls) {
    for (const { rule, wording, verdict } of shadowsOf(entry.body)) {
      const tally = tallies.get(rule);
      if (tally === undefined || wordings.get(rule) !== wording) continue;
      count(tally, call, verdict);
    }
  }
  return [...tallies.values()];
}

type Counting = { -readonly [Key in keyof ShadowTally]: ShadowTally[Key] };

function emptyTally(rule: string): Counting {
  return { rule, answered: 0, agreed: 0, disagreed: 0, stopped: 0, stoppedApproved: 0, asked: 0 };
}

function count(tally: Counting, { verdict: real, question }: HistoryCall, verdict: string): void {
  const isPerson = question !== undefined && question.byGrant !== true;
  const isYes = isPerson && question.state === "approved" && question.editedInput === undefined;
  const isNo = isPerson && (question.state === "denied" || question.editedInput !== undefined);
  if (verdict === "allow" && real === "ask" && isPerson) {
    tally.answered++;
    if (isYes) tally.agreed++;
    if (isNo) tally.disagreed++;
  }
  if (verdict === "deny" && real !== "deny") {
    tally.stopped++;
    if (isYes) tally.stoppedApproved++;
  }
  if (verdict === "ask" && (real === "allow" || real === "abstain")) tally.asked++;
}

function shadowsOf({ shadow }: JsonObject): { rule: string; wording: string; verdict: string }[] {
  if (!Array.isArray(shadow)) return [];
  return shadow.flatMap((one: Json) => {
    if (!isJsonObject(one)) return [];
    const { rule, wording, verdict } = one;
    if (typeof rule !== "string" || typeof wording !== "string" || typeof verdict !== "string") return [];
    return [{ rule, wording, verdict }];
  });
}
