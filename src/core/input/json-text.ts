/** Looks at JSON as text: how deep, how many keys, and does an object have one of them twice. */

/** Depth and number of keys, by one look at each character. Right for valid JSON: only after JSON.parse. */
export function measureJson(text: string): { readonly depth: number; readonly keys: number } {
  let level = 0;
  let depth = 0;
  let keys = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === 123 || code === 91) depth = Math.max(depth, ++level);
    else if (code === 125 || code === 93) level--;
    else if (code === 58) keys++;
  }
  return { depth, keys };
}

/**
 * A key that an object of the text has twice; `value` is what JSON.parse made of it. JSON.parse keeps the
 * last of two equal keys, other readers keep the first: what we judge is not what they run.
 */
export function repeatedKey(text: string, value: unknown): string | undefined {
  return measureJson(text).keys === countKeys(value) ? undefined : findRepeatedKey(text);
}

/** Not recursive: the text may be nested as deep as its sender likes. */
function countKeys(value: unknown): number {
  const open: unknown[] = [value];
  let keys = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next) as unknown[];
    if (!Array.isArray(next)) keys += members.length;
    for (const member of members) if (typeof member === "object") open.push(member);
  }
  return keys;
}

/** Only for the message: walks valid JSON text and returns the first key that its object already has. */
export function findRepeatedKey(text: string): string {
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      last = text.slice(index, end + 1);
      index = end;
    } else if (code === 123) open.push(new Set());
    else if (code === 91) open.push(undefined);
    else if (code === 125 || code === 93) open.pop();
    else if (code === 58) {
      const key = JSON.parse(last) as string;
      const seen = open.at(-1);
      if (seen?.has(key)) return key;
      seen?.add(key);
    }
  }
  return "";
}

const QUOTE = 34;
const BACKSLASH = 92;

/** The index of the closing quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let back = end - 1;
    while (text.charCodeAt(back) === BACKSLASH) back--;
    if ((end - back) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
