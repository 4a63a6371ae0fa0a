/** Takes out what only a machine sees in a text: zero-width, direction, tag and control characters. */

export interface Cleaned {
  readonly text: string;
  /** Those that have no business in a text; soft hyphens and signs of icon fonts are not counted. */
  readonly removed: number;
}

export function removeHidden(text: string): Cleaned {
  let removed = 0;
  const clean = text
    .replaceAll("\r\n", "\n")
    .toWellFormed()
    .replace(otherLineEnds, "\n")
    .replace(otherBlanks, " ")
    .replace(hidden, (sign: string, at: number, whole: string) => {
      if (belongs(sign, at, whole)) return sign;
      if (!harmless.test(sign)) removed += 1;
      return "";
    });
  return { text: clean, removed };
}

const otherLineEnds = /[\r\u0085\u2028\u2029]/g;
/** Every blank that is not the plain one, tabs excepted. */
const otherBlanks = /[[\p{Zs}\u2800\u3164\uffa0]--[ ]]/gv;
const hidden = /[[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]--[\n\t]]/gv;
const harmless = /[\u00ad\ufeff\p{Co}]/v;

const joiners = /[\u200c\u200d]/;
const picture = /[\p{Extended_Pictographic}\p{Emoji_Component}]$/u;
const startsPicture = /^\p{Extended_Pictographic}/u;
/** Scripts in which a joiner between two letters changes what is written. */
const joining =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}]/u;

/** A joiner inside a picture or between two such letters, or the sign that a picture is meant. */
function belongs(sign: string, at: number, whole: string): boolean {
  const before = whole.slice(Math.max(0, at - 2), at);
  const after = whole.slice(at + sign.length, at + sign.length + 2);
  if (sign === "\ufe0f" || sign === "\ufe0e") return picture.test(before) && !before.endsWith(sign);
  if (!joiners.test(sign)) return false;
  if (startsPicture.test(after))
    return sign === "\u200d" && (picture.test(before) || before.endsWith("\ufe0f"));
  const letter = before.at(-1) ?? "";
  return joining.test(letter) && joining.test(after);
}
