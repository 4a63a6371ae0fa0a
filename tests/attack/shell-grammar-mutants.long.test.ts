/** Judges with a mistake: the lines of the grammar, in a real bash or zsh, would notice each. */

import { describe, expect, it } from "vitest";
import type { CommandJudge } from "../../src/core/ports/command.ts";
import { createJudge, judgeCommand } from "../../src/shell/judge.ts";
import { JUDGE_PARTS } from "../../src/shell/judge-parts.ts";
import { type BatchShell, batchProblem } from "./shell-batch.ts";
import { compareWithShells } from "./shell-comparison.ts";

const seed = Number(process.env.TOOLGATE_FUZZ_SEED ?? 20261116);

const forgives =
  (reason: RegExp): CommandJudge =>
  (line, context) => {
    const judgement = judgeCommand(line, context);
    const opaque = judgement.opaque.filter((part) => !reason.test(part.reason));
    return opaque.length > 0 || judgement.opaque.length === 0
      ? judgement
      : { ...judgement, opaque, risk: "read" };
  };

const takesOperandsForPlain = createJudge({ ...JUDGE_PARTS, isPlainOperand: () => true });

const MUTANTS: Readonly<Record<BatchShell, Readonly<Record<string, CommandJudge>>>> = {
  bash: {
    "takes every operand for plain": takesOperandsForPlain,
    "trusts names in arithmetic": forgives(/^arithmetic evaluates/),
    "trusts tests of names": forgives(/^the test evaluates/),
  },
  zsh: {
    "takes every operand for plain": takesOperandsForPlain,
    "takes zsh for bash": (line, context) => judgeCommand(line, { ...context, dialect: "bash" }),
  },
};

describe.each(["bash", "zsh"] as const)("the judge beside a real %s", (shell: BatchShell) => {
  const problem = batchProblem(shell);
  const skip = problem !== undefined && process.env.TOOLGATE_CI !== "full";
  const why = problem === undefined ? "" : ` (skipped: ${problem})`;

  it.skipIf(skip).each(Object.entries(MUTANTS[shell]))(
    `would notice one that %s${why}`,
    { timeout: 280_000 },
    async (_, judge) => {
      const { wrong } = await compareWithShells({ lines: 4_000, seed, shells: [shell], judge });
      expect(wrong.length).toBeGreaterThan(0);
    },
  );
});
