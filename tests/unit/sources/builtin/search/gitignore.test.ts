import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseGitignore } from "../../../../../src/sources/builtin/search/glob/gitignore.ts";

const verdict = (text: string, path: string) =>
  parseGitignore(text).verdict(path.replace(/\/$/, "").split("/"), path.endsWith("/"));

/** Lines, a path (a folder ends in /), and whether git ignores it. */
const cases: readonly [lines: string, path: string, ignored: boolean][] = [
  ["*.log", "a.log", true],
  ["*.log", "deep/er/a.log", true],
  ["*.log", "a.logs", false],
  ["/a.log", "a.log", true],
  ["/a.log", "deep/a.log", false],
  ["build/", "build/", true],
  ["build/", "x/build/", true],
  ["build/", "build", false],
  ["src/build", "src/build/", true],
  ["src/build", "x/src/build/", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["**/foo", "foo", true],
  ["**/foo", "a/b/foo", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**", "a/x", true],
  ["a/**", "a/", false],
  ["*.log\n!keep.log", "keep.log", false],
  ["!keep.log\n*.log", "keep.log", true],
  ["# a.log", "a.log", false],
  ["\\#a", "#a", true],
  ["\\!a", "!a", true],
  ["a.txt  ", "a.txt", true],
  ["a\\ ", "a ", true],
  ["[ab].txt", "a.txt", true],
  ["[ab].txt", "c.txt", false],
  ["[!ab].txt", "c.txt", true],
  ["[a-c]1", "b1", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["a*c", "abbbc", true],
  ["foo[", "foo[", false],
  ["a\r\nb", "a", true],
  ["", "a", false],
  ["/", "a", false],
  ["*a*b*c*", "xaxbxcx", true],
  ["*a*b*c*", "xaxcxbx", false],
  ["a**b", "axxb", true],
];

describe("a .gitignore file", () => {
  it.each(cases)("%j makes %j ignored: %j", (lines, path, ignored) => {
    expect(verdict(lines, path) === "ignored").toBe(ignored);
  });

  it("tells what it keeps from what it does not speak of", () => {
    expect(verdict("!a", "a")).toBe("kept");
    expect(verdict("b", "a")).toBeUndefined();
  });

  it("takes braces as ripgrep does", () => {
    expect(verdict("*.{log,tmp}", "a.tmp")).toBe("ignored");
    expect(verdict("{a", "{a")).toBeUndefined();
  });

  it("comes back whatever its patterns are", () => {
    expect(verdict("*a".repeat(60), "a".repeat(250))).toBe("ignored");
    expect(verdict(`${"*a".repeat(60)}b`, "a".repeat(250))).toBeUndefined();
    expect(verdict(`${"**/a/".repeat(60)}b`, "a/".repeat(120).slice(0, -1))).toBeUndefined();
  });

  describe("agrees with git", () => {
    let root: string;
    beforeAll(() => {
      root = mkdtempSync(join(tmpdir(), "toolgate-ignore-"));
      execFileSync("git", ["init", "-q"], { cwd: root });
    });
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    it("on all of these cases", () => {
      const differing = cases.filter(([lines, path, ignored]) => {
        rmSync(join(root, "work"), { recursive: true, force: true });
        const full = join(root, "work", path);
        mkdirSync(path.endsWith("/") ? full : dirname(full), { recursive: true });
        if (!path.endsWith("/")) writeFileSync(full, "");
        writeFileSync(join(root, "work", ".gitignore"), lines);
        let answer = true;
        try {
          execFileSync("git", ["check-ignore", "-q", "--", path.replace(/\/$/, "")], {
            cwd: join(root, "work"),
          });
        } catch {
          answer = false;
        }
        return answer !== ignored;
      });
      expect(differing).toEqual([]);
    });
  });
});
