/** Shows every character that a person cannot see, or that moves what they see, as an escape: `\u{202E}`. */

export interface VisibleOptions {
  /** Leave `\n` and `\t` as they are (descriptions, messages); names and single lines want them escaped. */
  readonly keepNewlines?: boolean;
  /** At most this many UTF-16 units come out, the note about what was cut included. */
  readonly maxLength?: number;
}

/**
 * The text as a person may safely read it. The only blank that stays is the ASCII space.
 * Applying it twice changes nothing, so a literal `\u{202E}` in the text reads the same as an escaped one:
 * `hasInvisible` tells them apart.
 */
export function visible(text: string, options: VisibleOptions = {}): string {
  const { keepNewlines = false, maxLength } = options;
  if (maxLength === undefined || text.length * longestEscape <= maxLength) return escaped(text, keepNewlines);
  return cut(text, keepNewlines, Math.max(0, Math.floor(maxLength)));
}

/** Whether `visible` with the same options would have something to show. */
export function hasInvisible(text: string, options: Pick<VisibleOptions, "keepNewlines"> = {}): boolean {
  return (options.keepNewlines === true ? hiddenExceptLines : hidden).test(text);
}

// \p{C}: control, format (bidi, tags, zero width), private use, lone surrogates, unassigned. \p{Z}: line
// separators, and blanks that a shell does not take for a space. U+2800: an empty braille cell, of class So.
const hidden = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800]--[ ]]/v;
const hiddenExceptLines =
  /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800]--[ \n\t]]/v;
const everyHidden = new RegExp(hidden.source, "gv");
const everyHiddenExceptLines = new RegExp(hiddenExceptLines.source, "gv");

/** `\u{10FFFF}` stands for two units: five per unit; a lone surrogate `\u{D800}` makes eight of one. */
const longestEscape = 8;

function escaped(text: string, keepNewlines: boolean): string {
  if (!hasInvisible(text, { keepNewlines })) return text;
  return text.replace(keepNewlines ? everyHiddenExceptLines : everyHidden, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** Looks only at as much text as can be shown, and never cuts inside an escape or a surrogate pair. */
function cut(text: string, keepNewlines: boolean, maxLength: number): string {
  const head = text.slice(0, maxLength + 2);
  const whole = text.length <= head.length ? escaped(text, keepNewlines) : undefined;
  if (whole !== undefined && whole.length <= maxLength) return whole;

  const longNote = note(text.length);
  const withNote = longNote.length * 2 <= maxLength;
  const room = withNote ? maxLength - longNote.length : maxLength - 1;
  let shown = "";
  let taken = 0;
  for (const character of head) {
    const piece = escaped(character, keepNewlines);
    if (shown.length + piece.length > room) break;
    shown += piece;
    taken += character.length;
  }
  if (withNote) return shown + note(text.length - taken);
  return maxLength > 0 ? `${shown}…` : "";
}

function note(units: number): string {
  return `… (${units} more characters)`;
}

const shownNameLength = 64;

/** A name from outside in quotes: cut, and with nothing hidden in it. */
export function shownName(name: string): string {
  if (name.length <= shownNameLength) return `"${visible(name)}"`;
  return `"${visible(name.slice(0, shownNameLength))}…" (${name.length} characters)`;
}
