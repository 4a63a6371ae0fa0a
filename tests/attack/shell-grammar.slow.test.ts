/** A share of the lines of `npm run test:shell`: no effect in a real bash or zsh that the judge did not name. */

import { describe, expect, it } from "vitest";
import { type BatchShell, batchProblem } from "./shell-batch.ts";
import { compareWithShells } from "./shell-comparison.ts";
import { missingCombinations } from "./shell-coverage.ts";

const seed = Number(process.env.TOOLGATE_FUZZ_SEED ?? 20261116);
const lines = Number(process.env.TOOLGATE_GRAMMAR_LINES ?? 30_000);

describe.each(["bash", "zsh"] as const)("the judge beside a real %s", (shell: BatchShell) => {
  const problem = batchProblem(shell);
  const skip = problem !== undefined && process.env.TOOLGATE_CI !== "full";
  const why = problem === undefined ? "" : ` (skipped: ${problem})`;

  it.skipIf(skip)(`names every effect of the lines of the grammar${why}`, { timeout: 280_000 }, async () => {
    const result = await compareWithShells({ lines: lines / 2, seed, shells: [shell] });
    expect(result.wrong).toEqual([]);
    // A judge that understands nothing would pass above.
    expect(result.ran[shell]).toBeGreaterThan(lines / 20);
    expect(result.withEffect[shell]).toBeGreaterThan(lines / 120);
    expect(missingCombinations(result.covered)).toBeLessThan(3_000);
  });
});
