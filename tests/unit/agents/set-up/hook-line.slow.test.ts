import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitsIntoLine, readHookLine, writeHookLine } from "../../../../src/agents/set-up/hook-line.ts";

const anyWord = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter(fitsIntoLine);
const length = { minLength: 1, maxLength: 12 };
const specials = fc
  .array(fc.constantFrom(..." '\"\\$`;&|<>()*?[]{}~#!=^%,:@+-./éж日😀\u00a0\u3000"), length)
  .map((characters) => characters.join(""));
const words = fc.array(fc.oneof(anyWord, specials), { minLength: 1, maxLength: 40 });

describe("the line of the hook", () => {
  const shells = ["/bin/sh", "/bin/bash", "/bin/dash", "/usr/bin/zsh"].filter(existsSync);

  it.for(shells.flatMap((shell) => ["C", "C.UTF-8"].map((locale) => [shell, locale] as const)))(
    "means the same words to %s in %s, whatever characters they have",
    ([shell, locale]) => {
      fc.assert(
        fc.property(words, (given) => {
          const line = writeHookLine({ path: "/usr/bin/printf" }, ["%s\\n", ...given], "deny");
          const env = { LC_ALL: locale, HOME: "/nowhere" };
          const said = execFileSync(shell, ["-c", line], { encoding: "utf8", env });
          expect(said).toBe(`${given.join("\n")}\n`);
        }),
        { numRuns: 25 },
      );
    },
  );

  it.for(shells)("ends aloud in %s, whatever ended the hook, and adds nothing to its own denial", (shell) => {
    const run = (script: string) => {
      const line = writeHookLine({ path: "/bin/sh" }, ["-c", script], "deny-aloud");
      const { status, stdout, stderr } = spawnSync(shell, ["-c", line], { encoding: "utf8" });
      return { status, stdout, stderr };
    };
    expect(run("echo fine; exit 0")).toEqual({ status: 0, stdout: "fine\n", stderr: "" });
    expect(run("echo No. >&2; exit 2")).toEqual({ status: 2, stdout: "", stderr: "No.\n" });
    for (const end of ["exit 1", "kill -KILL $$", "kill -PIPE $$"]) {
      const { status, stderr } = run(end);
      expect(status).toBe(2);
      expect(stderr).toContain("toolgate: the hook failed, so the call is denied.");
    }
  });

  it("is read as it was written", () => {
    fc.assert(
      fc.property(words, ([path = "", ...args]) => {
        for (const end of ["deny", "deny-aloud", "as-it-ends"] as const)
          expect(readHookLine(writeHookLine({ path }, args, end))).toEqual([path, ...args]);
      }),
    );
  });

  it("stays absolute where it is cut at the blanks, so that no file of a project can be meant", () => {
    fc.assert(
      fc.property(words, ([path = ""]) => {
        const [first] = writeHookLine({ path: `/${path}` }, ["claude-code"], "deny").split(/\s+/);
        expect(first?.startsWith("/")).toBe(true);
      }),
    );
  });

  it("leaves folders of the client's to the shell, and finds them when it is read", () => {
    const program = { below: "CLAUDE_PLUGIN_ROOT", path: "dist/hook.sh" };
    const line = writeHookLine(program, ["claude-code"], "deny");
    expect(line).toBe('"$CLAUDE_PLUGIN_ROOT"/dist/hook.sh claude-code || exit 2');
    const variables = { CLAUDE_PLUGIN_ROOT: "/a $(b) 'c\"" };
    expect(readHookLine(line, variables)).toEqual(["/a $(b) 'c\"/dist/hook.sh", "claude-code"]);
    expect(readHookLine(line)?.[0]).toBe("$CLAUDE_PLUGIN_ROOT/dist/hook.sh");
  });

  it.for([
    ['"/usr/bin/node" "/a b/hook.cjs" claude-code', ["/usr/bin/node", "/a b/hook.cjs", "claude-code"]],
    ["'/a b'/hook.sh  claude-code ", ["/a b/hook.sh", "claude-code"]],
    ['"/a\\$b\\"c"/hook.sh', ['/a$b"c/hook.sh']],
    [`"$\{HOME}"/hook.sh`, ["/home/me/hook.sh"]],
    ["$HOME/hook.sh", ["/home/me/hook.sh"]],
  ] as const)("is read as a person would have written it: %s", ([line, wanted]) => {
    expect(readHookLine(line, { HOME: "/home/me" })).toEqual(wanted);
  });

  it.for([
    ...["cd /x && ./hook.sh", "hook.sh; true", "hook.sh | tee log", "hook.sh > log", "$(which hook.sh)"],
    ...["`which hook.sh`", 'hook.sh "$(date)"', "hook.sh || true", "hook.sh &", "'hook.sh", "~/hook.sh"],
  ])("is not read where a shell would do more than start a program: %s", (line) => {
    expect(readHookLine(line)).toBeUndefined();
  });

  it("has no room for a path that would break it", () => {
    for (const sign of "\n\r\0\t\u007f\u0085\u2028\u2029") expect(fitsIntoLine(`/a${sign}b`)).toBe(false);
    expect(fitsIntoLine("")).toBe(false);
    for (const path of ["/a b", "/ü", "/a'b\"c"]) expect(fitsIntoLine(path)).toBe(true);
  });
});
