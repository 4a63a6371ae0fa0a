/** Reads a stream of server-sent events: the data of each, its id, and how long to wait before coming back. */

export interface SseEvent {
  /** Empty when it only carries an id, from which a broken stream can be continued. */
  readonly data: string;
  /** Of the last event that had one. */
  readonly id: string | undefined;
}

export interface SseReader {
  push(chunk: Buffer): void;
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

const lineFeed = 0x0a;

export function createSseReader({ maxBytes, onEvent, onRetry, onTooLong }: SseReaderOptions): SseReader {
  let parts: Buffer[] = [];
  let bytes = 0;
  let data: string[] = [];
  let id: string | undefined;
  let hasId = false;
  let isOver = false;

  const count = (added: number): boolean => {
    bytes += added;
    if (bytes <= maxBytes) return true;
    isOver = true;
    parts = [];
    data = [];
    onTooLong();
    return false;
  };
  const endEvent = (): void => {
    const text = data.length === 1 ? (data[0] as string) : data.join("\n");
    const tells = hasId || text !== "";
    data = [];
    bytes = 0;
    hasId = false;
    if (tells) onEvent({ data: text, id });
  };
  const takeLine = (line: string): void => {
    if (line === "") endEvent();
    else if (line.startsWith("data:")) data.push(textAfter(line, 5));
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
  return {
    push(chunk) {
      let start = 0;
      while (!isOver) {
        const end = chunk.indexOf(lineFeed, start);
        const part = chunk.subarray(start, end === -1 ? chunk.length : end);
        if (part.length > 0 && !count(part.length)) return;
        if (end === -1) {
          if (part.length > 0) parts.push(part);
          return;
        }
        const whole = parts.length === 0 ? part : Buffer.concat([...parts, part]);
        parts = [];
        start = end + 1;
        const isCrLf = whole.length > 0 && whole[whole.length - 1] === 0x0d;
        takeLine(whole.toString("utf8", 0, isCrLf ? whole.length - 1 : whole.length));
      }
    },
  };
}

const maxIdChars = 1_024;

function textAfter(line: string, from: number): string {
  return line.slice(line[from] === " " ? from + 1 : from);
}
