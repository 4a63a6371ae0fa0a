import { describe, expect, it } from "vitest";
import { matchesTool, matchesWildcard } from "../../../../src/core/tool/tool-pattern.ts";
import { processorMs } from "../../../processor-time.ts";

describe("a wildcard", () => {
  it.each([
    ["*", "anything", true],
    ["fs.*", "fs.read", true],
    ["fs.*", "fs.", true],
    ["fs.*", "fsx", false],
    ["*.read", "fs.read", true],
    ["*.read", "fs.reader", false],
    ["a*b*c", "a-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["**", "", true],
    ["mcp__*__get_*", "mcp__github__get_issue", true],
    ["mcp__*__get_*", "mcp__github__set_issue", false],
    ["fs.read*", "FS.READ", false],
    ["f?.read*", "fs.read", false],
    ["f[s].*", "fs.read", false],
  ])("%j against %j is %s", (pattern, name, expected) => {
    expect(matchesWildcard(pattern, name)).toBe(expected);
  });

  it("answers in no time for many stars and a long name", () => {
    const before = processorMs();
    expect(matchesWildcard(`${"*a".repeat(500)}b`, "a".repeat(50_000))).toBe(false);
    expect(processorMs() - before).toBeLessThan(5_000);
  });
});

describe("a tool pattern", () => {
  const tool = { id: "fs.read", names: ["fs.read", "fs_read", "Read"] };
  const byName = (name: string, { names }: { names: readonly string[] }) => names.includes(name);

  it("holds for any name of the tool, and as a list when any of it does", () => {
    expect(matchesTool("Rea*", tool, byName)).toBe(true);
    expect(matchesTool(["Write", "fs_*"], tool, byName)).toBe(true);
    expect(matchesTool(["Write", "Edit"], tool, byName)).toBe(false);
    expect(matchesTool([], tool, byName)).toBe(false);
    expect(matchesTool("", tool, byName)).toBe(false);
  });
});
