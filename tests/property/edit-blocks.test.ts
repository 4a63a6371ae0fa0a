/** For any file and any blocks, the result is what a slow reference makes of them, or the file is unchanged. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, type Edit } from "../../src/sources/builtin/editing/match/apply-edits.ts";
import { explainBadBlocks, readBlocks } from "../../src/sources/builtin/editing/patch/blocks.ts";
import { editingGate } from "../unit/sources/builtin/editing/editing-gate.ts";
import { words } from "../words.ts";
import { type ReferenceBlock, referenceResults } from "./edit-reference.ts";

const word = fc.constantFrom(
  ...words('a b ab “a” "a" it’s it\'s a–b a-b é e\u0301 } $& 😀 ======= ------- :start_line:2 \\======='),
  ...["a b", "a  b", "a\tb", "a = 1", "a = 10", "a\u00a0b", "", "", " ", "a\rb", "<<<<<<< SEARCH"],
);
const indent = fc.constantFrom("", "", "", "  ", "    ", "\t", "\t\t", " ");
const line = fc.tuple(indent, word, fc.constantFrom("", "", "", " ", "\t")).map((parts) => parts.join(""));

/** Lines that repeat, and lines that do not. */
const fileLine = fc.oneof(
  line,
  fc.constantFrom("a", "b"),
  fc.tuple(indent, fc.nat(99)).map(([before, number]) => `${before}x  ${number}`),
);
const file = fc
  .tuple(
    fc.array(fileLine, { maxLength: 8 }),
    fc.constantFrom(["\n"], ["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\r", "\n"]),
    fc.array(fc.nat(1), { minLength: 8, maxLength: 8 }),
    fc.boolean(),
    fc.constantFrom("", "", "\ufeff"),
  )
  .map(([lines, endings, picks, bare, mark]) => {
    const written = lines.map((text, index) => text + endings[picks[index]! % endings.length]!);
    const text = mark + written.join("");
    return bare ? text.replace(/(?:\r\n|\r|\n)$/, "") : text;
  });

/** How a model writes a line of the file. */
const writers: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text.trimEnd(),
  (text) => text.trim(),
  (text) => `  ${text}`,
  (text) => text.replace(/[“”]/g, '"').replace("’", "'").replace("–", "-").replace("\u00a0", " "),
  (text) => text.replace(/(\S)\s+(?=\S)/g, "$1 "),
  (text) => text.replaceAll("\t", "    "),
];

interface Pick {
  readonly at: number;
  readonly size: number;
  readonly writer: number;
  readonly fresh: readonly string[];
  readonly cuts: readonly [number, number];
  readonly startLine: number | undefined;
  readonly foreign: readonly string[] | undefined;
}

const pick: fc.Arbitrary<Pick> = fc.record({
  at: fc.nat(7),
  size: fc.integer({ min: 1, max: 3 }),
  writer: fc.nat(writers.length - 1),
  fresh: fc.array(line, { maxLength: 3 }),
  cuts: fc.tuple(fc.nat(3), fc.nat(3)),
  startLine: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
  foreign: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.array(line, { maxLength: 3 }) },
  ),
});

/** Mostly lines of the file, some of them replaced, some kept. */
function blockOf(text: string, { at, size, writer, fresh, cuts, startLine, foreign }: Pick): ReferenceBlock {
  const lines = text.replace("\ufeff", "").split(text.includes("\n") ? /\r?\n/ : "\r");
  const own = lines.slice(at % lines.length, (at % lines.length) + size).map((one) => writers[writer]!(one));
  const search = (foreign ?? own).map((one) => one.replace(/\r$/, ""));
  const [from, to] = [...cuts].sort();
  const replace = [...search.slice(0, from), ...fresh, ...search.slice(to)];
  return { search, replace, startLine };
}

