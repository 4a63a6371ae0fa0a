/** MCP over a pipe: one message a line in, one a line out. */
import { randomBytes } from "node:crypto";
import type { Caller } from "../../core/call/call.ts";
import { type LinePipe, serveLines } from "../../mcp/serve-lines.ts";
import type { McpServer } from "./server-parts.ts";

export interface StdioOptions extends LinePipe {
  readonly server: McpServer;
  readonly caller?: Caller | undefined;
  readonly cwd: string;
}

/** Resolves when the client has closed its end, or the signal aborts. */
export function serveStdio({ server, caller, cwd, ...pipe }: StdioOptions): Promise<void> {
  const sessionId = `mcp-${randomBytes(8).toString("hex")}`;
  return serveLines(pipe, (send) => server.connect({ caller, cwd, sessionId, send }));
}
