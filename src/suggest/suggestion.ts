/** A rule that is proposed to a person, with everything that speaks for it and against it. */
import type { RuleRef } from "../core/call/errors.ts";
import type { Verdict } from "../core/call/outcome.ts";
import type { JsonObject } from "../core/input/json.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { RuleTest } from "../rules/shapes/test-shape.ts";

export const suggestionKinds = ["allow", "deny", "route", "limit", "cleanup"] as const;

export type SuggestionKind = (typeof suggestionKinds)[number];

export interface Suggestion {
  /** The same for the same rule, whenever it is proposed. */
  readonly id: string;
  readonly kind: SuggestionKind;
  /** `ready`: everything was proved. `not-enough`: shown so that a person knows what is on its way. */
  readonly state: "ready" | "not-enough";
  /** One line, with what agents wrote made visible. */
  readonly title: string;
  /** What to add to a rule file, with its tests. Of a cleanup: what to put in the place of `removes`. */
  readonly yaml: string;
  /** The same as objects. */
  readonly rules: Rules;
  /** The project whose rule file it belongs in, because it is wrong elsewhere. Undefined: the user's file. */
  readonly project?: string;
  /** Of a cleanup: what is not needed any more. */
  readonly removes: readonly RemovedRule[];
  /** Those of the rule: from the record what it must hold for, from attacks what it must not. */
  readonly tests: readonly RuleTest[];
  readonly evidence: Evidence;
  /** Questions of the window that nobody would have been asked. */
  readonly savedQuestions: number;
  /** Calls of the window whose verdict changes: all are counted, those named are the first of each text. */
  readonly changes: { readonly count: number; readonly calls: readonly SuggestedChange[] };
  /** Calls that may change, of which the record does not hold enough. */
  readonly cannotTell: number;
  readonly holdOut: HoldOut;
  /** Denials beside it: the rule holds for none of them. */
  readonly counterExamples: readonly CounterExample[];
  readonly attacks: { readonly tried: number; readonly passed: number };
  readonly provenance: Provenance;
  /** When a person should look at it again, in milliseconds since the epoch. */
  readonly reviewAt: number;
  /** Such as `not enough yet (12/20)`. */
  readonly notes: readonly string[];
}

export interface RemovedRule {
  readonly rule: RuleRef;
  /** Set for a grant. */
  readonly grantId?: string;
  readonly why: "unused" | "shadowed" | "wider";
}

/** Of the calls that the rule holds for. */
export interface Evidence {
  readonly asked: number;
  readonly approved: number;
  readonly denied: number;
  readonly edited: number;
  /** Who answered. */
  readonly people: number;
  readonly sessions: number;
  readonly days: number;
  /** What the answers count for: fast and batch answers half, one session at most 30 %. */
  readonly weight: number;
  /** The Wilson lower bound of how many are approved, at that weight. */
  readonly lowerBound: number;
}

export interface SuggestedChange {
  readonly seq: number;
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly before: Verdict;
  readonly after: Verdict;
  /** How many calls of the window are the same. */
  readonly times: number;
}

/** Built on the first 70 % of the window, tried on the last 30 %. */
export interface HoldOut {
  /** Later questions that were answered, of tools that the rule is about. */
  readonly asked: number;
  readonly answered: number;
  /** Of those that the rule would have answered: what people said. */
  readonly agreed: number;
  readonly denied: number;
}

export interface CounterExample {
  readonly seq: number;
  readonly text: string;
  readonly reason?: string;
}

export interface Provenance {
  readonly at: number;
  readonly since: number;
  readonly until: number;
  /** Rows of the ledger; at most 100. */
  readonly rows: readonly number[];
  readonly rulesVersion: string;
}

export interface SuggestionReport {
  readonly at: number;
  readonly since: number;
  readonly until: number;
  readonly rulesVersion: string;
  readonly calls: number;
  /** Questions to people in the window, and how many of them were answered. */
  readonly questions: number;
  readonly answered: number;
  /** Questions that fall away when all that are ready are applied. */
  readonly savedQuestions: number;
  /** The most useful first. */
  readonly suggestions: readonly Suggestion[];
  /** Approved often, and still never proposed: why, and how many questions it concerns. */
  readonly withheld: readonly { readonly why: string; readonly questions: number }[];
  /** Calls whose record does not hold enough. */
  readonly cannotTell: number;
}
