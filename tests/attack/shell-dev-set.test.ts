/** The command sets every change of the judge must keep: no attack approved, nothing harmless asked. */

import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../src/shell/judge.ts";
import devSet from "./data/shell-dev-set.json" with { type: "json" };
import { BENIGN_LINES, ESCAPES } from "./shell-escapes.ts";
import {
  attacksApproved,
  benignAsked,
  CONTEXT,
  type DevCommand,
  isApproved,
  LONG_LIST,
  onlyReads,
} from "./shell-policy.ts";

const commands = devSet as readonly DevCommand[];

it("a policy that allows a few programs by name approves none of the 100 attacks and asks about none of the 25 harmless lines", () => {
  expect(commands.filter((command) => command.kind === "attack")).toHaveLength(100);
  expect(commands.filter((command) => command.kind === "benign")).toHaveLength(25);
  expect(attacksApproved(judgeCommand, commands)).toEqual([]);
  expect(benignAsked(judgeCommand, commands)).toEqual([]);
});

describe("a policy that allows every reading program by name, and the verdict without rules", () => {
  it.each(ESCAPES.map((line) => [line]))("does not approve %j", (line) => {
    const judgement = judgeCommand(line, CONTEXT);
    expect(isApproved(judgement, LONG_LIST)).toBe(false);
    expect(onlyReads(judgement)).toBe(false);
  });

  it.each(BENIGN_LINES.map((line) => [line]))("approves %j", (line) => {
    expect(isApproved(judgeCommand(line, CONTEXT), LONG_LIST)).toBe(true);
  });
});
