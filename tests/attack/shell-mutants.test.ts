/** Judges broken on purpose, each by a mistake that real ones made: the attack suite must notice every one. */

import { describe, expect, it } from "vitest";
import type { CommandJudge } from "../../src/core/ports/command.ts";
import { createJudge, judgeCommand } from "../../src/shell/judge.ts";
import { JUDGE_PARTS, type KnownCommand } from "../../src/shell/judge-parts.ts";
import { ATTACHED, FLAG, REFUSED, takesNextWord, VALUE } from "../../src/shell/option-spec.ts";
import devSet from "./data/shell-dev-set.json" with { type: "json" };
import { attacksApproved, benignAsked, type DevCommand } from "./shell-policy.ts";

const commands = devSet as readonly DevCommand[];

const harmless: KnownCommand = () => {};

const trusting = (...names: string[]) =>
  createJudge({
    ...JUDGE_PARTS,
    known: new Map([...JUDGE_PARTS.known, ...names.map((name) => [name, harmless] as const)]),
  });

const MUTANTS: Readonly<Record<string, CommandJudge>> = {
  "takes the body of every here-document for plain text": createJudge({
    ...JUDGE_PARTS,
    hereDocParts: () => undefined,
  }),
  "does not look inside wrappers": createJudge({
    ...JUDGE_PARTS,
    wrappers: new Map(),
    known: new Map([
      ...JUDGE_PARTS.known,
      ...[...JUDGE_PARTS.wrappers.keys()].map((name): [string, KnownCommand] => [name, harmless]),
    ]),
  }),
  "accepts options by their beginning": createJudge({
    ...JUDGE_PARTS,
    findLongOption: (options, name) => {
      for (const [known, code] of options) if (known.startsWith(name.slice(0, 3))) return code;
      return undefined;
    },
  }),
  "lets options pass that are in no list": createJudge({
    ...JUDGE_PARTS,
    findLongOption: (options, name) => options.get(name) ?? FLAG,
  }),
  "takes every value of an option for text": createJudge({
    ...JUDGE_PARTS,
    findLongOption: (options, name) => {
      const code = options.get(name);
      return code === undefined || !takesNextWord(code) ? code : VALUE;
    },
  }),
  "forgets which options were refused": createJudge({
    ...JUDGE_PARTS,
    findLongOption: (options, name) => {
      const code = options.get(name);
      return code === REFUSED ? ATTACHED : code;
    },
  }),
  "trusts tar by its name": trusting("tar"),
  "trusts xxd by its name": trusting("xxd"),
  "trusts find by its name": trusting("find"),
  "trusts git by its name": trusting("git"),
  "trusts sed by its name": trusting("sed"),
  "trusts printf and its -v": trusting("printf"),
  "trusts commands in variables set for a program": (line, context) =>
    judgeCommand(line.replace(/^[A-Z_]+=\S+ /, ""), context),
  "reads only the first line": (line, context) => judgeCommand(line.split("\n")[0] ?? "", context),
  "takes what it cannot judge for harmless": (line, context) => {
    const judgement = judgeCommand(line, context);
    return { ...judgement, opaque: [], risk: judgement.risk === "opaque" ? "read" : judgement.risk };
  },
  "forgets redirects": (line, context) => {
    const judgement = judgeCommand(line, context);
    return {
      ...judgement,
      redirects: [],
      risk:
        judgement.commands.every((c) => c.risk === "read") && judgement.opaque.length === 0
          ? "read"
          : judgement.risk,
    };
  },
};

describe("the attack suite", () => {
  it.each(Object.entries(MUTANTS))("catches a judge that %s", (_, mutant) => {
    expect(attacksApproved(mutant, commands).length).toBeGreaterThan(0);
  });

  it("catches a judge that asks about everything", () => {
    const nervous: CommandJudge = (line, context) => ({ ...judgeCommand(line, context), risk: "opaque" });
    expect(benignAsked(nervous, commands).length).toBeGreaterThan(200);
  });
});
