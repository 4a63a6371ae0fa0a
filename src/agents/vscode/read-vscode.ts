/**
 * Reads what VS Code sends: Claude Code's fields, of which some are in camelCase. Copilot CLI has nearly the same
 * form for hooks in settings of Claude Code, without an id of the call.
 */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { AgentPlace } from "../agent.ts";
import { type HookEvent, type HookInput, hookEvents, type ReadHookInput } from "../agent-hook.ts";
import { nameMcpTool } from "../copilot/mcp-tool.ts";
import { writeSecondForm } from "../copilot/second-form.ts";
import { isAbsolute, isText, noCall } from "../hook-fields.ts";
import { shorten } from "../read-json-call.ts";
import { writeVscode } from "./answer.ts";
import { nameVscodeTool } from "./mcp-tool.ts";

export const form = 'VS Code sends {"hookEventName": "PreToolUse", "tool_name": "...", "tool_input": {...}}.';

export function readVscodeCall(value: JsonObject, place: AgentPlace): ReadHookInput {
  const event = value.hook_event_name ?? value.hookEventName ?? null;
  if (!isHookEvent(event))
    return refuse(`The event ${shorten(JSON.stringify(event))} is not one that toolgate answers. ${form}`);
  const context = contextOf(value);
  const isCopilot = !("hookEventName" in value || "tool_use_id" in value || "transcript_path" in value);
  const speaker = isCopilot
    ? { name: "copilot", write: writeSecondForm }
    : { name: "vscode", write: writeVscode };
  if (event === "UserPromptSubmit")
    return { ok: true, speaker, input: { event, tool: noCall, input: {}, ...context } };
  const { tool_name: tool, tool_input: input = null, tool_response: response } = value;
  if (!isText(tool)) return refuse(`The call names no tool: "tool_name" must be text. ${form}`);
  if (!isJsonObject(input))
    return refuse(`The input of ${shorten(tool)} is missing: "tool_input" must be a JSON object. ${form}`);
  const inside = { ...place, cwd: context.cwd };
  const named = isCopilot ? nameMcpTool(tool, inside) : nameVscodeTool(tool, inside);
  if (!named.ok) return named;
  return {
    ok: true,
    speaker,
    input: { event, ...named.named, input, ...context, ...(response !== undefined && { response }) },
  };
}

function contextOf(value: JsonObject): Omit<HookInput, "event" | "tool" | "input"> {
  const { cwd, tool_use_id: toolUseId, agent_id: agentId, agent_type: agentType } = value;
  const sessionId = value.session_id ?? value.sessionId;
  return {
    mode: "act",
    ...(isText(sessionId) && { sessionId }),
    ...(isText(toolUseId) && { toolUseId }),
    ...(isText(cwd) && isAbsolute(cwd) && { cwd }),
    ...(isText(agentId) && { agentId }),
    ...(isText(agentType) && { agentType }),
  };
}

function isHookEvent(value: Json): value is HookEvent {
  return (hookEvents as readonly Json[]).includes(value);
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
