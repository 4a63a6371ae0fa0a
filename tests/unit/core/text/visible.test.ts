import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasInvisible, visible } from "../../../../src/core/text/visible.ts";
import { processorMs } from "../../../processor-time.ts";

describe("visible", () => {
  it("leaves what a person can read as it is", () => {
    const scripts = "Grüße, 世界, مرحبا, שלום, हिन्दी";
    for (const text of ["", "fs.read", scripts, "a + b = c; \\u0041", "👍", "e\u0301"]) {
      expect(visible(text)).toBe(text);
      expect(hasInvisible(text)).toBe(false);
    }
  });

  it("writes a hidden character as its code point in braces", () => {
    expect(visible("user\u202Etxt.exe")).toBe("user\\u{202E}txt.exe");
    expect(visible("\u001b[31mred\u001b[0m")).toBe("\\u{1B}[31mred\\u{1B}[0m");
    expect(visible("a\u200bb\u{E0041}c\ufe0f")).toBe("a\\u{200B}b\\u{E0041}c\\u{FE0F}");
    expect(visible("x\ud800y")).toBe("x\\u{D800}y");
    expect(visible("\ue000")).toBe("\\u{E000}");
  });

  it("shows every blank but the space, because a shell or a pattern tells them apart", () => {
    for (const blank of "\u00a0\u2003\u202f\u3000\u2028\u2029\u2800\u3164\u1680")
      expect(visible(`rm${blank}-rf`)).toMatch(/^rm\\u\{[0-9A-F]+\}-rf$/);
  });

  it("keeps line feeds and tabs only when asked, and never a carriage return", () => {
    expect(visible("a\n\tb")).toBe("a\\u{A}\\u{9}b");
    expect(visible("a\n\tb", { keepNewlines: true })).toBe("a\n\tb");
    expect(visible("real\rfake", { keepNewlines: true })).toBe("real\\u{D}fake");
    expect(hasInvisible("a\nb", { keepNewlines: true })).toBe(false);
    expect(hasInvisible("a\nb")).toBe(true);
  });

  it("cuts to the wanted length, says how much is missing, and never inside an escape", () => {
    const cut = visible("a".repeat(1_000), { maxLength: 100 });
    expect(cut.length).toBeLessThanOrEqual(100);
    expect(cut).toMatch(/^a+… \(\d+ more characters\)$/);
    const shown = cut.indexOf("…");
    expect(cut).toContain(`(${1_000 - shown} more characters)`);
    expect(visible("\u202e".repeat(50), { maxLength: 61 })).toMatch(
      /^(?:\\u\{202E\})+… \(\d+ more characters\)$/,
    );
    expect(visible("abc", { maxLength: 3 })).toBe("abc");
    expect(visible("abcd", { maxLength: 3 })).toBe("ab…");
    expect(visible("😀😀", { maxLength: 2 })).toBe("…");
    expect(visible("abc", { maxLength: 0 })).toBe("");
  });

  it("looks only at what it can show of a huge text", () => {
    const huge = "\u202e".repeat(20_000_000);
    // Read once, so that the engine has joined its pieces before the time is taken.
    expect(huge.lastIndexOf("x")).toBe(-1);
    const before = processorMs();
    visible(huge, { maxLength: 200 });
    expect(processorMs() - before).toBeLessThan(1_000);
  });

  it("for any text: shows all, is stable on its own output, and agrees with hasInvisible", () => {
    const texts = fc.string({
      unit: fc.oneof(
        fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
        fc.constantFrom("\ud800", "\udfff", "\u202e", "\n", "\\u{1B}"),
      ),
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        texts,
        fc.boolean(),
        fc.option(fc.nat(80), { nil: undefined }),
        (text, keepNewlines, maxLength) => {
          const options = maxLength === undefined ? { keepNewlines } : { keepNewlines, maxLength };
          const once = visible(text, options);
          expect(hasInvisible(once, { keepNewlines })).toBe(false);
          expect(visible(once, options)).toBe(once);
          if (maxLength !== undefined) expect(once.length).toBeLessThanOrEqual(maxLength);
          else expect(hasInvisible(text, { keepNewlines })).toBe(once !== text);
        },
      ),
      { numRuns: 800 },
    );
  });
});
