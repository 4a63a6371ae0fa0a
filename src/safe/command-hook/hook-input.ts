/** What a program is told about a call: our own object, or the one that hooks of Claude Code read. */
import type { CommandHook, HookEvent } from "../../core/call/hook.ts";
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";

/** What goes through standard input: nothing of a call is ever an argument or a variable. */
export function hookInput({ wire }: CommandHook, event: HookEvent): object {
  return wire === "claude-code" ? claudeInput(event) : event;
}

function claudeInput(event: HookEvent): object {
  const { sessionId, toolUseId, callId, cwd } = event;
  const facts = {
    session_id: sessionId ?? "",
    transcript_path: "",
    cwd,
    permission_mode: "default",
    tool_use_id: toolUseId ?? callId,
  };
  if ("preToolUse" in event) {
    const { toolName, parameters } = event.preToolUse;
    return { ...facts, hook_event_name: "PreToolUse", ...claudeCall(event, toolName, parameters) };
  }
  if ("postToolUse" in event) {
    const { toolName, parameters, result, executionTimeMs } = event.postToolUse;
    return {
      ...facts,
      hook_event_name: "PostToolUse",
      ...claudeCall(event, toolName, parameters),
      tool_response: result ?? null,
      duration_ms: Math.round(executionTimeMs),
    };
  }
  const { toolName, error } = event.onError;
  return { ...facts, hook_event_name: "PostToolUseFailure", ...claudeCall(event, toolName, {}), error };
}

/** A script that looks for `Bash` and its `command` must find them, whatever name the call came by. */
function claudeCall({ calledAs }: HookEvent, toolName: string, parameters: JsonObject): object {
  if (claudeNames.has(calledAs)) return { tool_name: calledAs, tool_input: parameters };
  const name = namesById.get(toolName) ?? toolName;
  return { tool_name: name, tool_input: takesFile.has(name) ? withFilePath(parameters) : parameters };
}

const namesById = new Map([
  ["shell.exec", "Bash"],
  ["shell.output", "BashOutput"],
  ["shell.kill", "KillShell"],
  ["fs.read", "Read"],
  ["fs.write", "Write"],
  ["fs.edit", "Edit"],
  ["fs.list", "LS"],
  ["search.grep", "Grep"],
  ["search.glob", "Glob"],
  ["web.fetch", "WebFetch"],
  ["web.search", "WebSearch"],
  ["task.todo", "TodoWrite"],
  ["task.ask", "AskUserQuestion"],
  ["task.spawn", "Task"],
  ["skill.load", "Skill"],
  ["mcp.resource_list", "ListMcpResourcesTool"],
  ["mcp.resource_read", "ReadMcpResourceTool"],
]);
/** Several tools of that client are one of ours: then the name that was called says more. */
const claudeNames = new Set([
  ...namesById.values(),
  ...["MultiEdit", "NotebookEdit", "Agent", "EnterPlanMode", "ExitPlanMode", "ToolSearch"],
]);
const takesFile = new Set(["Read", "Write", "Edit"]);

function withFilePath(parameters: JsonObject): JsonObject {
  if (!isJsonObject(parameters) || parameters.file_path !== undefined || parameters.path === undefined)
    return parameters;
  const { path, ...rest } = parameters;
  return { file_path: path, ...rest };
}
