import { describe, expect, it } from "vitest";
import type { JudgedCommand } from "../../../src/core/ports/command.ts";
import { literalArg, ONE, unknownArg } from "../../../src/shell/arg.ts";
import { CommandUse } from "../../../src/shell/command-use.ts";
import { JUDGE_PARTS } from "../../../src/shell/judge-parts.ts";
import { readOperands } from "../../../src/shell/operands.ts";
import { compileSpec, type OptionSpec, parseOptions } from "../../../src/shell/options.ts";
import { startWalk } from "../../../src/shell/walk.ts";

const SPEC: OptionSpec = {
  flags: "ab",
  values: "n",
  reads: "r",
  writes: "w",
  lists: "l",
  attached: "o",
  refuses: "x",
  long: "all also number= read=< write=> list=@ run=! host=& maybe? bad! worse?!",
  abbreviates: true,
};

const judge = (line: string, more: OptionSpec = {}): JudgedCommand => {
  const walk = startWalk(JUDGE_PARTS, { cwd: "/work" });
  const use = new CommandUse(walk, line.split(" ").map(literalArg));
  const spec = compileSpec({ ...SPEC, ...more });
  readOperands(use, spec, parseOptions(use, spec, 1));
  use.finish();
  const [command] = walk.commands;
  if (command === undefined) throw new Error("nothing was judged");
  return command;
};

describe("an option", () => {
  it.each([
    ["p -ab --all f", { risk: "read", reads: ["f"] }],
    ["p -n f -bn5 --number f --number=f", { risk: "read", reads: [] }],
    ["p -r f -arf2 --read f3 --read=f4", { reads: ["f", "f2", "f3", "f4"] }],
    ["p -w f", { risk: "write", writes: ["f"] }],
    ["p --write=f", { risk: "write", writes: ["f"] }],
    ["p -l f", { risk: "execute", reads: ["f"], unknownPaths: true }],
    ["p --list=f", { risk: "execute", reads: ["f"], unknownPaths: true }],
    ["p --run x", { risk: "execute", unknownPaths: true }],
    ["p --host=x", { risk: "execute", network: true }],
    ["p -o f -of2 --maybe f3 --maybe=f4", { risk: "read", reads: ["f", "f3"] }],
    ["p -ax", { risk: "execute", unknownPaths: true }],
    ["p --bad", { risk: "execute", unknownPaths: true }],
    ["p --worse=1", { risk: "execute", unknownPaths: true }],
    ["p -az", { risk: "opaque", unknownPaths: true }],
    ["p --unheard-of", { risk: "opaque", unknownPaths: true }],
    ["p --all=1", { risk: "opaque" }],
    ["p -- -z --unheard-of", { risk: "read", reads: ["-z", "--unheard-of"] }],
  ])("is read by its kind: %s", (line, expected) => {
    expect(judge(line)).toMatchObject(expected);
  });

  it("is found by its beginning where the program does so, and never covered by an approval then", () => {
    expect(judge("p --rea=f")).toMatchObject({ reads: ["f"], risk: "execute" });
    expect(judge("p --rea=f").beyond).toContain("short for --read");
    expect(judge("p --al")).toMatchObject({ risk: "opaque" });
    expect(judge("p --all")).toMatchObject({ risk: "read" });
    expect(judge("p --rea=f", { abbreviates: false })).toMatchObject({ risk: "opaque", reads: ["f"] });
  });

  it("may open its value where nobody here knows what it does", () => {
    for (const line of [
      "p -x f",
      "p -axf",
      "p --bad f",
      "p --worse=f",
      "p --unheard=f",
      "p --unheard f",
      "p --run=f",
      "p -zf",
    ])
      expect(judge(line).reads, line).toContain("f");
    expect(judge("p -x -a").reads).toEqual([]);
  });

  it("behind an operand counts as the program's and as a file, because programs differ", () => {
    expect(judge("p f -n 5").reads).toEqual(["5", "f"]);
    expect(judge("p -n 5 f").reads).toEqual(["f"]);
  });

  it("that takes the next word wherever it stands must be the last of its word", () => {
    expect(judge("p -nb 5", { lastTakesValue: true }).risk).toBe("opaque");
    expect(judge("p -bn 5", { lastTakesValue: true }).risk).toBe("read");
  });

  it("is known where only its value is not", () => {
    const walk = startWalk(JUDGE_PARTS, { cwd: "/work" });
    const word = { ...unknownArg('-br"$x"', ONE), prefix: "-br" };
    const use = new CommandUse(walk, [literalArg("p"), word]);
    expect(parseOptions(use, compileSpec(SPEC), 1)).toMatchObject({ operands: [], seen: ["b", "r"] });
    expect(use.unknownPaths).toBe(true);
  });
});

describe("operands", () => {
  it("may stand in a file", () => {
    expect(judge("p @f", { responseFiles: true })).toMatchObject({ risk: "opaque", reads: ["f", "@f"] });
    expect(judge("p @f")).toMatchObject({ risk: "read", reads: ["@f"] });
  });

  it("are the directory it is in, where there are none and the program takes it", () => {
    expect(judge("p", { readsHere: true }).reads).toEqual(["."]);
    expect(judge("p f", { readsHere: true }).reads).toEqual(["f"]);
    expect(judge("p x", { readsHere: "a", operands: "first-text" }).reads).toEqual([]);
    expect(judge("p -a x", { readsHere: "a", operands: "first-text" }).reads).toEqual(["."]);
  });
});
