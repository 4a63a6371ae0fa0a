/** Puts JSON of one line onto several, without touching a value: numbers and equal keys stay. */

/** Deeper levels are not indented any further, and more than this is not written. */
const maxIndent = 20;
const maxLength = 2_000_000;
const manyLines = /\n[\s\S]{0,200}\n/;

/** Undefined when it is not JSON. */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return manyLines.test(text.slice(0, 2_000)) ? text : indented(text);
}

function indented(text: string): string {
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  const line = () => add(`\n${"  ".repeat(Math.min(depth, maxIndent))}`);
  pieces.lastIndex = 0;
  let before = "";
  for (let match = pieces.exec(text); match !== null && length < maxLength; match = pieces.exec(text)) {
    const [piece] = match;
    const isEnd = piece === "}" || piece === "]";
    if (isEnd) depth -= 1;
    const isEmpty = isEnd && (before === "{" || before === "[");
    if ((isEnd && !isEmpty) || before === "," || ((before === "{" || before === "[") && !isEnd)) line();
    add(piece === ":" ? ": " : piece);
    if (piece === "{" || piece === "[") depth += 1;
    before = piece;
  }
  return parts.join("");
}

/** It was parsed before, so these are all the pieces there can be. */
const pieces = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;
