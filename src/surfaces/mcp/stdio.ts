/** MCP over a pipe: one message a line in, one a line out. Nothing but messages is ever written. */
import type { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Caller } from "../../core/call/call.ts";
import { onAbort } from "../../core/run/abort.ts";
import { BatchedWriter } from "../../core/run/batched-writer.ts";
import { LineReader } from "../../core/text/line-reader.ts";
import type { McpServer } from "./server-parts.ts";

export interface StdioOptions {
  readonly server: McpServer;
  readonly input: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  readonly caller?: Caller | undefined;
  readonly cwd: string;
}

/** As much as the gate takes of one input, and room for the rest of the message. */
const maxLineBytes = 32 * 1024 * 1024;

/** Resolves when the client has closed its end, or the signal aborts. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { server, input, write, signal, caller, cwd } = options;
  const lines = new BatchedWriter(write, { isAwaited: true });
  const connection = server.connect({
    caller,
    cwd,
    sessionId: `mcp-${randomBytes(8).toString("hex")}`,
    send: (json) => lines.add(json),
  });
  let hasEnded = false;
  const reader = new LineReader(maxLineBytes, {
    line: (line) => {
      // Not every program ends its last line. Half a message was cut off: nobody waits for what it asks.
      if (line.trim() !== "" && (!hasEnded || isJson(line))) connection.receiveText(line);
    },
    tooLong: () => connection.refuse(`A message may have at most ${maxLineBytes} bytes.`),
  });
  await new Promise<void>((resolve) => {
    input.on("data", (chunk: Buffer) => reader.take(chunk));
    input.on("end", () => {
      hasEnded = true;
      reader.end();
    });
    for (const event of ["end", "close", "error"]) input.on(event, () => resolve());
    onAbort(signal, resolve);
  });
  input.pause();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
