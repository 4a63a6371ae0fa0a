/** What suggestions are proved by: the gate's own rules, asked about calls that nobody makes. */
import type { RuleRef } from "../core/call/errors.ts";
import type { Verdict } from "../core/call/outcome.ts";
import type { JsonObject } from "../core/input/json.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { HistoryCall } from "./history.ts";

/** As much of a call as rules look at. */
export type JudgedCall = Pick<HistoryCall, "tool" | "askedFor" | "kind" | "cwd" | "workspace" | "caller"> & {
  readonly input: JsonObject;
};

export interface JudgedAs {
  readonly verdict: Verdict;
  readonly rule?: RuleRef;
}

export interface RuleJudge {
  /** Those in force. */
  readonly rules: Rules;
  /** Changes when they do. */
  readonly rulesVersion: string;
  /**
   * What they say about each call, with `added` beside them and without those `removed`. Undefined: the tool is
   * not here, so nothing can be said. Nothing runs, nobody is asked, nothing is recorded.
   */
  judge(calls: readonly JudgedCall[], change?: RuleChange): Promise<readonly (JudgedAs | undefined)[]>;
}

export interface RuleChange {
  readonly added?: Rules;
  /** Names of policies and routes. */
  readonly removed?: readonly string[];
}