/** Longer lines that are much alike, and blocks in which some of them are remembered wrongly. */
const similar = fc
  .record({
    lines: fc.array(
      fc
        .tuple(
          fc.constantFrom("load", "save", "look"),
          fc.constantFrom("the settings of", "the list of"),
          fc.nat(9),
        )
        .map(([verb, what, which]) => `  ${verb} ${what} ${which}`),
      { minLength: 3, maxLength: 10 },
    ),
    at: fc.nat(9),
    size: fc.integer({ min: 3, max: 5 }),
    wrong: fc.array(fc.tuple(fc.nat(4), fc.nat(20), fc.constantFrom("", "x", "ings ")), { maxLength: 2 }),
    changed: fc.nat(4),
  })
  .map(({ lines, at, size, wrong, changed }) => {
    const search = lines.slice(at % lines.length, (at % lines.length) + size);
    for (const [index, place, text] of wrong)
      if (search[index] !== undefined)
        search[index] = search[index].slice(0, place) + text + search[index].slice(place + 1);
    const replace = search.toSpliced(changed, 1, "  drop everything");
    return {
      text: lines.map((one) => `${one}\n`).join(""),
      blocks: [{ search, replace, startLine: undefined }],
    };
  });

const cases = fc
  .tuple(file, fc.array(pick, { minLength: 1, maxLength: 3 }))
  .map(([text, picks]) => ({ text, blocks: picks.map((one) => blockOf(text, one)) }));

const marker =
  /^\\*(?:[<-]{5,9} ?SEARCH|={7}\s*$|[>+]{5,9} ?REPLACE|[<>|]{7}(?:\s|$)|-{7}\s*$|:(?:start|end)_line:)/;

function diffOf(blocks: readonly ReferenceBlock[]): string {
  const shown = (lines: readonly string[]) =>
    lines.map((one) => `${marker.test(one) ? "\\" : ""}${one}\n`).join("");
  return blocks
    .map(({ search, replace, startLine }) => {
      const head = startLine === undefined ? "" : `:start_line:${startLine}\n-------\n`;
      return `<<<<<<< SEARCH\n${head}${shown(search)}=======\n${shown(replace)}>>>>>>> REPLACE\n`;
    })
    .join("");
}

type Editor = (text: string, edits: readonly Edit[]) => ReturnType<typeof applyEdits>;

/** Undefined when the editor does what the reference does. */
function differs(editor: Editor, text: string, blocks: readonly ReferenceBlock[]): string | undefined {
  const read = readBlocks(diffOf(blocks));
  const bad = explainBadBlocks(read);
  if (bad !== undefined) return `the blocks cannot be read: ${bad}`;
  const edits = read.blocks.map(({ search, replace, startLine }) => ({
    oldText: search,
    newText: replace,
    wholeLines: true,
    ...(startLine !== undefined && { startLine }),
  }));
  const made = editor(text, edits);
  const right = referenceResults(text, blocks);
  if (right.has(made.ok ? made.text : "refused")) return undefined;
  return `made ${made.ok ? JSON.stringify(made.text) : made.message}, right is ${JSON.stringify([...right])}`;
}

