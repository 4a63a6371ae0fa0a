/**
 * A call on its way: one object. Each stage fills in its part and hands the call on under the type of the
 * next stage. Nobody else can make these types, so a wrong order does not compile (docs/decisions/0005).
 */

import type { Approver, Meaning } from "../core/call/approval.ts";
import type { AskingAgent } from "../core/call/asking-agent.ts";
import type { Caller, Mode, Progress, Unsure } from "../core/call/call.ts";
import type { Elicit } from "../core/call/elicit.ts";
import type { JsonObject } from "../core/input/json.ts";
import type { Location, OpenedPath } from "../core/ports/location.ts";
import type { ShadowVerdict } from "../core/ports/ports.ts";
import type { TaskEnd } from "../core/ports/tasks.ts";
import type { Cancellable } from "../core/run/abort.ts";
import type { RegisteredTool } from "../core/tool/registry.ts";
import type { AnyTool } from "../core/tool/tool.ts";
import type { PlannedTool, ToolPlan } from "../rules/compile-plan.ts";
import type { Decision, Default } from "../rules/decision.ts";
import type { Subject } from "../rules/subject.ts";
import type { Trace } from "./trace.ts";

declare const resolved: unique symbol;
declare const routed: unique symbol;
declare const valid: unique symbol;
declare const hooked: unique symbol;
declare const permitted: unique symbol;
declare const limited: unique symbol;

/** Who asks, where and when: fixed before anything is known about the tool. */
interface CallFacts {
  readonly callId: string;
  readonly at: number;
  readonly startedAt: number;
  readonly askedFor: string;
  readonly caller: Caller;
  readonly sessionId: string | undefined;
  readonly toolUseId: string | undefined;
  readonly turnId: string | undefined;
  readonly mode: Mode;
  /** Plan mode does not stop it. */
  readonly isPlanning: boolean;
  /** The call takes its turn among the calls of its session. */
  readonly inOrder: boolean;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly surface: string;
  readonly signal: Cancellable | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly approver: Approver | undefined;
  readonly elicit: Elicit | undefined;
  /** Of a check: which agent asks. */
  readonly agent: AskingAgent | undefined;
  readonly isStillAllowed: (() => boolean | Promise<boolean>) | undefined;
  /** `check`: another agent runs the tool; we only decide. */
  readonly kind: "call" | "check";
  /** What counts where no policy speaks. */
  readonly otherwise: Default;
  /** Of a check: what it comes to when nobody can read the call in advance. */
  readonly unsure: Unsure;
  /** Only look: take no limits, ask nobody, record nothing. */
  readonly dry: boolean;
  readonly trace: Trace | undefined;
  /** The tool that typed code passed: another tool under that id would get input typed for this one. */
  readonly expected: AnyTool | undefined;
  /** The input as it came; `resolve` takes a frozen copy of it. */
  readonly given: unknown;
}

export interface Call extends CallFacts {
  /** resolve: the tool, and the rules that can concern it. Not `registered`: the agent has the tool. */
  planned: PlannedTool;
  registered: RegisteredTool | undefined;
  plan: ToolPlan;
  /** resolve, then whoever changes it: routes, hooks, a person. Always frozen JSON. */
  input: JsonObject;
  /** resolve: the input, if it was seen to fit the schema. It is frozen, so it still fits. */
  fitting: JsonObject | undefined;
  /** validate: the input as the tool's code gets it, defaults and transforms applied. Policies judge this. */
  args: unknown;
  /** Hooks: what they want the conversation to show. */
  contexts: readonly string[];
  /** Which hook added each of them. */
  contextHooks: readonly string[];
  /** after-hooks: a hook ended the task. */
  taskEnd: TaskEnd | undefined;
  /** before-hooks: a hook wants a person to look. */
  askedBy: Decision | undefined;
  /** permit */
  decision: Decision;
  /** permit: what policies in shadow mode would have said when the call was first decided. */
  shadows: readonly ShadowVerdict[] | undefined;
  /** permit: the paths outside of the roots, and the protected ones, that the decision covers. */
  opened: readonly OpenedPath[];
  /** permit: the parts that were decided on one by one; undefined where nothing in the input matters. */
  subjects: readonly Subject[] | undefined;
  /** permit: where a path leads that no rule judges, because the tool's definition fixes the folder. */
  bound: Location | undefined;
  /** approve: what the call meant when it was decided. */
  meaning: Meaning | undefined;
  /** limit: gives back what the call holds while it runs. */
  release: (() => void) | undefined;
  /** Some stage waited, so the time at which the call began says nothing about when it runs. */
  waited: boolean;
  /** The tool's code has begun: whatever happens now, it may have had its effect. */
  started: boolean;
  /** What the tool's code has to say to those who read the ledger. */
  notes: readonly string[] | undefined;
  /** The tool that only passed the call on (`tools.call`); rules about it hold too. */
  through: RegisteredTool | undefined;
}

export type ResolvedCall = Call & { readonly [resolved]: true };
export type RoutedCall = ResolvedCall & { readonly [routed]: true };
export type ValidCall = RoutedCall & { readonly [valid]: true };
export type HookedCall = ValidCall & { readonly [hooked]: true };
export type PermittedCall = HookedCall & { readonly [permitted]: true };
export type LimitedCall = PermittedCall & { readonly [limited]: true };
