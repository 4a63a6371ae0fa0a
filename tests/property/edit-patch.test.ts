/** Patches made by a program apply exactly, in both formats; and no text makes the parser touch a path that the rules did not see. */
import { createTwoFilesPatch, structuredPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathsInPatch } from "../../src/core/input/patch-headers.ts";
import { applyChunks } from "../../src/sources/builtin/editing/patch/apply-chunks.ts";
import { readBeginPatch } from "../../src/sources/builtin/editing/patch/begin-patch.ts";
import { pathsOf, type ReadPatch } from "../../src/sources/builtin/editing/patch/operations.ts";
import { readUnifiedDiff } from "../../src/sources/builtin/editing/patch/unified-diff.ts";

const word = fc.constantFrom(..."|a|  b|\tc|-- d|++ e|@@ f|*** g|é“”|\\ h| |diff --git i".split("|"));
/** Few different words, so that lines repeat; some lines are one of a kind. */
const lines = fc.array(
  fc.oneof(
    word,
    fc.nat(9_999).map((n) => `line ${n}`),
  ),
  { maxLength: 25 },
);
const text = fc
  .tuple(lines, fc.boolean())
  .map(([all, bare]) => all.join("\n") + (bare || all.length === 0 ? "" : "\n"));
const pair = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(30), fc.nat(2), lines), { maxLength: 3 }), fc.boolean())
  .map(([before, changes, endBreak]) => {
    const all = before.split("\n");
    for (const [at, gone, come] of changes) all.splice(at % (all.length + 1), gone, ...come.slice(0, 3));
    const after = all.join("\n");
    return { before, after: endBreak && after !== "" && !after.endsWith("\n") ? `${after}\n` : after };
  });

function applied(read: ReadPatch, before: string): string | undefined {
  if (!read.ok || read.operations[0]?.kind !== "update") return undefined;
  const made = applyChunks(before, read.operations[0].chunks);
  return made.ok ? made.text : undefined;
}

