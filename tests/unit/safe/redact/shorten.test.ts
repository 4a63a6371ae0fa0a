import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/core/input/json.ts";
import { redactText } from "../../../../src/safe/redact/redact.ts";
import {
  maxKeptCharacters,
  maxKeptTogether,
  shorten,
  shortenText,
} from "../../../../src/safe/redact/shorten.ts";
import { shapedSecrets } from "../../../attack/redact-samples.ts";

describe("a text that is too long for a record", () => {
  it("says how much is missing", () => {
    const text = "word ".repeat(10);
    expect(shortenText(text, 50)).toBe(text);
    expect(shortenText(text, 12)).toBe("word word … (40 more characters)");
    expect(shortenText("a b", 0)).toBe("… (3 more characters)");
  });

  it("keeps no half of a secret at its end, wherever the cut falls", () => {
    for (const { name, secret } of shapedSecrets(4)) {
      if (secret.includes("\n")) continue;
      const text = `some words and then ${secret} and more words`;
      const at = text.indexOf(secret);
      for (let cut = at + 1; cut < at + secret.length; cut += 3) {
        const kept = redactText(shortenText(text, cut));
        expect(kept.includes(secret.slice(0, 8)), `${name} cut at ${cut - at}`).toBe(false);
      }
    }
  });

  it("is cut even if it is one word", () => {
    const kept = shortenText("x".repeat(100_000), 16_384);
    expect(kept.length).toBeLessThan(16_384 + 100);
  });
});

describe("a value that is too long for a record", () => {
  it("keeps its shape, and its texts are cut one by one", () => {
    const long = "y ".repeat(maxKeptCharacters);
    const value = { a: [1, null, true, { b: long }], c: "short" };
    const kept = shorten(value) as { a: [number, null, boolean, { b: string }]; c: string };
    expect([kept.a[0], kept.a[1], kept.a[2], kept.c]).toEqual([1, null, true, "short"]);
    expect(kept.a[3].b.length).toBeLessThan(maxKeptCharacters + 100);
    expect(value.a).toHaveLength(4);
  });

  it("is bounded together", () => {
    const many: Json = Array.from({ length: 100 }, () => "z ".repeat(maxKeptCharacters / 2));
    expect(JSON.stringify(shorten(many)).length).toBeLessThan(maxKeptTogether + 100 * 60);
  });

  it("keeps members that are called like parts of JavaScript", () => {
    const value = JSON.parse('{"__proto__": "a", "constructor": {"prototype": "b"}}') as Json;
    expect(JSON.stringify(shorten(value))).toBe(JSON.stringify(value));
  });
});
