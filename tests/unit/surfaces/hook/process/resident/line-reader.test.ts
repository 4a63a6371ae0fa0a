import { expect, it } from "vitest";
import { createLineReader } from "../../../../../../src/surfaces/hook/process/resident/line-reader.ts";

function linesOf(chunks: readonly (string | Buffer)[], maxBytes = 1_000): string[] {
  const lines: string[] = [];
  const reader = createLineReader(maxBytes, (line) => lines.push(line));
  for (const chunk of chunks) reader.add(Buffer.from(chunk as string));
  return lines;
}

it("cuts lines wherever the chunks end, also inside of a character", () => {
  const [first, second] = [Buffer.from("é\n").subarray(0, 1), Buffer.from("é\n").subarray(1)];
  expect(linesOf(["a", "b\nc\n\nd", first, second, "rest"])).toEqual(["ab", "c", "", "dé"]);
});

it("throws when a line grows too long, and not for many short ones", () => {
  expect(linesOf(["12345\n12345\n", "12345\n"], 5)).toHaveLength(3);
  expect(() => linesOf(["123", "456"], 5)).toThrow("longer than 5 bytes");
});
