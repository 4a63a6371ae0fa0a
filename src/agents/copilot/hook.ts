/**
 * What a call of Copilot CLI needs. VS Code reads the same files, and Copilot itself has a second form for
 * settings of Claude Code: the fields of a call say which form it has, and the answer gets the same.
 */
import type { AgentPlace } from "../agent.ts";
import type { AgentHook, ReadHookInput } from "../agent-hook.ts";
import { readJsonCall } from "../read-json-call.ts";
import { readVscodeCall } from "../vscode/read-vscode.ts";
import { form, readCopilotCall } from "./read-copilot.ts";
import { writeCopilot } from "./write-answer.ts";

/** No `ownPrompt`: without a person its own prompt refuses, and with one our queue asks, as everywhere. */
export const copilotHook: AgentHook = { read, write: writeCopilot };

function read(text: string, place: AgentPlace): ReadHookInput {
  const parsed = readJsonCall(text, form);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  // Copilot's own form names no event.
  const isOther = "hook_event_name" in value || "hookEventName" in value;
  return isOther ? readVscodeCall(value, place) : readCopilotCall(value, place);
}
