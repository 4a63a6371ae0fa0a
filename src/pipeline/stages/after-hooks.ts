/** after-hooks: hooks see the result. They add context, withhold it by failing closed, or end the task. */
import { messageOf, Stop } from "../../core/call/errors.ts";
import type { Hook } from "../../core/call/hook.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { addContext, refOf } from "./before-hooks.ts";
import { runHook } from "./run-hook.ts";

/** What came of the run, whoever ran the tool: the result of an agent's own tool has the agent's own form. */
export interface LookedAt {
  readonly stop: Stop | undefined;
  readonly result: unknown;
  readonly durationMs: number;
}

export async function afterHooks(call: Call, end: LookedAt, parts: DecidingParts): Promise<Stop | undefined> {
  const { callId, askedFor, toolUseId, sessionId, cwd, input, planned } = call;
  const facts = { callId, calledAs: askedFor, toolUseId, sessionId, cwd };
  const toolName = planned.id;
  const success = end.stop === undefined;
  const post = { toolName, parameters: input, result: end.result, success, executionTimeMs: end.durationMs };
  const ended = Object.freeze({ ...facts, postToolUse: Object.freeze(post) });
  for (const hook of call.plan.after) {
    const stop = await look(hook, ended, call, parts);
    if (stop !== undefined || call.taskEnd !== undefined) return stop;
  }
  if (end.stop === undefined) return undefined;
  const failed = Object.freeze({ ...facts, onError: Object.freeze({ toolName, error: end.stop.message }) });
  for (const hook of call.plan.onError) {
    const stop = await look(hook, failed, call, parts);
    if (stop !== undefined || call.taskEnd !== undefined) return stop;
  }
  return undefined;
}

async function look(hook: Hook, event: object, call: Call, parts: DecidingParts): Promise<Stop | undefined> {
  // The call has run; its hooks look at what it did even if the caller has left.
  const ended = await runHook(hook, event, parts.clock, undefined);
  if (ended.kind !== "answer") {
    if (hook.failMode === "open") return undefined;
    const why = ended.kind === "failed" ? ended.why : "it was stopped";
    const message = `${call.planned.id} ran, but hook "${hook.name}" failed: ${why}. It fails closed, so the result is withheld.`;
    return new Stop("hook_failed", "after-hooks", message, { rule: refOf(hook) });
  }
  const { answer } = ended;
  addContext(call, answer.contextModification, hook.name);
  return answer.cancel === true || answer.wasCancelled === true
    ? endTask(hook, answer.errorMessage, call, parts)
    : undefined;
}

/** A Stop where the end could not be kept: later calls would pass, so whoever called has to know. */
async function endTask(
  hook: Hook,
  why: string | undefined,
  call: Call,
  { tasks, events, clock }: DecidingParts,
): Promise<Stop | undefined> {
  const { caller, sessionId } = call;
  const message = why ?? `Hook "${hook.name}" ended the task.`;
  addContext(call, message, hook.name);
  const end = Object.freeze({ kind: "cancelled" as const, by: hook.name, message, at: clock.now() });
  try {
    // A call that names no session is a task of its own.
    if (sessionId !== undefined) await tasks.end({ callerId: caller.id, sessionId }, end);
  } catch (error) {
    const told = `Hook "${hook.name}" ended the task, but that could not be kept: ${messageOf(error)}. The result is withheld.`;
    return new Stop("hook_failed", "after-hooks", told, { rule: refOf(hook), cause: error });
  }
  call.taskEnd = end;
  events.emit("task-cancel", { sessionId, hook: hook.name, message });
  return undefined;
}
