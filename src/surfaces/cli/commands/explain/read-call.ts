/** Reads one tool call from standard input, in the form that `toolgate check` takes. */
import { readHookInput } from "../../../../agents/read-hook-input.ts";
import type { CallRequest } from "../../../../core/call/call.ts";
import { defined } from "../../../../core/input/defined.ts";

/** Longer than any input the gate takes. */
export const maxCallLength = 8 * 1024 * 1024;

export type ReadCall =
  | { readonly ok: true; readonly call: CallRequest }
  | { readonly ok: false; readonly message: string };

export function readCall(text: string): ReadCall {
  const read = readHookInput(text);
  if (!read.ok) return read;
  const { tool, input, mode, sessionId, toolUseId, cwd } = read.input;
  return { ok: true, call: defined({ tool, input, mode, surface: "cli", sessionId, toolUseId, cwd }) };
}
