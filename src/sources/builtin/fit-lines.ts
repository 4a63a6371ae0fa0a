/** How much fits into an answer that the gate hands on whole. */
import type { ToolResult } from "../../core/call/content.ts";
import { answered } from "../../core/call/tool-answer.ts";

/** Below the 64 KiB of the gate, with room for a note at the end. */
export const maxAnswerBytes = 56_000;

export function countFitting(lines: readonly string[], maxBytes = maxAnswerBytes): number {
  let room = maxBytes;
  for (const [index, line] of lines.entries()) {
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) return index;
  }
  return lines.length;
}

const maxCharacters = 48_000;

/** A text that may be long, with the same as data. */
export function cutAnswer(text: string, structured: object): ToolResult {
  if (text.length <= maxCharacters) return answered(text, structured);
  const cut = `[cut after ${maxCharacters} of ${text.length} characters]`;
  return answered(`${text.slice(0, maxCharacters)}\n${cut}`, structured);
}
