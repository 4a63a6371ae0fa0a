/** What a condition is: one question about one part of a call. */
import type { Caller } from "../../core/call/call.ts";
import type { Shaped } from "../../core/input/shape.ts";
import type { ConditionType } from "../shapes/operators.ts";
import type { conditionShape } from "../shapes/policy-shape.ts";
import type { Subject } from "../subject.ts";

export type Scalar = string | number | boolean;

export interface Condition extends Shaped<typeof conditionShape> {}

/** What a condition looks at besides the part: the whole call. */
export interface CallView {
  readonly args: unknown;
  readonly caller: Caller;
  readonly root: string;
  /** Where it starts: a shell may be told another folder. */
  readonly folder: string;
  readonly home: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether a shell is asked for more than the command that it names. */
  asksForMore(): boolean;
  /** Whether a path is off limits by default. */
  isProtected(absolute: string): boolean;
  /** Where a path written in a rule really leads. */
  realPath(path: string): string;
  /** The call's content, and its size in bytes. */
  content(): readonly string[];
  sizeBytes(): number;
  /** Once a pattern ran out of time, the others that need a budget are not even tried. */
  patternsExhausted: boolean;
}

/** `maybe`: unknown before the call runs (`cat "$f"`). Undefined: out of time. Neither ever widens. */
export type Answer = boolean | "maybe" | undefined;

/** Of two parts of a call, or two values of a condition. What is not decided counts before a doubt. */
export function stronger(one: Answer, other: Answer): Answer {
  if (one === true || other === true) return true;
  if (one === undefined || other === undefined) return undefined;
  return one === false ? other : one;
}

export type Holds = (subject: Subject, view: CallView, widening: boolean) => Answer;

export interface CompiledCondition {
  readonly type: ConditionType;
  readonly holds: Holds;
  /** For path conditions: whether they name this protected file, rather than a folder it happens to be in. */
  readonly names: ((absolute: string, view: CallView) => boolean) | undefined;
  /** For risk conditions: whether they hold for what is not understood at all. */
  readonly holdsForOpaque: boolean;
}
