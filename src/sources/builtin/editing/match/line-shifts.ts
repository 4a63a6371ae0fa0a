/** Where a line of the file as it was stands after the edits so far. */

export interface Shift {
  /** The line in which the change begins, from 0, in the text that it met. */
  readonly line: number;
  /** Line breaks that went, and that came. */
  readonly removed: number;
  readonly added: number;
}

/** Shifts in the order in which they happened. */
export function shiftedLine(line: number, shifts: readonly Shift[]): number {
  let now = line;
  for (const { line: at, removed, added } of shifts) {
    if (now <= at) continue;
    now = now < at + removed ? Math.min(now, at + added) : now + added - removed;
  }
  return now;
}
