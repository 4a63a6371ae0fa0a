/** Inputs that would take minutes or all memory if the work were not bounded. Each of these must simply end. */
import { describe, expect, it } from "vitest";
import { pathsInPatch } from "../../../../../../src/core/input/patch-headers.ts";
import { applyEdits } from "../../../../../../src/sources/builtin/editing/match/apply-edits.ts";
import { applyChunks } from "../../../../../../src/sources/builtin/editing/patch/apply-chunks.ts";
import { readBlocks } from "../../../../../../src/sources/builtin/editing/patch/blocks.ts";
import type { Chunk } from "../../../../../../src/sources/builtin/editing/patch/operations.ts";
import { readPatch } from "../../../../../../src/sources/builtin/editing/patch/read-patch.ts";
import { shortDiff } from "../../../../../../src/sources/builtin/editing/short-diff.ts";

const megabyte = 1024 * 1024;

describe("an edit ends", () => {
  const one = (oldText: string, newText = "b", replaceAll = false) => [{ oldText, newText, replaceAll }];
  const equal = "a".repeat(8 * megabyte);
  const lines = "x\n".repeat(200_000);
  const long = `${"ab “c” ".repeat(megabyte / 8)}\nend\n`;
  const doubling = Array.from({ length: 100 }, () => one("a", "aa", true)).flat();
  const many = Array.from({ length: 200 }, (_, n) => one(`${n}`, "x")).flat();
  it.for([
    ["in a file of equal characters with a long text", equal, one("a".repeat(megabyte)), "ambiguous"],
    ["in a file of equal characters with one of them", equal, one("a"), "ambiguous"],
    ["in a file of equal characters without a match", equal, one(`b${"a".repeat(megabyte)}`), "no_match"],
    ["in a file of equal lines, with blanks", lines, one(`${"x \n".repeat(5_000)}y\n`), "no_match"],
    ["in a file of equal lines, by similarity", lines, one(`${"x\n".repeat(500)}y\nz\n`), "no_match"],
    ["when one line has a million characters", long, one('x "c" ab\nfoo\nbar'), expect.any(String)],
    ["when it is all blanks", long, one(" \t".repeat(100_000)), expect.any(String)],
    [
      "before a file that no disk could hold",
      "a".repeat(90_000),
      one("a", "b".repeat(megabyte), true),
      "too_large",
    ],
    ["before a file that doubles a hundred times", "a", doubling, expect.any(String)],
    ["with many edits of a large file", "a".repeat(4 * megabyte), many, "too_large"],
  ] as const)("%s", ([, file, edits, code]) => {
    expect(applyEdits(file, edits)).toMatchObject({ ok: false, code });
  });
});

describe("a patch ends", () => {
  it("with very many changes of a long file", () => {
    const [gone, come] = [
      { sign: "-", text: "a" },
      { sign: "+", text: "b" },
    ] as const;
    const chunks = Array<Chunk>(100_000).fill({ lines: [gone, come], anchors: [], atEnd: false });
    expect(applyChunks("a\n".repeat(100_000), chunks)).toMatchObject({ ok: false, code: "too_large" });
  });

  it("whatever its lines look like", () => {
    const long = megabyte / 8;
    for (const line of [
      " ".repeat(long),
      `@@ ${" ".repeat(long)}x`,
      `@@${"@ ".repeat(long)}`,
      `*** ${" ".repeat(long)}`,
      `diff --git ${"a b/".repeat(50_000)}`,
      `--- "${"\\".repeat(long)}`,
      "EOF".repeat(long),
      `apply_patch${" ".repeat(long)}x`,
      `<<${" ".repeat(long)}x y`,
    ]) {
      for (const text of [
        `*** Begin Patch\n*** Update File: a\n${line}\n-a\n+b\n*** End Patch`,
        `${line}\n*** Begin Patch\n*** End Patch`,
        `--- a\n+++ a\n@@ -1 +1 @@\n${line}\n`,
        `${line}\n${line}`,
      ]) {
        expect(readPatch(text)).toBeDefined();
        expect(pathsInPatch(text)).toBeDefined();
      }
    }
    for (const line of [
      `:start_line:${" ".repeat(long)}x`,
      "<".repeat(long),
      `\\${"\\".repeat(long)}`,
      "=".repeat(long),
      `<<<<<<< SEARCH${" ".repeat(long)}x`,
    ])
      expect(readBlocks(`<<<<<<< SEARCH\n${line}\n=======\n${line}\n`)).toBeDefined();
  });
});

describe("a diff ends", () => {
  it("for two long texts that have nothing in common", () => {
    const text = (word: string) => Array.from({ length: 100_000 }, (_, n) => `${word} ${n}\n`).join("");
    const diff = shortDiff("a", text("old"), text("new"));
    expect(diff).toMatchObject({ added: 100_000, removed: 100_000 });
    expect(diff.text.length).toBeLessThan(9_000);
  });
});
