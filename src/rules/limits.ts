/** Limits: how many calls in a window and how many at once, counted per tool, category, session or caller. */
import type { RuleRef, RuleSource } from "../core/call/errors.ts";
import { sessionKey } from "../core/call/session-key.ts";
import type { Shaped } from "../core/input/shape.ts";
import type { LimitClaim } from "../core/ports/ports.ts";
import { type CallerTest, compileCaller } from "./caller-test.ts";
import { problemsOf, type RuleProblem, refOf } from "./check/rule-problem.ts";
import type { limitShape } from "./shapes/limit-shape.ts";

export interface Limit extends Shaped<typeof limitShape> {
  readonly name: string;
  readonly source?: RuleSource;
}

export interface CompiledLimit {
  readonly limit: Limit;
  readonly ref: RuleRef;
  /** Undefined: for everybody. */
  readonly caller: CallerTest | undefined;
  readonly window: { readonly max: number; readonly windowMs: number } | undefined;
  /** A store serves several projects: the same name in another file is another limit. */
  readonly key: string;
  /** Where calls without a session are counted when the limit is per session. */
  readonly perCaller: string;
}

export interface Counted {
  readonly toolId: string;
  readonly category: string;
  readonly sessionId: string | undefined;
  readonly caller: string;
}

export function compileLimits(limits: readonly Limit[], problems: RuleProblem[]): CompiledLimit[] {
  const compiled: CompiledLimit[] = [];
  const names = new Set<string>();
  for (const limit of limits) {
    const before = problems.length;
    const problem = problemsOf("limit", limit, problems);
    if (names.has(limit.name)) problem("the name is used twice; counts would mix.");
    names.add(limit.name);
    if ((limit.max === undefined) !== (limit.windowMs === undefined))
      problem("max and windowMs go together.");
    if (limit.max === undefined && limit.concurrent === undefined)
      problem("needs max with windowMs, or concurrent.");
    if (problems.length > before) continue;
    const { max, windowMs } = limit;
    const key = limit.source === undefined ? limit.name : `${limit.name}\u0000${limit.source.file}`;
    compiled.push({
      limit,
      key,
      ref: refOf("limit", limit),
      caller: compileCaller(limit.caller),
      window: max === undefined || windowMs === undefined ? undefined : { max, windowMs },
      perCaller: `${key}\u0000caller`,
    });
  }
  return compiled;
}

export function claimFor(
  { limit, key, window, perCaller }: CompiledLimit,
  counted: Counted,
  countsRunning: boolean,
): LimitClaim {
  const concurrent = countsRunning ? limit.concurrent : undefined;
  // A call without a session shares the count of its caller: leaving the session out must not lift the limit.
  if (limit.per === "session" && counted.sessionId === undefined)
    return { limit: perCaller, who: counted.caller, window, concurrent };
  return { limit: key, who: countedBy(limit.per, counted), window, concurrent };
}

function countedBy(per: Limit["per"] = "tool", { toolId, category, sessionId, caller }: Counted): string {
  if (per === "tool") return toolId;
  if (per === "session") return sessionKey(caller, sessionId);
  if (per === "caller") return caller;
  return per === "category" ? category : "gate";
}
