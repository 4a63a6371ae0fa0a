/** The text that an edit looks for and the text it brings, cut into lines to compare with the file's. */
import { singleBreaks, withoutMark } from "./line-breaks.ts";

export interface Line {
  readonly text: string;
  /** False only for a last line that does not end. */
  readonly broken: boolean;
}

export interface Wanted {
  readonly text: string;
  readonly lines: readonly Line[];
  /** Only whole lines are meant, as in a block of a diff. */
  readonly wholeLines: boolean;
}

export function createWanted(text: string, wholeLines: boolean, byReturns: boolean): Wanted {
  const plain = singleBreaks(withoutMark(text), byReturns);
  const whole = wholeLines && plain !== "" && !plain.endsWith("\n") ? `${plain}\n` : plain;
  return { text: whole, lines: linesOf(whole), wholeLines };
}

/** "a\nb" is a whole line and a half one; "" is no line at all. */
export function linesOf(text: string): readonly Line[] {
  if (text === "") return [];
  const parts = text.split("\n");
  const last = parts.pop()!;
  const lines = parts.map((part) => ({ text: part, broken: true }));
  return last === "" ? lines : [...lines, { text: last, broken: false }];
}
