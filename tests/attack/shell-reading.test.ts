/** Ordinary lines that only read: a policy that approves reading, by risk or by name, must not ask about them. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CommandJudgement } from "../../src/core/ports/command.ts";
import { judgeCommand } from "../../src/shell/judge.ts";
import { CONTEXT, onlyReads } from "./shell-policy.ts";

const LINES = JSON.parse(
  readFileSync(new URL("./data/shell-reading.json", import.meta.url), "utf8"),
) as readonly string[];

describe("ordinary lines that only read", () => {
  it("are at least 200, and at least 95 % of them count as reading and as the plain use of their programs", () => {
    const asked = LINES.filter((line) => !isPlainReading(judgeCommand(line, CONTEXT)));
    console.log(`${LINES.length} ordinary lines, ${asked.length} not judged as reading:`, asked);
    expect(LINES.length).toBeGreaterThanOrEqual(200);
    expect(asked.length).toBeLessThanOrEqual(LINES.length * 0.05);
  });

  it("leave no path open that the line itself names", () => {
    const open = LINES.filter((line) =>
      judgeCommand(line, CONTEXT).commands.some(
        (command) => command.unknownPaths && command.dynamic.length === 0 && command.via.length === 0,
      ),
    );
    expect(open).toEqual([]);
  });
});

function isPlainReading(judgement: CommandJudgement): boolean {
  return onlyReads(judgement) && judgement.commands.every((command) => command.beyond === undefined);
}
