/** Messages from a stream of lines: what is none is counted, and a line has a most length. */
import { LineReader } from "../core/text/line-reader.ts";
import { type RpcMessage, saysRpc } from "./messages.ts";

/** Some programs print a banner or a log line to the wrong stream. Counted between two messages. */
const maxStrayLines = 1_000;
const maxStrayBytes = 4 * 1024 * 1024;

export interface LineMessages {
  readonly maxMessageBytes: number;
  readonly message: (message: RpcMessage) => void;
  /** The first line that is no message. */
  readonly stray: (line: string) => void;
  /** Nothing more should be read: what the other side did, as the end of a sentence about it. */
  readonly end: (why: string) => void;
}

/** Returns how to hand over a chunk. */
export function readLines({
  maxMessageBytes,
  message,
  stray: tellStray,
  end,
}: LineMessages): (chunk: Buffer) => void {
  let strayLines = 0;
  let strayBytes = 0;
  const stray = (line: string): void => {
    if (strayLines++ === 0) tellStray(line);
    strayBytes += line.length;
    if (strayLines > maxStrayLines || strayBytes > maxStrayBytes)
      end("printed too much to stdout that is no message of the protocol, and was ended");
  };
  const take = (value: unknown, line: string): void => {
    if (!saysRpc(value)) {
      stray(line);
      return;
    }
    strayLines &&= 1;
    strayBytes = 0;
    message(value);
  };
  const reader = new LineReader(maxMessageBytes, {
    line(line) {
      if (line.trim() === "") return;
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        return stray(line);
      }
      // Of 2025-03-26 only: several messages in one line.
      if (Array.isArray(value)) for (const one of value) take(one, line);
      else take(value, line);
    },
    tooLong: () =>
      end(`sent a message of more than ${maxMessageBytes} bytes and was ended (the limit for one message)`),
  });
  return (chunk) => reader.take(chunk);
}
