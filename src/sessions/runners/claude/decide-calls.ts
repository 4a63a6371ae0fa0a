/** What the agent asks before and after it runs a tool. On any doubt the answer is no. */

import type { HookInput } from "../../../agents/agent-hook.ts";
import { isHarmless } from "../../../agents/claude-code/planning.ts";
import { readHookCall } from "../../../agents/read-hook-input.ts";
import { messageOf } from "../../../core/call/errors.ts";
import type { CheckResult } from "../../../core/call/outcome.ts";
import { isJsonObject, type Json } from "../../../core/input/json.ts";
import type { AgentCall, SessionCalls } from "../../session-calls.ts";
import { toolPrefix } from "./gate-server.ts";
import type { MessageIds } from "./message-ids.ts";
import type { HookCallback } from "./sdk.ts";

export interface DecideParts {
  readonly calls: SessionCalls;
  readonly messageIds: MessageIds;
  /** Of the turn that runs. Undefined: none does, and nothing may happen. */
  readonly turnSignal: () => AbortSignal | undefined;
  /** The agent goes on: what a person has sent meanwhile can be told to it. */
  readonly onStep: () => Promise<void>;
}

/** The gate runs every tool: what is not ours cannot run, whatever the agent thinks that it has. */
export const onlyOurs: HookCallback = async (input) => {
  const tool = isJsonObject(input) ? input.tool_name : undefined;
  if (typeof tool === "string" && tool.startsWith(toolPrefix)) return allow();
  return deny(`${String(tool)} is not a tool of this session. Its tools begin with ${toolPrefix}.`);
};

/** The agent runs its own tools: the gate decides about each call. */
export class OwnCalls {
  readonly #parts: DecideParts;
  /** Those that may run, by the model's id of the use. */
  readonly #allowed = new Map<string, { readonly call: AgentCall; readonly result: CheckResult }>();

  constructor(parts: DecideParts) {
    this.#parts = parts;
  }

  readonly before: HookCallback = async (input, _toolUseId, { signal }) => {
    try {
      const read = isJsonObject(input) ? readHookCall(input) : undefined;
      if (read?.ok !== true) return deny(`toolgate could not read the call: ${read?.message ?? "no object"}`);
      return await this.#decide(read.input, signal);
    } catch (error) {
      return deny(`toolgate could not decide about the call: ${messageOf(error)}`);
    }
  };

  readonly after: HookCallback = async (input) => {
    const read = isJsonObject(input) ? readHookCall(input) : undefined;
    if (read?.ok !== true) return {};
    const { event, toolUseId = "", response = null, error = "", durationMs = 0 } = read.input;
    const allowed = this.#allowed.get(toolUseId);
    this.#allowed.delete(toolUseId);
    if (allowed === undefined) return {};
    const ok = event === "PostToolUse";
    const { contexts, taskEnd, stop } = await this.#parts.calls.ended(allowed.call, {
      ok,
      callId: allowed.result.callId,
      ...(!ok && { code: "tool_failed" }),
      text: shown(ok ? response : error),
      ran: { result: response, durationMs },
    });
    await this.#parts.onStep();
    return {
      ...(taskEnd !== undefined && { continue: false, stopReason: taskEnd.message }),
      ...(stop !== undefined && { decision: "block", reason: stop.message }),
      ...(contexts.length > 0 && {
        hookSpecificOutput: { hookEventName: event, additionalContext: contexts.join("\n\n") },
      }),
    };
  };

  /**
   * The agent asks its host once more about some calls, such as a change of its own settings. What the gate has
   * allowed is not asked twice; everything else ends here.
   */
  readonly mayRun = async (
    tool: string,
    input: unknown,
    { toolUseID }: { readonly toolUseID?: string | undefined },
  ): Promise<Readonly<Record<string, unknown>>> => {
    const allowed = this.#allowed.get(toolUseID ?? "");
    const decided = allowed?.result.input ?? allowed?.call.input;
    if (allowed?.call.tool === tool && isSame(decided, input))
      return { behavior: "allow", updatedInput: input };
    return { behavior: "deny", message: `toolgate has not allowed this call of ${tool}.` };
  };

  /** What was allowed in a turn that is over ends with it. */
  forget(): void {
    this.#allowed.clear();
  }

  async #decide(input: HookInput, asking: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const turn = this.#parts.turnSignal();
    const { tool, toolUseId, cwd, agentId: id, agentType: type } = input;
    if (turn === undefined) return deny("No turn of this session runs, so its agent may do nothing.");
    if (toolUseId === undefined) return deny("The call has no id, so nobody could tell how it ended.");
    const { calls, messageIds } = this.#parts;
    const call: AgentCall = {
      tool,
      input: input.input,
      toolUseId,
      messageId: await messageIds.of(toolUseId),
      isHarmless: isHarmless(input),
      cwd,
      signal: AbortSignal.any([turn, asking]),
    };
    const isSub = id !== undefined || type !== undefined;
    const result = await calls.check(call, {
      name: "claude-code",
      ...(isSub && { subAgent: { id, type } }),
    });
    const { verdict, contexts } = result;
    const mayRun = verdict === "allow" || (verdict === "abstain" && call.isHarmless === true);
    if (mayRun && !call.signal.aborted) {
      this.#allowed.set(toolUseId, { call, result });
      return allow(result.input, contexts);
    }
    const { message = "toolgate does not allow this call.", hint = "", error, callId } = result;
    const reason = [message, hint].filter((text) => text !== "").join(" ");
    await calls.ended(call, { ok: false, callId, code: error?.code, text: reason });
    return deny(reason, contexts);
  }
}

function allow(updatedInput?: unknown, contexts: readonly string[] = []) {
  return before(
    { permissionDecision: "allow", ...(updatedInput !== undefined && { updatedInput }) },
    contexts,
  );
}

function deny(permissionDecisionReason: string, contexts: readonly string[] = []) {
  return before({ permissionDecision: "deny", permissionDecisionReason }, contexts);
}

function before(said: Readonly<Record<string, unknown>>, contexts: readonly string[]) {
  const additionalContext = contexts.length === 0 ? {} : { additionalContext: contexts.join("\n\n") };
  return { hookSpecificOutput: { hookEventName: "PreToolUse", ...said, ...additionalContext } };
}

function isSame(decided: unknown, asked: unknown): boolean {
  return JSON.stringify(decided) === JSON.stringify(asked);
}

const shownCharacters = 20_000;

/** For people who read the log; the model has the whole. */
function shown(response: Json): string {
  const text = textOf(response);
  return text.length > shownCharacters
    ? `${text.slice(0, shownCharacters)}\n[${text.length} characters]`
    : text;
}

/** Each tool answers in a form of its own; the one of a command is what most of them are. */
function textOf(response: Json): string {
  if (typeof response === "string") return response;
  const { stdout, stderr = "" } = isJsonObject(response) ? response : {};
  if (typeof stdout !== "string") return JSON.stringify(response);
  return [stdout, stderr].filter((part) => part !== "").join("\n");
}
