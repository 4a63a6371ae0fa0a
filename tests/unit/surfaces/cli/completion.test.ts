/** The scripts in real shells: what is offered behind a line. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-world.ts";
import { refuses, says } from "./expect-end.ts";

let world: CliWorld;
const scripts: Record<string, string> = {};
beforeAll(async () => {
  world = createCliWorld();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { out } = await says(world.run(["completion", shell]));
    scripts[shell] = out;
  }
});
afterAll(() => world.close());

const has = (shell: string) => ["/bin", "/usr/bin"].some((folder) => existsSync(`${folder}/${shell}`));

/** The last word is the one that is being typed. */
const shells: Record<string, (words: readonly string[]) => string[]> = {
  bash: (words) => {
    const line = `COMP_WORDS=(${words.map(quoted).join(" ")}); COMP_CWORD=${words.length - 1}; _toolgate; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run("bash", ["--norc", "-c", `${scripts.bash}\n${line}`]);
  },
  zsh: (words) => {
    // What zsh would do with the words is its own business; which of them it is handed is ours.
    const stubs = 'compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { print -- FILES; }';
    const line = `words=(${words.map(quoted).join(" ")}); CURRENT=${words.length}; _toolgate`;
    const current = words.at(-1) ?? "";
    const offered = run("zsh", ["-f", "-c", `${stubs}\n${scripts.zsh}\n${line}`]);
    return offered.filter((one) => one.startsWith(current));
  },
};

function run(shell: string, args: readonly string[]): string[] {
  const out = execFileSync(shell, args, { encoding: "utf8", cwd: world.root });
  return out.split("\n").filter((line) => line !== "");
}

function quoted(word: string): string {
  return `'${word}'`;
}

for (const shell of ["bash", "zsh"]) {
  describe.skipIf(!has(shell))(`completion in ${shell}`, () => {
    it.each([
      [["toolgate", "comp"], ["completion"]],
      [["toolgate", "audit", "ve"], ["verify"]],
      [["toolgate", "audit", "verify", "--an"], ["--anchor"]],
      [["toolgate", "completion", "z"], ["zsh"]],
      [
        ["toolgate", "audit", "query", "--verdict", "a"],
        ["allow", "ask", "abstain"],
      ],
      [
        ["toolgate", "explain", "Web"],
        ["WebFetch", "WebSearch"],
      ],
      [["toolgate", "tools", "call", "fs.st"], ["fs.stat"]],
      [["toolgate", "explain", "--as", "call", "--ba"], ["--batch"]],
    ])("offers behind %j: %j", (words, offered) => {
      expect(shells[shell]?.(words)).toEqual(offered);
    });

    it("offers every command first", () => {
      const offered = shells[shell]?.(["toolgate", ""]) ?? [];
      for (const name of ["init", "test", "list", "audit", "completion"]) expect(offered).toContain(name);
    });
  });
}

describe.skipIf(!has("fish"))("completion in fish", () => {
  it("is a script that fish takes", () => {
    const ask = (line: string) =>
      run("fish", ["--no-config", "-c", `${scripts.fish}\ncomplete -C ${quoted(line)}`]);
    expect(ask("toolgate audit ve").join("\n")).toMatch(/^verify\b/);
  });
});

describe("the script for fish", () => {
  it("has every command and option, with its quotes escaped", () => {
    expect(scripts.fish).toContain(`complete -c toolgate -n '__toolgate_exactly "audit"' -f -a 'verify' -d `);
    expect(scripts.fish).toContain(`-n '__toolgate_behind "audit tail"' -s f -l follow -d `);
    for (const line of (scripts.fish ?? "").split("\n").filter((one) => one.startsWith("complete ")))
      expect(line.replaceAll(/\\['\\]/g, "").split("'").length % 2).toBe(1);
  });
});

describe("toolgate completion", () => {
  it("says which shells there are", async () => {
    await refuses(world.run("completion tcsh"), "Allowed choices are bash, zsh, fish");
  });
});
