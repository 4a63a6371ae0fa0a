/** How a built-in tool says that it could not do what was asked: a message for the model, and the code of what refused it. */
import { type ToolResult, toolResult } from "../../core/call/content.ts";

/** Anything with a message for the model: a refusal of `safe/`, or one's own. */
export interface Failure {
  readonly message: string;
  readonly code?: string;
}

export function failed(failure: Failure | string): ToolResult {
  const { message, code } = typeof failure === "string" ? { message: failure, code: undefined } : failure;
  return toolResult({
    content: [{ type: "text", text: message }],
    ...(code !== undefined && { structured: { code } }),
    isError: true,
  });
}
