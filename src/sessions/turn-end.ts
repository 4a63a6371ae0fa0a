/** How a turn ends: what is written down about it, and in which state it leaves its session. */
import { messageOf } from "../core/call/errors.ts";
import type { SessionEnd, SessionFacts } from "../core/ports/sessions.ts";
import type { LiveAgent } from "./live-agent.ts";
import { RunnerError } from "./runner.ts";
import type { SessionLog } from "./session-log.ts";
import type { TurnBudget } from "./turn-budget.ts";

export interface TurnEnding {
  readonly log: SessionLog;
  readonly agent: LiveAgent;
  /** Undefined: the turn ended before anything could be used. */
  readonly budget: TurnBudget | undefined;
}

/** Why a turn was aborted. */
export class Cancelled extends Error {
  constructor(by: string) {
    super(`Cancelled by ${by}.`);
  }
}

export class TaskEnded extends Error {}

export const idle: Partial<SessionFacts> = { state: "idle" };

export function ended(end: SessionEnd): Partial<SessionFacts> {
  return { state: "ended", end, endedAt: Date.now() };
}

export async function finishTurn(
  { log, agent, budget }: TurnEnding,
  body: { readonly stopReason: string; readonly message?: string },
): Promise<void> {
  const { single } = log.session;
  const facts = { ...(single ? ended("completed") : idle), ...used(budget), error: undefined };
  await log.end(log.item("completed", body), { facts, dropPrompts: single });
  if (log.session.state === "ended") await agent.close();
}

export async function failTurn(ending: TurnEnding, error: unknown): Promise<void> {
  // Whoever cancelled has written it down already.
  if (error instanceof Cancelled) return;
  const message = messageOf(error);
  if (error instanceof TaskEnded) return finishTurn(ending, { stopReason: "hook_ended_task", message });
  const { code, retryable } =
    error instanceof RunnerError ? error : { code: "runner_failed", retryable: false };
  const { log, agent, budget } = ending;
  const { single } = log.session;
  const facts = { ...(single ? ended("failed") : idle), ...used(budget), error: { code, message } };
  await log.end(log.item("error", { code, message, retryable }), { facts, dropPrompts: single });
  await agent.close();
}

/** With what sub-tasks used after the model's last answer. */
function used(budget: TurnBudget | undefined): Partial<SessionFacts> {
  return budget === undefined ? {} : { usage: budget.usage };
}
