import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGate } from "../../../../../src/index.ts";
import { createGrep } from "../../../../../src/sources/builtin/search/grep.ts";
import { folderOf, question, tree, writeTree } from "./generated-tree.ts";

/** Every run writes a tree and asks some questions; `TOOLGATE_GREP_RUNS` asks for more. */
const numRuns = Number(process.env.TOOLGATE_GREP_RUNS ?? 25);

describe("search.grep", () => {
  it(
    "finds the same with ripgrep and without, in any tree",
    async () => {
      const withRipgrep = createGrep();
      const without = createGrep({ findProgram: async () => undefined });
      await fc.assert(
        fc.asyncProperty(
          tree,
          fc.array(question, { minLength: 4, maxLength: 4 }),
          async (files, questions) => {
            const root = writeTree(files);
            try {
              const gates = await Promise.all(
                [withRipgrep, without].map((tool) => createGate({ tools: [tool], roots: [root] })),
              );
              for (const { folder, ...asked } of questions) {
                const given = Object.entries({ ...asked, path: folderOf(root, folder) }).filter(
                  ([, value]) => value !== undefined,
                );
                const call = { tool: "search.grep", input: Object.fromEntries(given) };
                const [one, other] = await Promise.all(gates.map((gate) => gate.dispatch(call)));
                expect(one?.ok, JSON.stringify(one)).toBe(true);
                expect(one?.result).toEqual(other?.result);
              }
            } finally {
              rmSync(root, { recursive: true, force: true });
            }
          },
        ),
        { numRuns },
      );
    },
    60_000 + numRuns * 2_000,
  );
});
