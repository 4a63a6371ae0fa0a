/** What most tools answer: a text with the same as data, or why they could not do what was asked. */
import { type ToolResult, toolResult } from "./content.ts";

/** `structured` is for programs, the text for the model. */
export function answered(text: string, structured: unknown, isError = false): ToolResult {
  return toolResult({ content: [{ type: "text", text }], structured, isError });
}

/** Anything with a message for the model: a refusal of `safe/`, or one's own. */
export interface Failure {
  readonly message: string;
  readonly code?: string;
}

/** A failure beside a success, which has `ok: true`. */
export type Failed = Failure & { readonly ok: false };

export function failed(failure: Failure | string): ToolResult {
  const { message, code } = typeof failure === "string" ? { message: failure, code: undefined } : failure;
  return answered(message, code === undefined ? undefined : { code }, true);
}