describe("a unified diff", () => {
  it("makes exactly the file it was made for, with the line breaks that the file has", () => {
    fc.assert(
      fc.property(pair, fc.boolean(), fc.nat(4), ({ before, after }, windows, context) => {
        fc.pre(before !== after);
        const patch = createTwoFilesPatch("a/x", "b/x", before, after, "", "", { context });
        const given = windows ? before.replaceAll("\n", "\r\n") : before;
        const made = applied(readUnifiedDiff(patch), given);
        // A file without any break says nothing about the kind it wants.
        const expected = windows && before.includes("\n") ? after.replaceAll("\n", "\r\n") : after;
        expect(made).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds its place in a file that has grown above it", () => {
    const unique = fc
      .uniqueArray(fc.nat(9_999), { minLength: 8, maxLength: 20 })
      .map((all) => all.map((n) => `line ${n}`));
    fc.assert(
      fc.property(unique, fc.nat(7), fc.integer({ min: 1, max: 30 }), (all, at, grown) => {
        const [before, after] = [all, all.with(at, "changed")].map((list) => `${list.join("\n")}\n`) as [
          string,
          string,
        ];
        const more = Array.from({ length: grown }, (_, index) => `more ${index}\n`).join("");
        const patch = createTwoFilesPatch("a/x", "b/x", before, after);
        expect(applied(readUnifiedDiff(patch), more + before)).toBe(more + after);
        const wrong = patch.replace(/^@@ .*$/gm, "@@ -1,99 +1,99 @@");
        expect(applied(readUnifiedDiff(wrong), more + before)).toBe(more + after);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the format that begins with Begin Patch", () => {
  it("makes exactly the file it was made for, when no two lines are the same", () => {
    const unique = fc.uniqueArray(fc.nat(9_999), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        unique,
        fc.nat(19),
        fc.array(word, { maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
        (all, at, come, bare, windows) => {
          const list = all.map((n) => `line ${n}`);
          const fresh = list.toSpliced(at % list.length, 1, ...come);
          const whole = (some: readonly string[]) =>
            some.join("\n") + (bare || some.length === 0 ? "" : "\n");
          const { hunks } = structuredPatch("x", "x", whole(list), whole(fresh));
          const body = hunks.flatMap((hunk) => [
            "@@",
            ...hunk.lines.filter((line) => !line.startsWith("\\")),
          ]);
          const patch = ["*** Begin Patch", "*** Update File: x", ...body, "*** End Patch"].join("\n");
          fc.pre(whole(list) !== whole(fresh) && !(bare && fresh.at(-1) === ""));
          const given = windows ? whole(list).replaceAll("\n", "\r\n") : whole(list);
          const made = applied(readBeginPatch(patch), given);
          expect(made?.replaceAll("\r\n", "\n")).toBe(whole(fresh));
          if (windows && given.includes("\n")) expect(made?.replaceAll("\r\n", "")).not.toContain("\n");
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe("any text that looks like a patch", () => {
  const path = fc.constantFrom(
    ...'a|.env|../x|a b|/etc/passwd|"a/\\303\\251"|a/x|b/x|/dev/null|x\t2026|'.split("|"),
  );
  const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(""));
  const headers =
    "*** Add File: |*** Update File: |*** Delete File: |*** Move to: |***Update File:|*** update file :";
  const gitHeaders = "--- |+++ |--- a/|+++ b/|rename from |rename to |copy from |copy to |Index: ";
  const others = [
    "*** Begin Patch|*** End Patch|*** End of File|@@|@@ x|@@ -1,2 +1,2 @@|@@ -1 +1 @@|+x|-x| x||EOF|```",
    "\\ No newline at end of file|new file mode 100644|deleted file mode 100644|old mode 100644|new mode 100755",
    "similarity index 90%",
  ];
  const line = fc.oneof(
    joined(fc.constantFrom("", " ", "\t"), fc.constantFrom(...headers.split("|")), path),
    joined(fc.constantFrom(...gitHeaders.split("|")), path),
    fc.tuple(path, path).map(([from, to]) => `diff --git a/${from} b/${to}`),
    fc.constantFrom(...others.flatMap((some) => some.split("|"))),
  );
  const hunk = (from: string, to: string) => [`--- ${from}`, `+++ ${to}`, "@@ -1 +1 @@", "-x", "+y"];
  const piece = fc.oneof(
    { weight: 1, arbitrary: line.map((one) => [one]) },
    {
      weight: 3,
      arbitrary: fc.oneof(
        path.map((name) => [`*** Update File: ${name}`, "@@", "-x", "+y"]),
        fc
          .tuple(path, path)
          .map(([name, to]) => [`*** Update File: ${name}`, `*** Move to: ${to}`, "-x", "+y"]),
        path.map((name) => [`*** Add File: ${name}`, "+y", "", "+z"]),
        fc.tuple(path, path).map(([from, to]) => hunk(from, to)),
        path.map((name) => [`diff --git a/${name} b/${name}`, ...hunk(`a/${name}`, `b/${name}`)]),
        fc
          .tuple(path, path)
          .map(([from, to]) => [`diff --git a/${from} b/${to}`, `rename from ${from}`, `rename to ${to}`]),
        path.map((name) => [`diff --git a/${name} b/${name}`, "new file mode 100644"]),
      ),
    },
  );
  const patches = fc
    .tuple(fc.array(piece, { maxLength: 5 }), fc.boolean(), fc.constantFrom("\n", "\r\n"), fc.boolean())
    .map(([pieces, wrapped, end, padded]) => {
      const all = wrapped ? ["*** Begin Patch", ...pieces.flat(), "*** End Patch"] : pieces.flat();
      return all.map((one) => (padded && one.startsWith("***") ? ` ${one}` : one)).join(end);
    });

  /** How many texts the parsers took; throws when one names a file that the rules would not see. */
  function checkPaths(pathsSeen: (patch: string) => readonly string[], numRuns: number): number {
    let accepted = 0;
    fc.assert(
      fc.property(patches, (patch) => {
        const seen = pathsSeen(patch);
        for (const read of [readBeginPatch(patch), readUnifiedDiff(patch)]) {
          if (!read.ok) continue;
          accepted += 1;
          for (const touched of read.operations.flatMap(pathsOf)) expect(seen).toContain(touched);
        }
      }),
      { numRuns },
    );
    return accepted;
  }

  it("names to the rules every path that the parsers would touch", () => {
    // Most random texts are no patch; enough of them must be.
    expect(checkPaths(pathsInPatch, 20_000)).toBeGreaterThan(1_000);
  });

  const all = (pattern: RegExp) => (patch: string) => [...patch.matchAll(pattern)].map((match) => match[1]!);
  it.each<readonly [string, (patch: string) => readonly string[]]>([
    ["does not look at moves", (patch) => pathsInPatch(patch.replaceAll("Move to:", ""))],
    ["does not look at renames", (patch) => pathsInPatch(patch.replaceAll(/^rename to /gm, ""))],
    ["reads one format only", all(/^\s*\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$/gm)],
    ["takes the prefix of git for a folder", (patch) => pathsInPatch(patch).map((path) => `a/${path}`)],
    ["does not look at indented lines", (patch) => pathsInPatch(patch.replaceAll(/^ \*.*$/gm, ""))],
  ])("would be noticed to go unseen if what the rules use %s", (_, pathsSeen) => {
    expect(() => checkPaths(pathsSeen, 20_000)).toThrow();
  });
});
