/** What comes when a call has ended, or a person gives the session something new to do: nothing is denied. */
import { type HookAgent, type HookAnswer, type HookInput, silence } from "../../../agents/agent-hook.ts";
import type { Environment } from "../../../config/folders.ts";
import { messageOf } from "../../../core/call/errors.ts";
import { createChecker } from "../../../gate/create-checker.ts";
import { openTasks } from "../../../open/open-tasks.ts";
import { shortenText } from "../../../safe/redact/shorten.ts";
import { answerAfter } from "./answer.ts";
import { findRules, type RulesRequest } from "./find-rules.ts";
import type { Spool } from "./spool.ts";

/** What is known of a call once it is read, or could not be. */
export interface Asked {
  readonly agent: HookAgent;
  readonly env: Environment;
  readonly shippedFile?: string;
  readonly input: HookInput;
  readonly cwd: string;
  readonly caller: string;
  /** The state folder. */
  readonly state: string;
  readonly spool: Spool;
}

/** `isLarge`: more than hooks are given to read. */
export async function answerEnd(asked: Asked, place: RulesRequest, isLarge: boolean): Promise<HookAnswer> {
  const { event } = asked.input;
  if (event === "UserPromptSubmit") return startTask(asked);
  closeRecord(asked);
  try {
    return await lookBack(asked, place, isLarge);
  } catch (error) {
    const why = `toolgate could not let the hooks look at what ${asked.input.tool} did: ${messageOf(error)}`;
    return answerAfter(asked.agent, event, { warnings: [why] });
  }
}

/** The person goes on, so what a hook ended is over, and a new task begins. */
async function startTask({ agent, input, caller, state }: Asked): Promise<HookAnswer> {
  const { event, sessionId, agentId } = input;
  // What a sub-agent is told to do comes from the model: no person goes on.
  if (sessionId === undefined || agentId !== undefined) return silence;
  try {
    await openTasks(state).start(caller, sessionId);
    return silence;
  } catch (error) {
    const why = `toolgate could not start a new task, so calls may still be refused: ${messageOf(error)}`;
    return answerAfter(agent, event, { warnings: [why] });
  }
}

/** For hooks that are programs, together: the whole stays below the half minute that agents wait for us. */
export const hooksMs = 18_000;

async function lookBack(asked: Asked, place: RulesRequest, isLarge: boolean): Promise<HookAnswer> {
  const { agent, input, cwd, caller, state, spool } = asked;
  const found = await findRules({ ...place, isUnheard: true });
  if (!found.ok) return silence;
  const { rules, checkDefault, projectDir: root, hooks = [] } = found.cache;
  const { tool, sessionId, toolUseId, event, error, durationMs = 0 } = input;
  try {
    if (!hooks.some(({ type }) => type !== "PreToolUse")) return silence;
    if (isLarge) return answerAfter(agent, event, { problem: tooLarge(tool) });
    const tasks = openTasks(state);
    const checker = createChecker({ rules, checkDefault, root, ledger: spool, tasks, hooks, hooksMs });
    try {
      const by = { id: caller, capabilities: [] };
      const call = { tool, input: input.input, caller: by, sessionId, toolUseId, cwd, surface: "hook" };
      const failed = event === "PostToolUse" ? undefined : (error ?? "The tool failed.");
      const run = { result: input.response ?? null, error: failed, durationMs };
      const { contexts, taskEnd, stop } = await checker.after(call, run);
      return answerAfter(agent, event, { contexts, taskEnd, problem: stop?.message });
    } finally {
      await checker.close();
    }
  } finally {
    found.cache.close();
  }
}

function tooLarge(tool: string): string {
  return `${tool} ran, and what it answered is too large for the hooks that look at it: none of them has seen it.`;
}

const keptResultCharacters = 500;

/** Best effort: the tool has run. */
function closeRecord({ input, caller, spool }: Asked): void {
  const { tool, sessionId, toolUseId, event, response, error, durationMs } = input;
  try {
    // A response that is nested too deep to be written ends here, too.
    const text = typeof response === "string" ? response : JSON.stringify(response);
    spool.end({
      at: Date.now(),
      askedFor: tool,
      caller,
      ...(sessionId !== undefined && { sessionId }),
      ...(toolUseId !== undefined && { toolUseId }),
      ok: event === "PostToolUse",
      ...(durationMs !== undefined && { durationMs }),
      ...(error !== undefined && { error: shortenText(error, keptResultCharacters) }),
      ...(text !== undefined && { result: shortenText(text, keptResultCharacters) }),
    });
  } catch {
    // A record without an end reads as what it is.
  }
}
