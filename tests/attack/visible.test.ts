import { describe, expect, it } from "vitest";
import { hasInvisible, visible } from "../../src/core/text/visible.ts";
import { words } from "../words.ts";

/** Written out from the Unicode tables, so that the test does not ask the same engine the same question. */
const ranges: Readonly<Record<string, string>> = {
  "control characters": "00-1f 7f-9f",
  "bidirectional controls": "061c 200e-200f 202a-202e 2066-2069",
  "zero width and joiners": "034f 180b-180f 200b-200d 2060-206f feff",
  "soft hyphen, fillers and other format characters":
    "ad 0600-0605 06dd 070f 115f-1160 17b4-17b5 3164 ffa0 fff0-fffb 1bca0-1bca3 1d173-1d17a 110bd",
  "variation selectors": "fe00-fe0f e0100-e01ef",
  "tag characters and the plane around them": "e0000-e0fff",
  "private use": "e000-f8ff f0000-f00ff 10ff00-10fffd",
  "lone surrogates": "d800-dfff",
  noncharacters: "fdd0-fdef fffe-ffff 10fffe-10ffff",
  "line and paragraph separators": "2028-2029",
};
const hiding = Object.entries(ranges).flatMap(([name, spans]) =>
  words(spans).flatMap((span) => {
    const [from = 0, to = from] = span.split("-").map((code) => Number.parseInt(code, 16));
    return Array.from({ length: to - from + 1 }, (_, index) => ({ name, code: from + index }));
  }),
);

type Show = (text: string) => string;

/** The characters that reach the reader unseen. */
function leaks(show: Show): string[] {
  const found: string[] = [];
  for (const { name, code } of hiding) {
    const character = String.fromCodePoint(code);
    for (const text of [character, `a${character}b`, `${character}${character}`, `x ${character}`])
      if (show(text).includes(character)) found.push(`${name} ${code.toString(16)}`);
  }
  for (const [text, hidden] of strings)
    if (hidden.test(show(text))) found.push(`string ${JSON.stringify(text)}`);
  return found;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not come through
const ansi = /[\u001b\u009b\u0007\u0008\r]/;
const strings: readonly (readonly [string, RegExp])[] = [
  ["\u001b[2J\u001b[HApproved: ls", ansi],
  ["\u001b]0;title\u0007", ansi],
  ["\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007", ansi],
  ["\u009b31mred", ansi],
  ["rm -rf /\u0008\u0008\u0008\u0008\u0008\u0008\u0008\u0008ls", ansi],
  ["rm -rf / #\rls -la          ", ansi],
  ['if (role != "user\u202e \u2066// admin\u2069 \u2066") {', /[\u202a-\u202e\u2066-\u2069]/],
  ["\u2070\u200b\u200b\u200b", /\u200b/],
  ["Ṱ\u033a\u0346 ﷽ \ufdfa ̡͓̞ͅI̗̘", /\u200b/],
  ["\ufeffpath", /\ufeff/],
  ["ignore\u{E0069}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}", /[\u{E0000}-\u{E007F}]/u],
  ["👨\u200d👩\u200d👧", /\u200d/],
  ["ads\u00adend", /\u00ad/],
];

describe("text that hides something from the person who reads it", () => {
  it("comes out visible, for every character of every hiding class", () => {
    expect(leaks((text) => visible(text, { keepNewlines: false }))).toEqual([]);
  });

  it("comes out visible too where lines are kept, but for the line feed and the tab", () => {
    const kept = new Set(["control characters 9", "control characters a"]);
    const leaking = leaks((text) => visible(text, { keepNewlines: true }));
    expect(leaking.filter((leak) => !kept.has(leak))).toEqual([]);
  });

  it("is noticed by the fast check for every such character", () => {
    expect(hiding.length).toBeGreaterThan(12_000);
    for (const { code } of hiding)
      expect(hasInvisible(`a${String.fromCodePoint(code)}b`), code.toString(16)).toBe(true);
  });

  it("covers every code point that Unicode calls control, format, ignorable or a variation selector", () => {
    const wanted = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Co}\p{Cs}]/u;
    let count = 0;
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code > 0xf0100 && code < 0x10ff00) continue;
      const character = String.fromCodePoint(code);
      if (!wanted.test(character)) continue;
      count += 1;
      if (visible(character) !== `\\u{${code.toString(16).toUpperCase()}}`)
        expect.fail(`U+${code.toString(16)} came through`);
    }
    expect(count).toBeGreaterThan(4_174 + 65);
  });

  // Each of these is a way in which such functions are written and are wrong.
  const written = (character: string): string =>
    `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
  const mutants: Readonly<Record<string, Show>> = {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as they are written in the wild
    "strips ANSI sequences only": (text) => text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, ""),
    "escapes control characters only": (text) => text.replace(/\p{Cc}/gu, written),
    "knows the format class but not the ignorable characters outside it": (text) =>
      text.replace(/[\p{Cc}\p{Cf}]/gu, written),
    "looks at UTF-16 units, so that astral characters pass": (text) =>
      text.replace(
        /\p{Cc}|\u00ad|\u034f|\u061c|[\u200b-\u200f\u2028-\u202e\u2060-\u206f]|[\ufe00-\ufe0f]|\ufeff/gu,
        written,
      ),
    "replaces only the first one": (text) => text.replace(/[\p{C}\p{Z}\p{DI}]/u, written),
    "trusts JSON to escape": (text) => JSON.stringify(text).slice(1, -1),
  };
  it.each(Object.entries(mutants))("would catch a version that %s", (_name, mutant) => {
    expect(leaks(mutant).length).toBeGreaterThan(0);
  });
});
