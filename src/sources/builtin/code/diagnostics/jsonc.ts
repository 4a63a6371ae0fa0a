/** Reads JSON as tsconfig files have it: with comments and commas too many. */

/** Undefined when it is not that either. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(withoutExtras(text));
  } catch {
    return undefined;
  }
}

/** One pass, whatever the text: it comes from the workspace. */
function withoutExtras(text: string): string {
  let plain = "";
  /** A comma that is written only when something other than a closing bracket follows. */
  let comma = "";
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; ) {
    const end = endOfPiece(text, at);
    const piece = text.slice(at, end);
    at = end;
    if (piece.startsWith("/") || piece.trim() === "") continue;
    plain += piece === "}" || piece === "]" ? piece : comma + piece;
    comma = "";
    if (piece !== ",") continue;
    plain = plain.slice(0, -1);
    comma = ",";
  }
  return plain + comma;
}

/** Of a string, a comment, or one character. */
function endOfPiece(text: string, at: number): number {
  if (text[at] === '"') {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    return end + 1;
  }
  const close = text.startsWith("//", at) ? "\n" : text.startsWith("/*", at) ? "*/" : undefined;
  if (close === undefined) return at + 1;
  const end = text.indexOf(close, at + 2);
  return end === -1 ? text.length : end + close.length;
}
