/** The gate repeats an idempotent tool whose code throws: this throws the failures that may pass. */
import { type ToolResult, textOf } from "../../../core/call/content.ts";
import type { PreparedHandler } from "./prepared-handler.ts";

const maxCharacters = 4_000;

/** Only for tools with retries: what is thrown keeps no more than the start of its text. */
export function retrying(handler: PreparedHandler): PreparedHandler {
  return {
    ...handler,
    run: async (args, context) => {
      const result = await handler.run(args, context);
      if (!result.isError || !mayPass(result)) return result;
      const text = textOf(result);
      throw new Error(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);
    },
  };
}

/** A refused address or a 404 stays so; a busy server, a broken connection or a failed command may not. */
function mayPass({ structured }: ToolResult): boolean {
  const { code, status, exitCode } = (structured ?? {}) as {
    readonly code?: string;
    readonly status?: number;
    readonly exitCode?: number | null;
  };
  if (status !== undefined) return [408, 425, 429, 500, 502, 503, 504].includes(status);
  return code === "network_error" || code === "timed_out" || exitCode !== undefined;
}
