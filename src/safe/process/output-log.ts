/** The latest output of a background process as text, both streams in order, read from a cursor on. */

import { StringDecoder } from "node:string_decoder";
import type { OutputStream } from "./output-capture.ts";

export interface OutputSince {
  readonly text: string;
  /** Give it to the next read. */
  readonly cursor: number;
  /** Characters that came after the asked cursor but are no longer kept. */
  readonly missed: number;
}

export interface OutputLog {
  add(chunk: Buffer, stream: OutputStream): void;
  since(cursor: number): OutputSince;
}

const PIECE_CHARACTERS = 8192;

export function createOutputLog(maxCharacters: number): OutputLog {
  // One decoder for each stream: a character may arrive in two chunks with the other stream in between.
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const pieces: string[] = [];
  let start = 0;
  let end = 0;
  return {
    add(chunk, stream) {
      const text = decoders[stream].write(chunk);
      end += text.length;
      const last = pieces.at(-1);
      if (last !== undefined && last.length + text.length <= PIECE_CHARACTERS) {
        pieces[pieces.length - 1] = last + text;
      } else pieces.push(text);
      while (pieces.length > 1 && end - start - (pieces[0]?.length ?? 0) >= maxCharacters) {
        start += pieces.shift()?.length ?? 0;
      }
    },
    since(cursor) {
      const from = Math.min(Math.max(start, cursor), end);
      const text = pieces.join("").slice(from - start);
      return { text, cursor: end, missed: Math.max(0, start - Math.max(0, cursor)) };
    },
  };
}
