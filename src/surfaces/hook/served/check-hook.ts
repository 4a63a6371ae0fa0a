/** One call of an agent, checked by the server: as in a hook process, with limits, grants and people. */
import { type HookAgent, type HookAnswer, type HookInput, silence } from "../../../agents/agent-hook.ts";
import { type Environment, findFolders } from "../../../config/folders.ts";
import type { Caller } from "../../../core/call/call.ts";
import { messageOf } from "../../../core/call/errors.ts";
import type { CheckResult } from "../../../core/call/outcome.ts";
import { askingAgent } from "../asking-agent.ts";
import { noteAfterHooks } from "../process/after-hooks-note.ts";
import { answerCheck } from "../process/answer.ts";
import { agentsPlace, findPlace } from "../process/find-place.ts";
import { mayPlan } from "../process/may-plan.ts";
import { readCall } from "../process/read-call.ts";
import { recordRefused, runHook } from "../process/run-hook.ts";
import { whoAsks } from "../process/who-asks.ts";
import type { BegunCalls } from "./begun-calls.ts";
import type { HookService } from "./hook-service.ts";

export interface HookCall {
  readonly agent: HookAgent;
  /** As the agent wrote it. */
  readonly text: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly caller: Caller;
  /** The caller is who runs hooks without a server, too, so a call may have begun in a process. */
  readonly isOwner: boolean;
  /** Asked after a person's yes. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** How long a person may be waited for. */
  readonly waitMs: number;
}

export type CheckedHook =
  | { readonly ok: true; readonly answer: HookAnswer }
  /** There are no rules here that work; a process may still have the last good ones. */
  | { readonly ok: false; readonly message: string };

export async function checkHook(
  call: HookCall,
  { gates, begun, isWatched }: Pick<HookService, "gates" | "begun" | "isWatched">,
): Promise<CheckedHook> {
  const { text, cwd, env, caller } = call;
  const { read, agent, isAskedElsewhere } = await readCall(call.agent, text, env);
  if (call.isOwner && isAskedElsewhere) return { ok: true, answer: silence };
  const request = { agent, stdin: text, env, cwd, caller: caller.id };
  if (read.ok && isEnd(read.input) && !mayEnd(call, read.input, begun)) {
    const message = `${caller.id} told how a call of ${read.input.tool} ended that it did not begin here; it is not taken.`;
    recordRefused(request, "bad_call", message);
    return { ok: true, answer: silence };
  }
  // Denials of what is no call, the ends of calls and new tasks: the same words in the same spool as from a process.
  if (!read.ok || read.input.event !== "PreToolUse")
    return { ok: true, answer: await runHook({ ...request, strangers: gates.strangers }) };
  const { input } = read;
  const place = findPlace({ agent, input, env, startedIn: cwd });
  if (place === undefined) return { ok: false, message: "Nothing says where the call happens." };
  const found = await gates.find({ ...place, env }).catch(cannotOpen);
  if (!found.ok) return found;
  const { gate, asking, warnings, outdated } = found;
  // Only the script asks for the note, and it always asks in the name of the owner.
  if (call.isOwner) noteAfterHooks(findFolders(env).state, input.sessionId, found.hooks);
  const files = agentsPlace(agent, env);
  const asks = whoAsks({ agent, input, place: files }, asking);
  // The agent's own person is asked, unless somebody is there to whom the queue shows it.
  const mayWait = () => asks.agent === "never" || (asks.agent === "unwatched" && isWatched());
  const stop = new AbortController();
  let isLate = false;
  const leave = () => stop.abort();
  const timer = setTimeout(() => {
    isLate = true;
    leave();
  }, call.waitMs);
  call.signal.addEventListener("abort", leave, { once: true });
  try {
    const { tool, sessionId, toolUseId } = input;
    const result = await gate.check(
      {
        tool,
        input: input.input,
        sessionId,
        toolUseId,
        mode: input.mode,
        isPlanning: mayPlan(agent, input, files),
        unsure: asks.unsure,
        cwd: input.cwd ?? cwd,
        surface: "hook",
        agent: askingAgent(agent, input),
        caller,
        isStillAllowed: call.isStillAllowed,
        signal: stop.signal,
      },
      { wait: mayWait },
    );
    if (result.verdict !== "deny") begun.begin(caller.id, { tool, sessionId, toolUseId });
    const told = isUnanswered(result, isLate) ? withAdvice(result, call.waitMs) : result;
    const answer = answerCheck({ agent, input: input.input, asks }, told, { warnings, outdated });
    return { ok: true, answer };
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener("abort", leave);
  }
}

/** Such as a store that cannot be reached. */
function cannotOpen(error: unknown): { readonly ok: false; readonly message: string } {
  return { ok: false, message: messageOf(error) };
}

function isEnd({ event }: HookInput): boolean {
  return event === "PostToolUse" || event === "PostToolUseFailure";
}

/** Otherwise somebody else's word about a call and its result would stand in the record. */
function mayEnd({ caller, isOwner }: HookCall, { tool, sessionId, toolUseId }: HookInput, begun: BegunCalls) {
  const whose = begun.end(caller.id, { tool, sessionId, toolUseId });
  return whose === "own" || (whose === "unknown" && isOwner);
}

function isUnanswered({ error }: CheckResult, isLate: boolean): boolean {
  return error?.code === "approval_expired" || (error?.code === "cancelled" && isLate);
}

/** The agent waits no longer, so the question is over; the next one can be answered. */
function withAdvice(result: CheckResult, waitMs: number): CheckResult {
  return {
    ...result,
    message: `Nobody answered within ${Math.round(waitMs / 1_000)} seconds whether ${result.tool} may run.`,
    hint: "Make the call again, and while it waits a person can answer it: toolgate approvals list, then toolgate approvals approve ID (with --scope session also for the next ones).",
  };
}