describe("blocks of whole lines", () => {
  it("make of any file what the reference makes of it, or nothing where it refuses", () => {
    let applied = 0;
    fc.assert(
      fc.property(cases, ({ text, blocks }) => {
        expect(differs(applyEdits, text, blocks)).toBeUndefined();
        if (!referenceResults(text, blocks).has("refused")) applied += 1;
      }),
      { numRuns: 2_000 },
    );
    // A test in which everything is refused would show nothing.
    expect(applied).toBeGreaterThan(300);
  });

  it("are guessed only where the reference finds one place that is clearly meant", () => {
    let guessed = 0;
    fc.assert(
      fc.property(similar, ({ text, blocks }) => {
        expect(differs(applyEdits, text, blocks)).toBeUndefined();
        if (!text.includes(blocks[0]!.search.join("\n")) && !referenceResults(text, blocks).has("refused"))
          guessed += 1;
      }),
      { numRuns: 250 },
    );
    expect(guessed).toBeGreaterThan(20);
  });

  it("do the same to files on the disk, which stay as they are when a block is refused", async () => {
    const { write, call, read } = await editingGate();
    const named = new Set(["path", "diff", "files", "start_line"]);
    await fc.assert(
      fc.asyncProperty(cases, async ({ text, blocks }) => {
        write("a.txt", text);
        const outcome = await call("fs.apply_diff", { path: "a.txt", diff: diffOf(blocks) });
        const now = read("a.txt");
        expect(referenceResults(text, blocks)).toContain(outcome.ok ? now : "refused");
        if (outcome.ok) return;
        expect(now).toBe(text);
        const said = outcome.error.message.replace(/`[^`]*`|"(?:[^"\\]|\\.)*"/g, "");
        for (const [name] of said.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)) expect(named).toContain(name);
      }),
      { numRuns: 100 },
    );
  });

  const lenient =
    (change: (edit: Edit, text: string) => Edit): Editor =>
    (text, edits) =>
      applyEdits(
        text,
        edits.map((edit) => change(edit, text)),
      );
  it.each<readonly [string, Editor]>([
    [
      "finds a part of a line",
      lenient((edit) => ({
        ...edit,
        wholeLines: false,
        oldText: edit.oldText.replace(/\n$/, ""),
        newText: edit.newText.replace(/\n$/, ""),
      })),
    ],
    ["takes the first place that fits", lenient((edit) => ({ ...edit, startLine: edit.startLine ?? 1 }))],
    ["changes every place that fits", lenient((edit) => ({ ...edit, replaceAll: true }))],
    ["does not look at start_line", lenient(({ startLine: _, ...edit }) => edit)],
    [
      "counts start_line in the result of the block before",
      (text, edits) => {
        let now = text;
        for (const edit of edits) {
          const made = applyEdits(now, [edit]);
          if (!made.ok) return made;
          now = made.text;
        }
        return now === text ? applyEdits(text, edits) : { ok: true, text: now, applied: [] };
      },
    ],
    [
      "leaves out the block that does not fit",
      (text, edits) => {
        const fitting = edits.filter((edit) => applyEdits(text, [edit]).ok);
        return applyEdits(text, fitting);
      },
    ],
    [
      "writes line feeds into every file",
      (text, edits) => {
        const made = applyEdits(text, edits);
        return made.ok ? { ...made, text: made.text.replace(/\r\n?/g, "\n") } : made;
      },
    ],
    [
      "trims what it writes",
      (text, edits) => {
        const made = applyEdits(text, edits);
        return made.ok ? { ...made, text: made.text.replace(/[ \t]+$/gm, "") } : made;
      },
    ],
  ])("would be noticed to be wrong if the editor %s", (_, editor) => {
    const found = fc.check(
      fc.property(cases, ({ text, blocks }) => differs(editor, text, blocks) === undefined),
      { numRuns: 20_000 },
    );
    expect(found.failed).toBe(true);
  });
});

describe("the exact text of fs.edit", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "a = 1", " ", "0", "\n", "\r\n", "“"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  const plain = (given: string) => given.replaceAll("\r\n", "\n");

  it("is changed where it stands once, refused with the number of places where it stands more often", () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(11),
        fc.integer({ min: 1, max: 6 }),
        text,
        fc.boolean(),
        (whole, at, size, newText, all) => {
          const flat = plain(whole);
          const oldText = flat.slice(at, at + size);
          fc.pre(oldText !== "" && oldText !== plain(newText));
          const places = [...flat]
            .map((_, index) => index)
            .filter((index) => flat.startsWith(oldText, index));
          const made = applyEdits(whole, [{ oldText, newText, replaceAll: all }]);
          if (all || places.length === 1) {
            const expected = flat.split(oldText).join(plain(newText));
            if (expected === flat) expect(made).toMatchObject({ ok: false, code: "no_change" });
            else expect(made.ok && plain(made.text)).toBe(expected);
          } else
            expect(made).toMatchObject({
              ok: false,
              message: expect.stringContaining(`stands in ${places.length} places`),
            });
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
