import { describe, expect, it } from "vitest";
import { readRoles, rolesOf } from "../../../../src/core/input/input-roles.ts";
import { pathsInPatch } from "../../../../src/core/input/patch-headers.ts";
import { findKnownTool } from "../../../../src/core/tool/known-tools.ts";

const begin = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("the paths in a patch", () => {
  const changed = ["@@", "-a", "+b"];
  const hunk = "@@ -1 +1 @@\n-a\n+b";
  const cafe = '"a/caf\\303\\251"';
  it.each<readonly [string, string, readonly string[]]>([
    ["added files", begin("*** Add File: a", "+x"), ["a"]],
    ["changed and moved files", begin("*** Update File: b c", "*** Move to: d", ...changed), ["b c", "d"]],
    ["deleted files", begin("*** Add File: a", "+x", "*** Delete File: e"), ["a", "e"]],
    ["markers with more white space", begin("  *** Update File:   .env  ", "***Add File:x"), [".env", "x"]],
    ["markers of other verbs and case", begin("*** create file: y", "*** Rename to: z"), ["y", "z"]],
    ["Windows line breaks", "*** Begin Patch\r\n*** Delete File: .env\r\n*** End Patch", [".env"]],
    ["a diff of git", `diff --git a/src/x b/src/x\n--- a/src/x\n+++ b/src/x\n${hunk}`, ["src/x"]],
    [
      "a new file and one that goes",
      "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-a",
      ["new", "old"],
    ],
    ["a diff without prefixes", `--- ../x\t2026-01-01 10:00\n+++ ../x\t2026-01-01 10:01\n${hunk}`, ["../x"]],
    ["a folder that is called a", `--- a/x\n+++ a/x\n${hunk}`, ["a/x"]],
    [
      "a rename",
      "diff --git a/one b/two\nsimilarity index 100%\nrename from one\nrename to .env",
      ["one", "two", ".env"],
    ],
    ["a copy", "copy from a\ncopy to b", ["a", "b"]],
    [
      "names that git quotes",
      `diff --git ${cafe} ${cafe.replace("a/", "b/")}\n--- ${cafe}\n+++ ${cafe.replace("a/", "b/")}`,
      ["café"],
    ],
    ["an empty new file", "diff --git a/my file b/my file\nnew file mode 100644", ["my file"]],
    ["two names with spaces", "diff --git a/x y b/z w\nindex 1..2", ["x y", "z w"]],
    ["a context diff", "*** .env\t2026\n--- .env\t2026\n***************", [".env"]],
    [
      "a backslash, read both ways",
      begin("*** Update File: sub\\.env", ...changed),
      ["sub\\.env", "sub/.env"],
    ],
    ["an index line", "Index: .env\n=====", [".env"]],
    [
      "no more than there are: a removed comment is no header",
      begin("*** Update File: a.sql", "@@", "--- drop it", "+-- keep it"),
      ["a.sql"],
    ],
    ["nothing in other text", "hello\n+++ alone\n--- alone\n*** End of File", []],
  ])("are those of %s", (_, text, expected) => {
    expect(pathsInPatch(text)).toEqual(expected);
  });

  it("take time in proportion to the text", () => {
    const evil = [
      "*** ".repeat(50_000),
      " ".repeat(200_000),
      "*** Add File:".repeat(20_000),
      `diff --git ${"a ".repeat(100_000)}`,
      '"\\'.repeat(100_000),
    ];
    for (const text of evil) expect(pathsInPatch(`${text}\n--- ${text}\n+++ ${text}`)).toBeDefined();
  });
});

describe("the roles of a patch tool", () => {
  const roles = rolesOf(findKnownTool("apply_patch")!);

  it.each(["patch", "input", "command", "patchText", "patch_text", "diff"])("find paths in %s", (field) => {
    const patch = begin("*** Delete File: .env");
    expect(readRoles(roles, { [field]: patch })).toMatchObject({ path: [".env"], unreadable: [] });
    expect(readRoles(roles, { [field]: ["apply_patch", patch] })).toMatchObject({ path: [".env"] });
  });

  it("count a patch without a readable path as one whose path is not known", () => {
    for (const value of ["", "what is this", 7, null, {}, [7], [{ text: begin("*** Delete File: .env") }]])
      expect(readRoles(roles, { patch: value })?.unreadable).toContain("path");
    const beside = readRoles(roles, { patch: "what is this", path: "a" });
    expect(beside).toMatchObject({ path: ["a"], unreadable: [] });
  });

  it("do not take content that can be read for a path that cannot", () => {
    const diff = rolesOf(findKnownTool("apply_diff")!);
    expect(readRoles(diff, { files: [{ path: ["a"], diff: "x" }] })?.unreadable).toEqual(["path"]);
    expect(readRoles(diff, { files: [{ path: "a", diff: "x" }] })).toMatchObject({
      path: ["a"],
      content: ["x"],
      unreadable: [],
    });
  });
});
