/** Reads what Qwen Code sends: the form of Claude Code, with ids of its own. */
import type { JsonObject } from "../../core/input/json.ts";
import type { ReadHookInput } from "../agent-hook.ts";
import { readHookCall } from "../read-hook-input.ts";
import { readJsonCall } from "../read-json-call.ts";

const form = 'Send {"tool_name": "run_shell_command", "tool_input": {"command": "..."}}.';

export function readCall(text: string): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  // What it calls `tool_use_id` is made up for the hook; the model's own id has another name.
  const { tool_use_id: _, tool_call_id: id, session_id: session, ...call } = read.value;
  return readHookCall({
    ...call,
    ...(id !== undefined && { tool_use_id: id }),
    ...(session !== undefined && speaksForSession(call) && { session_id: session }),
  });
}

/**
 * It says so before most requests to the model, results of tools too. Only with the words of a person is it a
 * new task; without a session nothing begins.
 */
function speaksForSession({ hook_event_name: event, submitted_prompt: said }: JsonObject): boolean {
  return event !== "UserPromptSubmit" || typeof said === "string";
}
