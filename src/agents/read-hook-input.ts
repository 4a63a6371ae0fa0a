/** Reads the form in which Claude Code and others send a call; `{"tool_name", "tool_input"}` is enough. */
import { isJsonObject, type Json, type JsonObject } from "../core/input/json.ts";
import { type HookEvent, type HookInput, hookEvents, type ReadHookInput } from "./agent-hook.ts";
import { isAbsolute, isText, noCall } from "./hook-fields.ts";
import { readJsonCall, shorten } from "./read-json-call.ts";

const form = 'Send {"tool_name": "Bash", "tool_input": {"command": "..."}}.';

export function readHookInput(text: string): ReadHookInput {
  const read = readJsonCall(text, form);
  return read.ok ? readHookCall(read.value) : read;
}

/** The same form, parsed already. */
export function readHookCall(value: JsonObject): ReadHookInput {
  const event = value.hook_event_name ?? "PreToolUse";
  if (!isHookEvent(event)) {
    return refuse(
      `The event ${shorten(JSON.stringify(event))} is not one that toolgate answers: ${hookEvents.join(", ")}.`,
    );
  }
  if (event === "UserPromptSubmit")
    return { ok: true, input: { event, tool: noCall, input: {}, ...contextOf(value) } };
  const { tool_name: tool, tool_input: input } = value;
  if (typeof tool !== "string" || tool === "")
    return refuse(`The call names no tool: "tool_name" must be text. ${form}`);
  // A call whose input is missing or of another shape would pass every rule that looks at a field.
  if (input === undefined || !isJsonObject(input))
    return refuse(`The input of ${shorten(tool)} is missing: "tool_input" must be a JSON object. ${form}`);
  return { ok: true, input: { event, tool, input, ...contextOf(value), ...resultOf(value) } };
}

function contextOf(value: JsonObject): Omit<HookInput, "event" | "tool" | "input"> {
  const { session_id: sessionId, tool_use_id: toolUseId, cwd, permission_mode: mode } = value;
  const { agent_id: agentId, agent_type: agentType, mcp_server: server } = value;
  return {
    mode: mode === "plan" ? "plan" : "act",
    ...(isText(mode) && { permissionMode: mode }),
    ...(Object.keys(value).some((name) => !ownFields.has(name)) && { isForeign: true }),
    ...(isText(sessionId) && { sessionId }),
    ...(isText(toolUseId) && { toolUseId }),
    ...(isText(cwd) && isAbsolute(cwd) && { cwd }),
    ...(isText(agentId) && { agentId }),
    ...(isText(agentType) && { agentType }),
    ...(server !== undefined && serverOf(server)),
  };
}

const ownFields: ReadonlySet<string> = new Set([
  ...["session_id", "transcript_path", "cwd", "prompt_id", "permission_mode", "effort", "hook_event_name"],
  ...["tool_name", "tool_input", "tool_use_id", "agent_id", "agent_type", "mcp_server"],
  ...["tool_response", "error", "is_interrupt", "duration_ms"],
]);

function serverOf(value: Json): Pick<HookInput, "server"> {
  const { name, source } = isJsonObject(value) ? value : {};
  return isText(name) && isText(source) ? { server: { name, source } } : {};
}

function resultOf(value: JsonObject): Pick<HookInput, "response" | "error" | "durationMs"> {
  const { tool_response: response, error, duration_ms: durationMs } = value;
  return {
    ...(response !== undefined && { response }),
    ...(isText(error) && { error }),
    ...(typeof durationMs === "number" && { durationMs }),
  };
}

function isHookEvent(value: Json): value is HookEvent {
  return (hookEvents as readonly Json[]).includes(value);
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
