/** How many cells of a terminal a text takes, and texts cut to that: Chinese and emoji take two. */
import type { CliIo } from "./io.ts";

/** Of text with nothing hidden in it (`visible`), without colours. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** A mark at the end says that there was more. Never cuts inside of what is seen as one character. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  let left = Math.max(0, width - 1);
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= textWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Undefined: nobody looks at it, so nothing is cut. */
export function terminalWidth({ isTerminal, env }: Pick<CliIo, "isTerminal" | "env">): number | undefined {
  if (!isTerminal) return undefined;
  const told = Number(env.COLUMNS);
  if (Number.isInteger(told) && told > 0) return told;
  // A terminal that was made by a program may not know its size: it says 0.
  return process.stdout.columns || process.stderr.columns || 120;
}

const plain = /^[\x20-\x7e]*$/;
const noCell = /^[\p{Mn}\p{Me}]$/u;
// Scripts of East Asia, their punctuation and full-width forms, and what is shown as a picture by itself.
const twoCells =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\u1100-\u115f\ua960-\ua97c\uac00-\ud7a3\u2329\u232a\u3001-\u303e\u3105-\u31bf\u3200-\u33ff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]|(?!\p{Regional_Indicator})\p{Emoji_Presentation})$/u;
const halfWidth = /^[\uff61-\uffdc\uffe8-\uffee]$/;

function widthOf(character: string): number {
  if (noCell.test(character)) return 0;
  return twoCells.test(character) && !halfWidth.test(character) ? 2 : 1;
}
