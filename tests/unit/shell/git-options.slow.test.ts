/** Every option that the installed git has is in the table, with a value exactly where git takes one. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { judgeCommand } from "../../../src/shell/judge.ts";
import { takesNext } from "../../../src/shell/known-commands/git/option-table.ts";
import { GIT_READERS } from "../../../src/shell/known-commands/git/readers.ts";
import type { Subcommand } from "../../../src/shell/known-commands/git/subcommand.ts";
import { GIT_STASHES, GIT_WRITERS } from "../../../src/shell/known-commands/git/writers.ts";
import { describeGit, git } from "../sources/builtin/git/git-gate.ts";

const commands: readonly (readonly [string, Subcommand])[] = [
  ...GIT_READERS,
  ...GIT_WRITERS,
  ...[...GIT_STASHES].map(([name, command]) => [`stash ${name}`, command] as const),
];

function ask(words: string, option: string): string {
  const { stdout, stderr } = spawnSync("git", [...words.split(" "), option], {
    encoding: "utf8",
    timeout: 5_000,
  });
  return `${stdout}\n${stderr}`;
}

/** `-q, --quiet   text`, `--[no-]object-names`, `--objects | --objects-edge`: what stands before the text. */
function optionsOfHelp(help: string): string[] {
  return help
    .split("\n")
    .filter((line) => /^\s+-(?!NUM)/.test(line) && !/^\s+(?:or: )?git /.test(line))
    .map((line) => line.trim().replace(/ {2,}(?!-).*$/, ""))
    .flatMap((line) => [
      ...line.matchAll(/(?<![\w<([-])(--(?:\[no-\])?[a-z][\w-]*|-[A-Za-z0-9](?![\w-]*[=>]))/g),
    ])
    .map(([option]) => option.replace("[no-]", ""));
}

const isHelp = (option: string) => option === "--help" || option === "-h";
/** The helper leaves out that it takes a value. */
const saidWrongly = new Set(["merge --file"]);

function isListed({ table }: Subcommand, option: string): boolean {
  if (!option.startsWith("--")) return (table.short[option.charCodeAt(1)] ?? 0) !== 0;
  const name = option.slice(2);
  return table.long.has(name) || (name.startsWith("no-") && table.long.has(name.slice(3)));
}

function repository() {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-options-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  git(folder, "init", "-q");
  git(folder, "commit", "-q", "--allow-empty", "-m", "first");
  const file = join(folder, "written");
  const written = () => {
    const there = existsSync(file);
    rmSync(file, { force: true });
    return there;
  };
  return { folder, written };
}

describeGit("the table of git's options", () => {
  it("has what `git <command> -h` shows", () => {
    const missing: string[] = [];
    let seen = 0;
    for (const [name, command] of commands) {
      for (const option of optionsOfHelp(ask(name, "-h"))) {
        seen++;
        if (!isHelp(option) && !isListed(command, option)) missing.push(`${name} ${option}`);
      }
    }
    expect(missing).toEqual([]);
    expect(seen).toBeGreaterThan(500);
  });

  it("has what git offers to complete, hidden options too, and takes a value where git does", () => {
    const wrong: string[] = [];
    let seen = 0;
    for (const [name, { table }] of commands) {
      const offered = ask(name, "--git-completion-helper-all").split("\n")[0] ?? "";
      for (const word of offered.split(" ").filter((one) => /^--[a-z]/.test(one))) {
        if (word.startsWith("--git-completion")) continue;
        seen++;
        const option = word.slice(2).replace(/=$/, "");
        const code = table.long.get(option);
        if (code === undefined) {
          if (!option.startsWith("no-") || !table.long.has(option.slice(3)))
            wrong.push(`${name} ${word} is missing`);
        } else if (takesNext(code) !== word.endsWith("=") && !saidWrongly.has(`${name} ${word}`))
          wrong.push(`${name} ${word} takes a value, or none`);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(700);
  });

  // Their parser is another one, which offers nothing to complete: what an option does not take for its value is an option itself.
  it.each(["log", "show", "rev-list", "shortlog", "diff", "diff-tree", "diff-index", "range-diff", "blame"])(
    "hides no option of git %s behind another",
    (name) => {
      const { folder, written } = repository();
      const { table } = GIT_READERS.get(name) as Subcommand;
      const letters = [...table.short].flatMap((code, char) =>
        code === 0 ? [] : [`-${String.fromCharCode(char)}`],
      );
      const options = [...[...table.long.keys()].map((option) => `--${option}`), ...letters];
      const unseen = options.filter((option) => {
        const line = `git ${name} ${option} --output=written HEAD`;
        if (judgeCommand(line, { cwd: folder }).commands[0]?.beyond !== undefined) return false;
        spawnSync("git", [name, option, "--output=written", "HEAD"], { cwd: folder, timeout: 5_000 });
        return written();
      });
      expect(unseen).toEqual([]);
      // The option would write, if nothing came before it.
      spawnSync("git", [name, "--output=written", "HEAD"], { cwd: folder, timeout: 5_000 });
      expect(written()).toBe(true);
    },
  );
});
