import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findRepeatedKey, measureJson, repeatedKey } from "../../../../src/core/input/json-text.ts";

describe("a repeated key", () => {
  it("is in no text that a writer of JSON makes, whatever its strings hold", () => {
    fc.assert(fc.property(fc.json(), (text) => repeatedKey(text, JSON.parse(text)) === undefined));
  });

  it("is found wherever it stands and however it is written", () => {
    const texts: [string, string][] = [
      ['{"a":1,"a":2}', "a"],
      ['[{"b":{"x":[{"c":1,"\\u0063":2}]}}]', "c"],
      ['{"":1,"":1}', ""],
      ['{"\\"":":","\\u0022":"{"}', '"'],
      ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ];
    for (const [text, key] of texts) expect(repeatedKey(text, JSON.parse(text)), text).toBe(key);
  });

  it("is looked for in a text as deep as it likes", () => {
    const text = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    expect(repeatedKey(text, JSON.parse(text))).toBeUndefined();
    expect(measureJson(text)).toEqual({ depth: 20_000, keys: 0 });
    expect(findRepeatedKey('{"a":{"a":{}},"b":[{"a":1},{"a":1}]}')).toBe("");
  });
});
