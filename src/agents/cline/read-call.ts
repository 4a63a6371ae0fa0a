/**
 * Reads what Cline hands to its file hooks, and our plugin sends in the same form: `hookName: "tool_call"` with
 * `tool_call: {id, name, input}` from the command line, `hookName: "PreToolUse"` with `preToolUse: {toolName,
 * parameters}` from the extensions of editors, where every parameter is text.
 */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { HookEvent, HookInput, ReadHookInput } from "../agent-hook.ts";
import { isAbsolute, isText } from "../hook-fields.ts";
import { readJsonCall, shorten } from "../read-json-call.ts";
import { nameClineTool } from "./mcp-tool-name.ts";
import { readShellInput } from "./shell-input.ts";

const form = 'Send {"hookName": "tool_call", "tool_call": {"id": "1", "name": "run_commands", "input": {}}}.';

export function readClineCall(text: string): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  const { value } = read;
  const { hookName } = value;
  const about = contextOf(value);
  if (hookName === "prompt_submit" || hookName === "UserPromptSubmit")
    return { ok: true, input: { event: "UserPromptSubmit", tool: "(a new task)", input: {}, ...about } };
  const called = callOf(value);
  if (called === undefined)
    return refuse(`${shorten(JSON.stringify(hookName ?? null))} is not an event with a call. ${form}`);
  const { event, name, input, ...result } = called;
  if (!isText(name)) return refuse(`The call names no tool. ${form}`);
  // A call whose input is missing or of another shape would pass every rule that looks at a field.
  if (input === undefined || !isJsonObject(input))
    return refuse(`The input of ${shorten(name)} is missing. ${form}`);
  const servers = Array.isArray(value.servers) ? value.servers.filter(isText) : [];
  const named = nameClineTool({ tool: name, input, servers });
  if ("problem" in named) return refuse(named.problem);
  const agentTool = named.tool === name ? {} : { agentTool: name };
  return {
    ok: true,
    input: {
      event,
      tool: named.tool,
      ...agentTool,
      input: readShellInput(name, named.input),
      ...about,
      ...result,
    },
  };
}

interface Called extends Partial<Pick<HookInput, "toolUseId" | "response" | "error" | "durationMs">> {
  readonly event: HookEvent;
  readonly name: Json | undefined;
  readonly input: Json | undefined;
}

function callOf({
  hookName,
  tool_call,
  tool_result,
  preToolUse,
  postToolUse,
}: JsonObject): Called | undefined {
  if (hookName === "tool_call" && objectOf(tool_call)) return fieldsOf("PreToolUse", tool_call);
  if (hookName === "tool_result" && objectOf(tool_result)) {
    const { output, error, durationMs } = tool_result;
    return {
      ...fieldsOf(error === undefined || error === null ? "PostToolUse" : "PostToolUseFailure", tool_result),
      ...(output !== undefined && { response: output }),
      ...(isText(error) && { error }),
      ...(typeof durationMs === "number" && { durationMs }),
    };
  }
  if (hookName === "PreToolUse" && objectOf(preToolUse))
    return { event: "PreToolUse", name: preToolUse.toolName, input: preToolUse.parameters };
  if (hookName === "PostToolUse" && objectOf(postToolUse)) {
    const { toolName: name, parameters: input, result, success, executionTimeMs: durationMs } = postToolUse;
    return {
      ...{ event: success === false ? "PostToolUseFailure" : "PostToolUse", name, input },
      ...(result !== undefined && { response: result }),
      ...(typeof durationMs === "number" && { durationMs }),
    };
  }
  return undefined;
}

function fieldsOf(event: HookEvent, { id, name, input }: JsonObject): Called {
  return { event, name, input, ...(isText(id) && { toolUseId: id }) };
}

function contextOf(value: JsonObject): Omit<HookInput, "event" | "tool" | "input"> {
  const { taskId, workspaceRoots, clineVersion, agent_id: agentId, parent_agent_id: parent } = value;
  const [cwd] = Array.isArray(workspaceRoots) ? workspaceRoots : [];
  return {
    mode: "act",
    ...(isText(taskId) && { sessionId: taskId }),
    ...(isText(cwd) && isAbsolute(cwd) && { cwd }),
    ...(isText(clineVersion) && { agentVersion: clineVersion }),
    // The main agent has an id, too.
    ...(isText(agentId) && isText(parent) && { agentId }),
  };
}

function objectOf(value: Json | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
