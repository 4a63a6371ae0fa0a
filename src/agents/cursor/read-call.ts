/**
 * Reads what Cursor sends. One call comes as several events: `preToolUse` for every tool, and one more for a shell,
 * an MCP server's tool and a file. Installed are the first and the one for MCP servers; all of them are understood.
 */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { HookEvent, HookInput, ReadHookInput } from "../agent-hook.ts";
import { isAbsolute, isText, noCall } from "../hook-fields.ts";
import { nameTool } from "../mcp-tool-name.ts";
import { readJsonCall, shorten } from "../read-json-call.ts";
import { writeToFile, writeToShell } from "./write-answer.ts";

const form = 'Cursor sends {"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {...}}.';

/** Claude Code's names stand in calls of an entry in its settings. */
const events = new Map<Json | undefined, HookEvent>([
  ["preToolUse", "PreToolUse"],
  ["PreToolUse", "PreToolUse"],
  ["beforeShellExecution", "PreToolUse"],
  ["beforeMCPExecution", "PreToolUse"],
  ["beforeReadFile", "PreToolUse"],
  ["postToolUse", "PostToolUse"],
  ["PostToolUse", "PostToolUse"],
  ["postToolUseFailure", "PostToolUseFailure"],
  ["beforeSubmitPrompt", "UserPromptSubmit"],
  ["UserPromptSubmit", "UserPromptSubmit"],
]);

/** `isAskedByServer`: an MCP server's tool will come once more, with the name of its server. */
export function readCursorCall(text: string, isAskedByServer: () => boolean): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  const { value } = read;
  const event = events.get(value.hook_event_name);
  if (event === undefined)
    return refuse(
      `The event ${shorten(JSON.stringify(value.hook_event_name ?? null))} is not one that toolgate answers. ${form}`,
    );
  const context = contextOf(value);
  if (event === "UserPromptSubmit")
    return { ok: true, input: { event, tool: noCall, input: {}, ...context } };
  if (value.hook_event_name === "beforeShellExecution") return readShell(value, context);
  if (value.hook_event_name === "beforeReadFile") return readFile(value, context);
  if (value.hook_event_name === "beforeMCPExecution") return readServerCall(value, context);
  const { tool_name: tool, tool_input: input = null } = value;
  if (!isText(tool)) return refuse(`The call names no tool: "tool_name" must be text. ${form}`);
  if (!isJsonObject(input))
    return refuse(`The input of ${shorten(tool)} is missing: "tool_input" must be a JSON object. ${form}`);
  if (event === "PreToolUse" && tool.startsWith("MCP:") && !isAskedByServer())
    return refuse(
      `${shorten(tool)} is a tool of an MCP server, and Cursor does not say of which one, so nobody knows which rules hold. Run: toolgate install cursor.`,
    );
  return { ok: true, input: { event, tool, input, ...context, ...resultOf(value) } };
}

function readShell(value: JsonObject, context: Context): ReadHookInput {
  const { command, cwd } = value;
  if (!isText(command)) return refuse(`The command is missing: "command" must be text. ${form}`);
  const input = { command, ...(isText(cwd) && { cwd }) };
  return {
    ok: true,
    speaker: shellSpeaker,
    input: { event: "PreToolUse", tool: "Shell", input, ...context },
  };
}

function readFile(value: JsonObject, context: Context): ReadHookInput {
  const { file_path } = value;
  if (!isText(file_path)) return refuse(`The file is missing: "file_path" must be text. ${form}`);
  const speaker = { name: "cursor", write: writeToFile };
  return {
    ok: true,
    speaker,
    input: { event: "PreToolUse", tool: "Read", input: { file_path }, ...context },
  };
}

/** The input is a text that holds JSON. */
function readServerCall(value: JsonObject, context: Context): ReadHookInput {
  const { tool_name: tool, tool_input: text, mcp_server_name: server } = value;
  if (!isText(tool)) return refuse(`The call names no tool: "tool_name" must be text. ${form}`);
  if (!isText(server))
    return refuse(
      `${shorten(tool)} is a tool of an MCP server that Cursor does not name, so nobody knows which rules hold. Update Cursor, or put the server behind toolgate.`,
    );
  const inner = isText(text) ? readJsonCall(text, "It must be a text that holds a JSON object.") : undefined;
  if (inner?.ok === false) return refuse(`The input of ${shorten(tool)} cannot be read. ${inner.message}`);
  const input = inner?.value ?? (isJsonObject(text ?? null) ? (text as JsonObject) : undefined);
  if (input === undefined) return refuse(`The input of ${shorten(tool)} is missing. ${form}`);
  const named = nameTool(`MCP:${tool}`, server, tool);
  if (!named.ok) return named;
  return {
    ok: true,
    speaker: shellSpeaker,
    input: { event: "PreToolUse", ...named.named, input, ...context },
  };
}

/** Before a shell and an MCP server's tool no new input is taken. */
const shellSpeaker = { name: "cursor", write: writeToShell };

type Context = Omit<HookInput, "event" | "tool" | "input">;

function contextOf(value: JsonObject): Context {
  const { conversation_id: conversation, session_id: session, tool_use_id: toolUseId, cwd } = value;
  const { cursor_version: agentVersion, workspace_roots: roots } = value;
  const sessionId = isText(conversation) ? conversation : session;
  // It was seen to be empty before a tool.
  const folder = isText(cwd) ? cwd : Array.isArray(roots) ? roots[0] : undefined;
  return {
    mode: "act",
    ...(isText(sessionId) && { sessionId }),
    ...(isText(toolUseId) && { toolUseId }),
    ...(isText(agentVersion) && { agentVersion }),
    ...(isText(folder) && isAbsolute(folder) && { cwd: folder }),
  };
}

function resultOf(value: JsonObject): Pick<HookInput, "response" | "error" | "durationMs"> {
  const { tool_output: response, error_message: error, duration: durationMs } = value;
  return {
    ...(response !== undefined && { response }),
    ...(isText(error) && { error }),
    ...(typeof durationMs === "number" && { durationMs }),
  };
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
