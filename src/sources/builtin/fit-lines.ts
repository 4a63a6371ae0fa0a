/** How many lines fit into an answer that the gate hands on whole. */

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
