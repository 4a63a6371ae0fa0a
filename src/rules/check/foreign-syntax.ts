/** Signs that mean one thing in regular expressions of other languages, and another in JavaScript. */

/** Undefined: none. Only for patterns that JavaScript accepts; a refused pattern is told anyway. */
export function explainForeignSyntax(source: string, flags: string): string | undefined {
  const isUnicode = /[uv]/.test(flags);
  let inClass = false;
  for (let index = 0; index < source.length; index++) {
    const rest = source.slice(index, index + 40);
    const char = source[index];
    if (char === "\\") {
      const found = isUnicode ? undefined : explainEscape(rest, inClass);
      if (found !== undefined) return found;
      index++;
    } else if (inClass) {
      const named = /^\[[:.=]\^?\w+[:.=]\]/.exec(rest)?.[0];
      if (named !== undefined)
        return `${named} is no class of characters in JavaScript, which reads its letters one by one. Write [a-z], \\d, \\s or \\w.`;
      if (char === "]") inClass = false;
    } else if (char === "[") {
      inClass = true;
      // In JavaScript `[]` is empty; elsewhere the bracket would be the first member.
    } else if (char === "{" && !isUnicode) {
      const found = /^\{,\d+\}/.exec(rest)?.[0];
      if (found !== undefined)
        return `JavaScript takes ${found} for that very text. Write {0${found.slice(1)}.`;
    }
  }
  return undefined;
}

/** By the letter after the backslash: what to write instead. */
const instead: Readonly<Record<string, string>> = {
  A: "^, without the flag m",
  Z: "$, without the flag m",
  z: "$, without the flag m",
  G: "nothing: a pattern always looks at the whole text",
  K: "a look-behind, (?<=...)",
  h: "[ \\t]",
  H: "[^ \\t]",
  R: "\\r?\\n",
  N: "[^\\n]",
  Q: "each sign with a backslash before it",
  E: "each sign with a backslash before it",
  X: ".",
  a: "\\x07",
  e: "\\x1b",
  l: "[a-z]",
  L: "[^a-z]",
  U: "[^A-Z]",
};

function explainEscape(rest: string, inClass: boolean): string | undefined {
  const letter = rest.charAt(1);
  const known = Object.hasOwn(instead, letter) ? instead[letter] : undefined;
  if (known !== undefined)
    return `JavaScript takes \\${letter} for the letter ${letter}. Write ${known}${inClass ? ", outside of [...]" : ""}.`;
  if (/^\\[pP]\{/.test(rest))
    return `JavaScript takes \\${letter}{...} for that very text without the flag u. Add flags: u.`;
  if (/^\\x\{/.test(rest)) return "JavaScript takes \\x{...} for an x, repeated. Write \\xHH or \\uHHHH.";
  return undefined;
}
