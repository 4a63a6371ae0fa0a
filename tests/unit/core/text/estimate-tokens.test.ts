import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../../src/core/text/estimate-tokens.ts";

describe("the estimate of tokens", () => {
  // The true counts are those of the o200k tokenizer.
  it.each([
    ["", 0],
    ["Creates a new issue in a repository.", 8],
    ['{"type":"object","properties":{"pageSize":{"type":"integer","maximum":100}}}', 19],
    ["日本語のテキストをここに書きます", 12],
    ["supercalifragilisticexpialidocious", 10],
  ])("is near the true count, rather above it: %j", (text, count) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(Math.floor(count * 0.9));
    expect(estimateTokens(text)).toBeLessThanOrEqual(Math.ceil(count * 1.5));
  });

  it("is not made small by text without blanks", () => {
    expect(estimateTokens("x".repeat(4_000))).toBeGreaterThanOrEqual(1_000);
    expect(estimateTokens("\u202e".repeat(100))).toBe(100);
  });
});
