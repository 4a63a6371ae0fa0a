/** Finds the place where a text stops being JSON: the engine's own message does not always say. */

/** Only for text that JSON.parse refused. */
export function findJsonError(text: string): { readonly offset: number; readonly message: string } {
  const open: ("{" | "[")[] = [];
  /** What may come next. */
  let wanted: "value" | "key" | "colon" | "end" = "value";
  let afterComma = false;
  let offset = 0;
  const wrong = (message: string) => ({ offset, message });
  for (;;) {
    offset += length(/[ \t\r\n]*/y, text, offset);
    if (offset >= text.length) {
      return wrong(
        open.length > 0 ? `the text ends before a "${open.at(-1)}" is closed` : "the text ends too early",
      );
    }
    const character = text.charAt(offset);
    if (wanted === "colon") {
      if (character !== ":") return wrong('a ":" is missing after the key');
      offset++;
      wanted = "value";
      continue;
    }
    if (wanted === "end") {
      const inside = open.at(-1);
      if (inside === undefined) return wrong("something follows the end of the JSON value");
      if (character === ",") {
        afterComma = true;
        wanted = inside === "{" ? "key" : "value";
      } else if (character === (inside === "{" ? "}" : "]")) open.pop();
      else return wrong(`a "," or "${inside === "{" ? "}" : "]"}" is missing`);
      offset++;
      continue;
    }
    const closes =
      character === (wanted === "key" ? "}" : "]") && open.at(-1) === (wanted === "key" ? "{" : "[");
    if (closes) {
      if (afterComma) return wrong('nothing follows the last ","; remove it');
      open.pop();
      wanted = "end";
      offset++;
      continue;
    }
    afterComma = false;
    if (wanted === "value" && (character === "{" || character === "[")) {
      open.push(character);
      wanted = character === "{" ? "key" : "value";
      offset++;
      continue;
    }
    const taken = length(wanted === "key" ? textToken : valueToken, text, offset);
    if (taken === 0) return wrong(explainToken(wanted, character));
    offset += taken;
    wanted = wanted === "key" ? "colon" : "end";
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a text
const textToken = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const valueToken = new RegExp(
  `${textToken.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`,
  "y",
);

function length(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0].length ?? 0;
}

function explainToken(wanted: "key" | "value", character: string): string {
  if (character === '"') return "a text in quotes is not closed, or holds a line break or a wrong escape";
  if (character === "'") return "JSON takes double quotes, not single ones";
  if (character === "/" || character === "#") return "JSON takes no comments";
  return wanted === "key" ? "a key in double quotes is expected" : "a value is expected";
}
