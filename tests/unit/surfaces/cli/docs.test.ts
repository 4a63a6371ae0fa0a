/** docs/cli.md says what the program takes, and its examples print what they show. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../../../src/surfaces/cli/program/program.ts";
import { exitCodes } from "../../../../src/surfaces/cli/terminal/io.ts";
import { printed } from "../../docs/page-blocks.ts";
import { useCliWorld } from "./cli-world.ts";
import { wordsOf } from "./expect-end.ts";

const page = readFileSync(fileURLToPath(new URL("../../../../docs/cli.md", import.meta.url)), "utf8");

const io = {
  readStdin: async () => "",
  out: () => {},
  err: () => {},
  env: {},
  cwd: "/",
  isTerminal: false,
  signal: new AbortController().signal,
};
const program = createProgram(io, () => {});
const commands = program.commands.flatMap((command) => [command, ...command.commands]);

describe("docs/cli.md", () => {
  it("has a section for every command, in the order of the help, with its arguments", () => {
    expect([...page.matchAll(/^##+ `(toolgate [^`]+)`$/gm)].map((match) => match[1])).toEqual(
      commands.map(usageOf),
    );
  });

  it.each(commands.map((command) => [usageOf(command), command] as const))(
    "lists exactly the options of %s",
    (usage, command) => {
      const section = page.split(`\`${usage}\`\n`)[1]?.split(/^##/m)[0] ?? "";
      const listed = [...section.matchAll(/^\| `(-[^`]+)` \|/gm)].map((match) => match[1]);
      expect(listed).toEqual(command.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags));
    },
  );

  it.each(commands.filter((command) => command.commands.length === 0).map((one) => [usageOf(one), one]))(
    "is not needed for an example of %s: its help has one",
    (_usage, command) => {
      let help = "";
      const before = command.configureOutput();
      command.configureOutput({
        ...before,
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      command.configureOutput(before);
      expect(help).toMatch(/^Examples?:\n {2}\$ /m);
    },
  );

  it("lists the exit codes there are", () => {
    const table = page.split("## Exit codes")[1]?.split("##")[0] ?? "";
    const listed = [...table.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]));
    expect(listed).toEqual([...new Set(Object.values(exitCodes))]);
  });
});

describe("the examples in docs/cli.md", () => {
  const world = useCliWorld((world) => {
    world.file("toolgate.yaml", /^```yaml\n(.*?)^```/ms.exec(page)?.[1] ?? "");
  });

  const blocks = [...page.matchAll(/^```console\n(.*?)^```/gms)].map((match) => match[1] ?? "");

  it("are found", () => expect(blocks.length).toBeGreaterThan(5));

  for (const block of blocks) {
    it(`print what they show: ${block.split("\n")[0]?.slice(2)}`, async () => {
      // The hook keeps compiled rules of files that were not changed in this very moment.
      if (block.includes("toolgate check")) await sleep(100);
      for (const example of block.split(/^(?=\$ )/m)) {
        const [line = "", ...shown] = example.split("\n");
        const { argv, stdin, code } = readExample(line);
        let said = "";
        const hear = (text: string) => {
          said += text;
        };
        const ran = await world.run(argv, { stdin, onOut: hear, onErr: hear });
        expect(said).toMatch(printed(shown.join("\n")));
        expect(ran.code).toBe(code);
      }
    });
  }
});

function usageOf(command: Command): string {
  const names: string[] = [];
  for (let one: Command | null = command; one !== null; one = one.parent) names.unshift(one.name());
  const words = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [...names, ...words].join(" ");
}

function readExample(line: string): { argv: string[]; stdin: string; code: number } {
  const match = /^\$ (?:echo '([^']*)' \| )?toolgate (.*?)(?:\s+# exit (\d+))?$/.exec(line);
  if (match === null) throw new Error(`Not an example that can be run: ${line}`);
  const [, stdin, words = "", code = "0"] = match;
  return { argv: wordsOf(words), stdin: stdin === undefined ? "" : `${stdin}\n`, code: Number(code) };
}
