import { describe, expect, it } from "vitest";
import { exactDuration, parseDuration, shownDuration } from "../../../../src/core/text/duration.ts";

describe("a duration", () => {
  it.each([
    ["500ms", 500],
    ["90s", 90_000],
    ["5m", 300_000],
    ["1.5h", 5_400_000],
    ["7d", 604_800_000],
    ["2w", 1_209_600_000],
    [" 2 h ", 7_200_000],
  ])("is read: %s", (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each(["", "5", "m", "-5m", "0s", "5 minutes", "1e9d", "99999999d", "5m5", "NaNs", "∞d"])(
    "is refused: %j",
    (text) => expect(parseDuration(text)).toBeUndefined(),
  );

  it.each([
    [0, "0s"],
    [59_400, "59s"],
    [60_000, "1m"],
    [3_661_000, "1h 1m"],
    [3_600_000, "1h"],
    [90_061_000, "1d 1h"],
    [-5, "0s"],
  ])("is shown: %d ms", (ms, text) => expect(shownDuration(ms)).toBe(text));

  it.each([
    [0, "0s"],
    [1, "1ms"],
    [250, "250ms"],
    [1_500, "1.5s"],
    [5_000, "5s"],
    [12_345, "12.345s"],
    [60_000, "1m"],
    [90_000, "1m 30s"],
    [86_400_000, "1d"],
  ])("is told exactly: %d ms", (ms, text) => expect(exactDuration(ms)).toBe(text));
});
