/**
 * Is the task of this call over? Asked when the walk begins, after a person's yes, and when a call has waited
 * for another one: what a hook ended meanwhile has ended.
 */
import { type Stage, Stop } from "../../core/call/errors.ts";
import type { TaskEnd } from "../../core/ports/tasks.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";

export function explainEnded(call: Call, stage: Stage, { tasks }: DecidingParts): Stop | undefined {
  const { caller, sessionId, turnId } = call;
  // Calls that name no session have no task in common.
  const ended = sessionId === undefined ? undefined : tasks.endOf(caller.id, sessionId);
  if (ended !== undefined) return refused(ended, stage);
  const rejected = turnId === undefined ? undefined : tasks.endOf(caller.id, sessionId ?? "", turnId);
  return rejected === undefined ? undefined : refused(rejected, stage);
}

function refused({ kind, by, message }: TaskEnd, stage: Stage): Stop {
  if (kind === "rejected") {
    const told = `${by} denied another call of this turn, so the calls that follow it are refused, too: ${message}`;
    return new Stop("rejected_with_another", stage, told);
  }
  const told = `Hook "${by}" ended the task of this session: ${message}`;
  return new Stop("task_ended", stage, told, { rule: { kind: "hook", name: by } });
}
