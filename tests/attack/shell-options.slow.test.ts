/** Random options beside the real programs: a file that one of them tries to open was named by the judge, and none is written. */

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { judgeCommand } from "../../src/shell/judge.ts";
import { OPTION_LISTS } from "../../src/shell/known-commands/table.ts";
import { type CompiledSpec, compileSpec } from "../../src/shell/option-spec.ts";
import { WRAPPER_OPTION_LISTS } from "../../src/shell/wrappers/wrappers.ts";
import { byTier } from "../tier.ts";
import { type Random, seeded } from "./shell-line-generator.ts";

const LINES_PER_PROGRAM = byTier(20, 80);

/** They wait, repeat, page through the machine, or take a language instead of options. */
const NOT_RUN = new Set(
  "sleep yes jq sed gawk vmstat ss lsof netstat pstree lsblk ps free w who last".split(" "),
);

const STUBS = ["t1", "t2", "t3"];
/** They ask for a password, run for ever, or are words of a shell, which reads them by itself. */
const NOT_WRAPPING = new Set("sudo doas pkexec watch caffeinate time builtin noglob nocorrect".split(" "));

const root = mkdtempSync(join(tmpdir(), "toolgate-options-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("options read as the real programs read them", () => {
  const totals = { programs: 0, lines: 0, run: 0, opened: 0 };
  const programs = [...OPTION_LISTS].filter(([name]) => !NOT_RUN.has(name) && isInstalled(name));

  it.each(programs)("%s opens no file that the judge does not name, and writes none", (name, options) => {
    const spec = compileSpec(options);
    const random = seeded(7);
    totals.programs++;
    const wrong: string[] = [];
    for (let i = 0; i < LINES_PER_PROGRAM; i++) {
      const words = [name, ...randomWords(spec, random)];
      totals.lines++;
      const judged = judgeCommand(words.join(" "), { cwd: root });
      const [command] = judged.commands;
      if (
        judged.risk !== "read" ||
        command === undefined ||
        command.beyond !== undefined ||
        command.unknownPaths
      )
        continue;
      totals.run++;
      for (const posix of [false, true]) {
        // Behind an operand only letters are read in both orders: no program without getopt_long has long options.
        if (posix && words.some((word) => word.startsWith("--"))) continue;
        const { opened, written } = run(words, posix);
        totals.opened += opened.length;
        const missed = opened.filter((file) => !command.reads.includes(file));
        if (missed.length > 0 || written.length > 0)
          wrong.push(
            `${words.join(" ")}: opens ${missed}, writes ${written}${posix ? " (POSIX order)" : ""}`,
          );
      }
    }
    expect(wrong).toEqual([]);
  });

  it("were tried often enough to mean something", () => {
    console.log(
      `options: ${totals.programs} programs, ${totals.lines} lines, ${totals.run} judged as reading and run, ${totals.opened} files opened`,
    );
    if (process.platform === "linux") {
      expect(totals.programs).toBeGreaterThan(50);
      expect(totals.opened).toBeGreaterThan(12 * LINES_PER_PROGRAM);
    }
  });
});

describe("wrappers read as the real programs read them", () => {
  const stubs = join(root, "stubs");
  const log = join(root, "ran");
  mkdirSync(stubs, { recursive: true });
  for (const name of STUBS) {
    writeFileSync(join(stubs, name), `#!/bin/sh\necho ${name} >> ${log}\n`);
    chmodSync(join(stubs, name), 0o755);
  }
  const wrappers = [...WRAPPER_OPTION_LISTS].filter(([name]) => !NOT_WRAPPING.has(name) && isInstalled(name));
  let ran = 0;

  it.each(wrappers)("%s runs no program that the judge does not name", (name, options) => {
    const random = seeded(11);
    const spec = compileSpec(options);
    const wrong: string[] = [];
    for (let i = 0; i < LINES_PER_PROGRAM; i++) {
      const operands = [["1"], ["x86_64"], [], []][Math.floor(random() * 4)] ?? [];
      const words = [name, ...randomWords(spec, random, STUBS), ...operands, ...STUBS];
      const judged = judgeCommand(words.join(" "), { cwd: root });
      if (judged.opaque.length > 0) continue;
      writeFileSync(log, "");
      spawnSync(name, words.slice(1), {
        cwd: root,
        input: "x\n",
        timeout: 2_000,
        env: { PATH: `${stubs}:${process.env.PATH}`, LC_ALL: "C" },
      });
      const programs = readFileSync(log, "utf8").split("\n").filter(Boolean);
      ran += programs.length;
      const named = judged.commands.map((command) => command.argv[0]);
      if (programs.some((program) => !named.includes(program)))
        wrong.push(`${words.join(" ")}: runs ${programs}, judged as ${named}`);
    }
    expect(wrong).toEqual([]);
  });

  it("were run often enough to mean something", () => {
    console.log(`wrappers: ${wrappers.length} programs, ${ran} commands run through them`);
    if (process.platform === "linux") expect(ran).toBeGreaterThan(50);
  });
});

/** Options in all their forms, with names of files that do not exist wherever a value or an operand may stand. */
function randomWords(spec: CompiledSpec, random: Random, values?: readonly string[]): string[] {
  const letters = [...spec.short.keys()]
    .filter((code) => spec.short[code] !== 0 && code !== 63)
    .map(toLetter);
  const names = [...spec.long.keys()].filter((name) => name !== "help" && name !== "version");
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = (from: readonly string[]) => from[below(from.length)];
  let files = 0;
  const value = () =>
    random() < 0.25 ? String(below(9)) : values === undefined ? `m${++files}` : (pick(values) ?? "");
  const words: string[] = [];
  const count = 1 + below(4);
  for (let i = 0; i < count; i++) {
    const letter = pick(letters);
    const long = pick(names);
    switch (below(7)) {
      case 0:
        if (letter !== undefined) words.push(`-${letter}`, value());
        break;
      case 1:
        if (letter !== undefined) words.push(`-${letter}${value()}`);
        break;
      case 2:
        if (letter !== undefined) words.push(`-${pick(letters)}${letter}`, value());
        break;
      case 3:
        if (long !== undefined) words.push(`--${long}=${value()}`);
        break;
      case 4:
        if (long !== undefined) words.push(`--${long}`, value());
        break;
      case 5:
        words.push(value());
        break;
      default:
        words.push(random() < 0.3 ? "--" : `-${letter ?? "x"}`);
    }
  }
  return values === undefined ? [...words, value()] : words;
}

const toLetter = (code: number) => String.fromCharCode(code);

interface Effects {
  readonly opened: readonly string[];
  readonly written: readonly string[];
}

function run([program = "", ...args]: readonly string[], posix: boolean): Effects {
  const cwd = join(root, "run");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "1"), "text\n");
  const { stderr, stdout } = spawnSync(program, args, {
    cwd,
    input: "",
    encoding: "utf8",
    timeout: 2_000,
    killSignal: "SIGKILL",
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C", ...(posix ? { POSIXLY_CORRECT: "1" } : {}) },
  });
  const written = readdirSync(cwd).filter((name) => name !== "1");
  if (written.length > 0) rmSync(cwd, { recursive: true });
  const opened = new Set<string>();
  for (const line of `${stderr}\n${stdout}`.split("\n")) {
    if (/No such file|cannot open|cannot access|cannot stat|can't open|os error 2/i.test(line))
      for (const [file] of line.matchAll(/(?<![\w=.-])m\d+(?![\w.-])/g)) opened.add(file);
  }
  return { opened: [...opened], written };
}

function isInstalled(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}
