/** Inputs that would take minutes or all memory if the work were not bounded. Each of these must simply end. */
import { describe, expect, it } from "vitest";
import { pathsInPatch } from "../../../../../../src/core/input/patch-headers.ts";
import { applyEdits } from "../../../../../../src/sources/builtin/editing/match/apply-edits.ts";
import { applyChunks } from "../../../../../../src/sources/builtin/editing/patch/apply-chunks.ts";
import { readBlocks } from "../../../../../../src/sources/builtin/editing/patch/blocks.ts";
import { readPatch } from "../../../../../../src/sources/builtin/editing/patch/read-patch.ts";
import { shortDiff } from "../../../../../../src/sources/builtin/editing/short-diff.ts";

const megabyte = 1024 * 1024;

describe("an edit ends", () => {
  it("in a file of equal characters, however long the text it looks for", () => {
    const file = "a".repeat(8 * megabyte);
    expect(applyEdits(file, [{ oldText: "a".repeat(megabyte), newText: "b" }])).toMatchObject({
      ok: false,
      code: "ambiguous",
    });
    expect(applyEdits(file, [{ oldText: "a", newText: "b" }])).toMatchObject({
      ok: false,
      code: "ambiguous",
    });
    expect(applyEdits(file, [{ oldText: `b${"a".repeat(megabyte)}`, newText: "b" }])).toMatchObject({
      ok: false,
      code: "no_match",
    });
  });

  it("in a file of equal lines, on every rung", () => {
    const file = "x\n".repeat(200_000);
    const lines = `${"x \n".repeat(5_000)}y\n`;
    expect(applyEdits(file, [{ oldText: lines, newText: "z" }])).toMatchObject({
      ok: false,
      code: "no_match",
    });
    expect(applyEdits(file, [{ oldText: `${"x\n".repeat(500)}y\nz\n`, newText: "z" }])).toMatchObject({
      ok: false,
      code: "no_match",
    });
  });

  it("when one line has a million characters", () => {
    const file = `${"ab “c” ".repeat(megabyte / 8)}\nend\n`;
    expect(applyEdits(file, [{ oldText: 'x "c" ab\nfoo\nbar', newText: "z" }])).toMatchObject({ ok: false });
    expect(applyEdits(file, [{ oldText: " \t".repeat(100_000), newText: "z" }])).toMatchObject({ ok: false });
  });

  it("before it has made a file that no disk could hold", () => {
    const file = "a".repeat(90_000);
    expect(
      applyEdits(file, [{ oldText: "a", newText: "b".repeat(megabyte), replaceAll: true }]),
    ).toMatchObject({ ok: false, code: "too_large" });
    const doubling = Array.from({ length: 100 }, () => ({ oldText: "a", newText: "aa", replaceAll: true }));
    expect(applyEdits("a", doubling)).toMatchObject({ ok: false });
    const many = Array.from({ length: 200 }, (_, n) => ({ oldText: `${n}`, newText: "x" }));
    expect(applyEdits("a".repeat(4 * megabyte), many)).toMatchObject({ ok: false, code: "too_large" });
  });
});

describe("a patch ends", () => {
  it("with very many changes of a long file", () => {
    const chunk = {
      lines: [
        { sign: "-", text: "a" },
        { sign: "+", text: "b" },
      ],
      anchors: [],
      atEnd: false,
    } as const;
    expect(
      applyChunks(
        "a\n".repeat(100_000),
        Array.from({ length: 100_000 }, () => chunk),
      ),
    ).toMatchObject({ ok: false, code: "too_large" });
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
