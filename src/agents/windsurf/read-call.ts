/** Reads what Windsurf sends: `agent_action_name` is the event, `tool_info` holds what the call is about. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { HookEvent, HookInput, ReadHookInput } from "../agent-hook.ts";
import { isAbsolute, isText, noCall } from "../hook-fields.ts";
import { nameTool } from "../mcp-tool-name.ts";
import { readJsonCall, shorten } from "../read-json-call.ts";

const form = 'Windsurf sends {"agent_action_name": "pre_run_command", "tool_info": {...}}.';

type Call = Pick<HookInput, "tool" | "agentTool" | "input">;

/** By the event, without `pre_` or `post_`. A text: what is missing. */
const kinds: Readonly<Record<string, (info: JsonObject) => Call | string>> = {
  run_command({ command_line, cwd }) {
    if (!isText(command_line)) return '"command_line" must be text';
    return { tool: "run_command", input: { command_line, ...(isText(cwd) && { cwd }) } };
  },
  read_code({ file_path }) {
    return isText(file_path) ? { tool: "read_code", input: { file_path } } : '"file_path" must be text';
  },
  write_code: readWriting,
  mcp_tool_use({ mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: input = null }) {
    if (!isText(server) || !isText(tool)) return '"mcp_server_name" and "mcp_tool_name" must be text';
    if (!isJsonObject(input)) return '"mcp_tool_arguments" must be an object';
    const named = nameTool(tool, server, tool);
    return named.ok ? { ...named.named, input } : named.message;
  },
};

export function readWindsurfCall(text: string): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  const { agent_action_name: action, tool_info: info = null } = read.value;
  const context = contextOf(read.value, info);
  if (action === "pre_user_prompt")
    return { ok: true, input: { event: "UserPromptSubmit", tool: noCall, input: {}, ...context } };
  const [, when, kind = ""] = /^(pre|post)_(\w+)$/.exec(String(action)) ?? [];
  const toCall = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (toCall === undefined)
    return refuse(
      `The event ${shorten(JSON.stringify(action ?? null))} is not one that toolgate answers. ${form}`,
    );
  const call = isJsonObject(info) ? toCall(info) : '"tool_info" must be an object';
  if (typeof call === "string") return refuse(`The call cannot be read: ${call}. ${form}`);
  const event: HookEvent = when === "pre" ? "PreToolUse" : "PostToolUse";
  const result = isJsonObject(info) ? info.mcp_result : undefined;
  return {
    ok: true,
    input: { event, ...call, ...context, ...(result !== undefined && { response: result }) },
  };
}

/**
 * Each edit has an old and a new text. Where no old text stands in any of them, a file is written: rules for writing
 * see its whole text.
 */
function readWriting({ file_path, edits = null }: JsonObject): Call | string {
  if (!isText(file_path)) return '"file_path" must be text';
  const list = Array.isArray(edits) ? edits : [];
  const all = list.filter(isJsonObject);
  if (all.length !== list.length || list.length === 0) return '"edits" must be a list of objects';
  const isNew = all.every(({ old_string = "" }) => old_string === "");
  const texts = all.map(({ new_string }) => new_string);
  if (!texts.every((one) => typeof one === "string")) return 'each edit must have a text "new_string"';
  if (isNew)
    return { tool: "Write", agentTool: "write_code", input: { file_path, content: texts.join("\n") } };
  return { tool: "write_code", input: { file_path, edits: all } };
}

function contextOf(value: JsonObject, info: Json): Omit<HookInput, "event" | "tool" | "input"> {
  const { trajectory_id: sessionId, execution_id: toolUseId } = value;
  const cwd = isJsonObject(info) ? info.cwd : undefined;
  return {
    mode: "act",
    ...(isText(sessionId) && { sessionId }),
    ...(isText(toolUseId) && { toolUseId }),
    ...(isText(cwd) && isAbsolute(cwd) && { cwd }),
  };
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
