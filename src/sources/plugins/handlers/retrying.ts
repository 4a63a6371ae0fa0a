/** The gate tries an idempotent tool again when its code throws: here those failures are thrown that another try may mend. */
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

/** A refused address or a 404 is the same next time; a busy server, a broken connection or a command that failed may not be. */
function mayPass({ structured }: ToolResult): boolean {
  const { code, status, exitCode } = (structured ?? {}) as {
    readonly code?: string;
    readonly status?: number;
    readonly exitCode?: number | null;
  };
  if (status !== undefined) return [408, 425, 429, 500, 502, 503, 504].includes(status);
  return code === "network_error" || code === "timed_out" || exitCode !== undefined;
}
