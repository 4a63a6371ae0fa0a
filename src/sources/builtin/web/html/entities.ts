/** Decodes character references such as `&amp;` and `&#8217;`, in one pass: nothing can grow. */
import { namedEntities } from "./named-entities.ts";

/** In attributes `&copy=1` is part of an address and no sign: there a name needs its semicolon. */
export function decodeEntities(text: string, isAttribute = false): string {
  if (!text.includes("&")) return text;
  return text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name === undefined)
      return fromCode(Number.parseInt(hex ?? decimal ?? "", hex === undefined ? 10 : 16));
    const known = namedEntities.get(name);
    if (known === undefined) return whole;
    if (whole.endsWith(";")) return known;
    return isAttribute || !withoutSemicolon.has(name) ? whole : known;
  });
}

const reference = /&(?:#[xX]([0-9a-fA-F]{1,8})|#([0-9]{1,8})|([A-Za-z][A-Za-z0-9]{1,31}));?/g;

/** Old pages leave it out. */
const withoutSemicolon = new Set(["amp", "lt", "gt", "quot", "nbsp", "copy", "reg"]);

function fromCode(code: number): string {
  const fixed = windows1252.get(code) ?? code;
  const isWrong = !(fixed > 0 && fixed <= 0x10ffff) || (fixed >= 0xd800 && fixed <= 0xdfff);
  return String.fromCodePoint(isWrong ? 0xfffd : fixed);
}

/** References to control characters mean the signs that Windows has there. */
const windows1252 = new Map(
  [..."€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"].map(
    (sign, index) => [0x80 + index, sign.codePointAt(0) ?? 0] as const,
  ),
);
