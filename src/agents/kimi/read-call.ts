/** Reads what Kimi Code sends: the form of Claude Code, with other names for a call's id and what came of it. */
import type { ReadHookInput } from "../agent-hook.ts";
import { readHookCall } from "../read-hook-input.ts";
import { readJsonCall } from "../read-json-call.ts";

const form = 'Kimi Code sends {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {...}}.';

export function readKimiCall(text: string): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  const { tool_call_id: id, tool_output: output, error, ...rest } = read.value;
  return readHookCall({
    ...rest,
    ...(id !== undefined && { tool_use_id: id }),
    ...(output !== undefined && { tool_response: output }),
    ...(error !== undefined && { error: typeof error === "string" ? error : JSON.stringify(error) }),
  });
}
