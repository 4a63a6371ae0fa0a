/** Reads a stream of server-sent events: the data and id of each, and how long to wait before coming back. */
import { LineReader } from "./line-reader.ts";

export interface SseEvent {
  /** Empty when it only carries an id, from which a broken stream can be continued. */
  readonly data: string;
  /** What kind of event it says it is. */
  readonly event: string | undefined;
  /** Of the last event that had one. */
  readonly id: string | undefined;
}

export interface SseReaderOptions {
  /** Of one event. */
  readonly maxBytes: number;
  readonly onEvent: (event: SseEvent) => void;
  /** The server says how long to wait before a new connection. */
  readonly onRetry?: (ms: number) => void;
  /** Told once; nothing more is read. */
  readonly onTooLong: () => void;
}

export function createSseReader({ maxBytes, onEvent, onRetry, onTooLong }: SseReaderOptions) {
  let bytes = 0;
  let data: string[] = [];
  let id: string | undefined;
  let event: string | undefined;
  let hasId = false;
  let isOver = false;

  const tooLong = (): void => {
    isOver = true;
    data = [];
    onTooLong();
  };
  const endEvent = (): void => {
    const text = data.join("\n");
    const tells = hasId || text !== "";
    data = [];
    bytes = 0;
    hasId = false;
    if (tells) onEvent({ data: text, id, event });
    event = undefined;
  };
  const takeLine = (line: string): void => {
    if (line === "") endEvent();
    else if (line.startsWith("data:")) data.push(textAfter(line, 5));
    else if (line.startsWith("event:")) event = textAfter(line, 6).slice(0, maxIdChars);
    else if (line.startsWith("id:")) {
      const given = textAfter(line, 3);
      if (!given.includes("\0") && given.length <= maxIdChars) {
        id = given;
        hasId = true;
      }
    } else if (line.startsWith("retry:")) {
      const ms = Number(textAfter(line, 6));
      if (Number.isSafeInteger(ms) && ms >= 0) onRetry?.(ms);
    }
  };
  const lines = new LineReader(maxBytes, {
    tooLong: () => {
      if (!isOver) tooLong();
    },
    line(line) {
      if (isOver) return;
      bytes += Buffer.byteLength(line);
      if (bytes > maxBytes) tooLong();
      else takeLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    },
  });
  return {
    push(chunk: Buffer): void {
      if (!isOver) lines.take(chunk);
    },
  };
}

const maxIdChars = 1_024;

function textAfter(line: string, from: number): string {
  return line.slice(line[from] === " " ? from + 1 : from);
}
