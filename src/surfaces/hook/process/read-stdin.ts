/**
 * Reads one call from standard input: bounded in size and time. Not by `process.stdin`, whose streams cost a
 * fifth of an empty Node start; and not by a blocking read, which no deadline could end.
 */
import { read } from "node:fs";

export interface StdinLimits {
  readonly maxBytes: number;
  readonly deadlineMs: number;
}

export type Stdin =
  | { readonly ok: true; readonly text: string }
  /** `stuck`: a read is still waiting, and an ordinary exit would wait for it. */
  | { readonly ok: false; readonly problem: string; readonly stuck: boolean };

export function readStdin(fd: number, { maxBytes, deadlineMs }: StdinLimits): Promise<Stdin> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isWaiting = false;
    let isDone = false;
    const finish = (end: Stdin): void => {
      isDone = true;
      resolve(end);
    };
    const refuse = (problem: string): void => finish({ ok: false, problem, stuck: isWaiting });
    const next = (): void => {
      const chunk = Buffer.allocUnsafe(length === 0 ? firstChunkBytes : chunkBytes);
      isWaiting = true;
      read(fd, chunk, 0, chunk.length, null, (error, bytes) => {
        isWaiting = false;
        if (isDone) return;
        if (error !== null) return failed(error);
        if (bytes === 0) return finish(decode(chunks, length));
        length += bytes;
        if (length > maxBytes) return refuse(`Standard input is larger than ${maxBytes} bytes.`);
        chunks.push(chunk.subarray(0, bytes));
        next();
      });
    };
    const failed = ({ code, message }: NodeJS.ErrnoException): void => {
      // Somebody made the pipe non-blocking: there is nothing to read at the moment.
      if (code === "EAGAIN") setTimeout(next, 2);
      else if (code === "EOF") finish(decode(chunks, length));
      else refuse(`Standard input cannot be read: ${message}`);
    };
    setTimeout(
      () => isDone || refuse(`Standard input was not finished within ${deadlineMs / 1_000} seconds.`),
      deadlineMs,
    ).unref();
    next();
  });
}

/** Most calls fit. */
const firstChunkBytes = 4 * 1024;
const chunkBytes = 64 * 1024;

function decode(chunks: readonly Buffer[], length: number): Stdin {
  const [first] = chunks;
  const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length);
  const text = bytes.toString("utf8");
  // What is not UTF-8 was replaced; then what we judge is not what the agent means.
  if (text.includes("\ufffd") && !Buffer.from(text).equals(bytes))
    return { ok: false, problem: "Standard input is not UTF-8 text.", stuck: false };
  return { ok: true, text };
}
