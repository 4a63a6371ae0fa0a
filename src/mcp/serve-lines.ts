/** Messages over a pipe: one a line in, one a line out. Nothing but messages is ever written. */
import type { Buffer } from "node:buffer";
import { onAbort } from "../core/run/abort.ts";
import { BatchedWriter } from "../core/run/batched-writer.ts";
import { LineReader } from "../core/text/line-reader.ts";

export interface LinePipe {
  readonly input: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

export interface LineTaker {
  receiveText(text: string): void;
  /** What came cannot be taken. */
  refuse(message: string): void;
}

/** As much as the gate takes of one input, and room for the rest of the message. */
const maxLineBytes = 32 * 1024 * 1024;

/** Resolves when the other side has closed its end, or the signal aborts. */
export async function serveLines(
  { input, write, signal }: LinePipe,
  connect: (send: (json: string) => void) => LineTaker,
): Promise<void> {
  const lines = new BatchedWriter(write, { isAwaited: true });
  const connection = connect((json) => lines.add(json));
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
