import { describe, expect, it } from "vitest";
import { keepTextShape } from "../../../../../src/safe/files/inside-root/inside-root.ts";

describe("keepTextShape", () => {
  it.each([
    ["LF stays LF", "a\nb\n", "a\nc\n", "a\nc\n"],
    ["CRLF is kept when the new text has LF", "a\r\nb\r\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n"],
    ["LF is kept when the new text has CRLF", "a\nb\n", "a\r\nc\r\n", "a\nc\n"],
    ["a mixed new text becomes all CRLF in a CRLF file", "a\r\nb\r\n", "a\r\nc\n", "a\r\nc\r\n"],
    ["carriage returns alone are kept", "a\rb\r", "a\nc\r\nd\n", "a\rc\rd\r"],
    ["a byte order mark is put back", "\ufeffa\n", "b\n", "\ufeffb\n"],
    ["a byte order mark is not doubled", "\ufeffa\n", "\ufeffb\n", "\ufeffb\n"],
    ["a byte order mark is not added", "a\n", "\ufeffb\n", "b\n"],
    ["text without lines has no ending to keep", "a", "a\r\nb", "a\r\nb"],
    ["a new file keeps its own shape", "", "\ufeffa\r\nb\n", "\ufeffa\r\nb\n"],
    ["the last line end is not the helper's business", "a\nb\n", "a\nb", "a\nb"],
    [
      "mixed: lines around the change keep their own ending",
      "a\r\nb\nc\r\nd\n",
      "a\nb\nX\nd\n",
      "a\r\nb\nX\r\nd\n",
    ],
    ["mixed: an insertion gets the common ending", "a\r\nb\r\nc\n", "a\nb\nnew\nc\n", "a\r\nb\r\nnew\r\nc\n"],
    ["mixed: no change changes nothing", "a\r\nb\nc", "a\nb\nc", "a\r\nb\nc"],
  ])("%s", (_title, original, next, expected) => {
    expect(keepTextShape(original, next)).toBe(expected);
  });
});
