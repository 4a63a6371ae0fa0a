/** Compares the judge with a real bash: no command runs and no file appears that the judge did not name, unless it called the line opaque. */

import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../src/shell/judge.ts";
import { byTier } from "../tier.ts";
import devSet from "./data/shell-dev-set.json" with { type: "json" };
import { differences } from "./shell-differences.ts";
import { damage, type Random, randomLine, seeded } from "./shell-line-generator.ts";
import { type Observed, PLACE, realBashProblem, runLines } from "./shell-real-bash.ts";

const problem = realBashProblem();
const skip = problem !== undefined && process.env.TOOLGATE_CI !== "full";
const lineCount = Number(process.env.TOOLGATE_FUZZ_LINES ?? byTier(300, 2_000));
const seed = Number(process.env.TOOLGATE_FUZZ_SEED ?? 20261115);

describe(`the judge beside a real bash${problem === undefined ? "" : ` (skipped: ${problem})`}`, () => {
  it.skipIf(skip)("names every command and file of random lines", () => {
    const random = seeded(seed);
    compare(Array.from({ length: lineCount }, () => randomLine(random)));
  });

  it.skipIf(skip)("names every command and file of damaged lines", () => {
    const random = seeded(seed + 1);
    compare(Array.from({ length: lineCount }, () => damagedLine(random)));
  });

  it.skipIf(skip)("would notice a judge that does not look into substitutions", () => {
    const line = 'echo "$(t1 a)" $(t2) > out5';
    const [observed] = runLines([line]);
    const blind = judgeCommand("echo a", PLACE);
    expect(differences(blind, observed as Observed)).toHaveLength(5);
    expect(differences(judgeCommand(line, PLACE), observed as Observed)).toEqual([]);
  });
});

/** Known attacks with their program replaced by a stub, and random lines, both with a few characters changed. */
function damagedLine(random: Random): string {
  const known = devSet[Math.floor(random() * devSet.length)]?.cmd.replaceAll("touch", "t1") ?? "";
  return damage(random, random() < 0.5 ? known : randomLine(random));
}

function compare(lines: readonly string[]): void {
  const judged = lines.map((line) => ({ line, judgement: judgeCommand(line, PLACE) }));
  const understood = judged.filter(({ judgement }) => judgement.risk !== "opaque");
  // A judge that calls everything opaque would pass below, so a good part must be understood.
  expect(understood.length).toBeGreaterThan(lines.length * 0.2);
  const observed = runLines(understood.map(({ line }) => line));
  expect(observed.reduce((sum, each) => sum + each.stubs.length, 0)).toBeGreaterThan(lines.length * 0.1);
  const wrong = understood.flatMap(({ line, judgement }, i) => {
    const found = differences(judgement, observed[i] as Observed);
    return found.length === 0 ? [] : [{ line, found }];
  });
  expect(wrong).toEqual([]);
}
