/** What suggestions are proved by: the gate's own rules, asked about calls that nobody makes. */
import type { RuleRef } from "../core/call/errors.ts";
import type { Verdict } from "../core/call/outcome.ts";
import type { JsonObject } from "../core/input/json.ts";
import type { CommandJudgement } from "../core/ports/command.ts";
import type { Location } from "../core/ports/location.ts";
import type { Permission } from "../core/tool/permission.ts";
import type { Policy } from "../rules/policies.ts";
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
  /** Those in force in these projects, each with its own beside the user's. */
  policiesIn(workspaces: Iterable<string>): Promise<readonly Policy[]>;
  /** What the gate reads in each call. Undefined: there is no such tool, or the input is none. */
  look(calls: readonly JudgedCall[]): Promise<readonly (SeenCall | undefined)[]>;
  /**
   * What they say about each call, with `added` beside them and without those `removed`. Undefined: the tool is
   * not here, so nothing can be said. Nothing runs, nobody is asked, nothing is recorded.
   */
  judge(calls: readonly JudgedCall[], change?: RuleChange): Promise<readonly (JudgedAs | undefined)[]>;
}

export interface SeenCall {
  /** The tool's id. */
  readonly tool: string;
  readonly permission: Permission;
  /** False: neither a tool of the gate nor one that an agent is known to have. */
  readonly isKnown: boolean;
  /** Of the tool as it is now, where the gate has it. */
  readonly definitionHash?: string;
  /** The command lines in it, each taken apart. */
  readonly lines: readonly { readonly line: string; readonly judged: CommandJudgement | undefined }[];
  readonly paths: readonly { readonly path: string; readonly location: Location }[];
  readonly urls: readonly string[];
  /** It holds something that nobody can read. */
  readonly unreadable: boolean;
}

export interface RuleChange {
  readonly added?: Rules;
  /** Names of policies and routes. */
  readonly removed?: readonly string[];
}
