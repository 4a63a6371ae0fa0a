import { expect, it } from "vitest";
import { createFindLines } from "../../../../src/safe/regex/find-lines.ts";

// Which lines they are is tried with the patterns of a search.
it("the lines of a text are as many as asked for", () => {
  const find = createFindLines({ source: "a", anchored: false });
  expect(find("a1\na2\na3", 2)).toMatchObject([{ start: 0 }, { start: 3 }]);
});
