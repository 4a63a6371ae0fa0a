/** An edit never changes a byte outside of its match, whatever the file holds; and broken editors that others have shipped are caught. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOfText, textOfBytes } from "../../src/sources/builtin/editing/file-text.ts";
import { applyEdits, type Edit } from "../../src/sources/builtin/editing/match/apply-edits.ts";
import { words as listed } from "../words.ts";

interface FileLine {
  readonly bytes: Buffer;
  readonly ending: string;
}

/** A file, the lines that the edit means, how it writes them, and what it brings. */
interface Case {
  readonly mark: boolean;
  readonly lines: readonly FileLine[];
  readonly first: number;
  readonly count: number;
  readonly writes: Writer;
  readonly brings: readonly string[];
}

interface Writer {
  readonly name: string;
  readonly write: (line: string) => string;
}

const writers: readonly Writer[] = [
  { name: "exactly", write: (line) => line },
  { name: "without white space at the ends", write: (line) => line.trimEnd() },
  { name: "with white space at the ends", write: (line) => `${line}  ` },
  { name: "without indentation", write: (line) => line.trim() },
  { name: "two spaces deeper", write: (line) => `  ${line}` },
  { name: "with straight quotes", write: straight },
  { name: "with straight quotes and no indentation", write: (line) => straight(line).trim() },
];

function straight(line: string): string {
  return line
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\u2013/g, "-")
    .replace(/\u00a0/g, " ");
}

const words = fc.array(
  fc.constantFrom(...listed("if (x) { } “said” it’s a–b 😀 é $& $1 \\ =="), "\u00a0", "\t", "  "),
  { maxLength: 6 },
);
const indent = fc.constantFrom("", "  ", "    ", "\t", "\t\t", "\t  ");
const ending = fc.constantFrom("\n", "\r\n");
const junk = fc.constantFrom([], [0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]);

/** Lines carry their number, so that only one place can be meant. */
const line = (number: number, clean: boolean) =>
  fc.tuple(indent, words, fc.constantFrom("", " ", "\t"), ending, clean ? fc.constant([]) : junk).map(
    ([before, middle, after, end, bad]): FileLine => ({
      bytes: Buffer.concat([
        Buffer.from(`${before}L${number}_ ${middle.join(" ")}`),
        Buffer.from(bad),
        Buffer.from(after),
      ]),
      ending: end,
    }),
  );

const cases: fc.Arbitrary<Case> = fc
  .record({ total: fc.integer({ min: 1, max: 12 }), at: fc.nat(11), size: fc.integer({ min: 1, max: 4 }) })
  .chain(({ total, at, size }) => {
    const first = at % total;
    const count = Math.min(size, total - first);
    const isMeant = (index: number) => index >= first && index < first + count;
    return fc.record({
      mark: fc.boolean(),
      lines: fc.tuple(...Array.from({ length: total }, (_, index) => line(index, isMeant(index)))),
      bare: fc.boolean(),
      first: fc.constant(first),
      count: fc.constant(count),
      writes: fc.constantFrom(...writers),
      brings: fc.array(
        fc.tuple(indent, words).map(([before, middle]) => `${before}N ${middle.join(" ")}`),
        { maxLength: 4 },
      ),
    });
  })
  .map(({ bare, lines, ...rest }) => ({
    ...rest,
    lines: bare ? [...lines.slice(0, -1), { ...lines.at(-1)!, ending: "" }] : lines,
  }));

type Editor = (text: string, edits: readonly Edit[]) => ReturnType<typeof applyEdits>;

/** Undefined when all is well. */
function check(
  editor: Editor,
  one: Case,
  replace: (sought: readonly string[]) => readonly string[],
): string | undefined {
  const { mark, lines, first, count, writes } = one;
  const bytesOf = (some: readonly FileLine[]) =>
    Buffer.concat(some.flatMap(({ bytes, ending: end }) => [bytes, Buffer.from(end)]));
  const meant = lines.slice(first, first + count);
  const start = Buffer.concat([Buffer.from(mark ? "\ufeff" : ""), bytesOf(lines.slice(0, first))]);
  const last = Buffer.from(meant.at(-1)!.ending);
  const rest = Buffer.concat([last, bytesOf(lines.slice(first + count))]);
  const whole = Buffer.concat([Buffer.from(mark ? "\ufeff" : ""), bytesOf(lines)]);
  const sought = meant.map(({ bytes }) => writes.write(bytes.toString()));
  const brought = replace(sought);
  const result = editor(textOfBytes(whole)!, [{ oldText: sought.join("\n"), newText: brought.join("\n") }]);
  if (!result.ok) return result.code === "no_change" ? undefined : `refused: ${result.message}`;
  const made = bytesOfText(result.text);
  if (!made.subarray(0, start.length).equals(start)) return "a byte before the match changed";
  if (!made.subarray(made.length - rest.length).equals(rest)) return "a byte after the match changed";
  const middle = made.subarray(start.length, made.length - rest.length).toString();
  const got = middle.split(/\r?\n/).map((text) => text.trim());
  const expected = brought.map((text) => text.trim());
  return sameTexts(got, expected)
    ? undefined
    : `made ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`;
}

/** Characters that the edit left as they were may be the file's own kind. */
function sameTexts(got: readonly string[], expected: readonly string[]): boolean {
  const plain = (lines: readonly string[]) => (lines.length === 0 ? "" : lines.map(straight).join("\n"));
  return plain(got) === plain(expected);
}

function counterexample(editor: Editor, runs: number): string | undefined {
  const found = fc.check(
    fc.property(cases, (one) => {
      const problem = check(editor, one, () => one.brings);
      if (problem !== undefined) throw new Error(problem);
    }),
    { numRuns: runs },
  );
  return found.failed ? String((found.errorInstance as Error | undefined)?.message ?? "failed") : undefined;
}

describe("an edit", () => {
  it("changes no byte outside of its match, whatever the file holds and however the edit writes it", () => {
    fc.assert(
      fc.property(cases, (one) => {
        expect(check(applyEdits, one, () => one.brings)).toBeUndefined();
      }),
      { numRuns: 3_000 },
    );
  });

  it("leaves the lines of its match that it does not change byte for byte as they are", () => {
    fc.assert(
      fc.property(cases, fc.nat(3), (one, pick) => {
        const changed = pick % one.count;
        const sought = one.lines
          .slice(one.first, one.first + one.count)
          .map(({ bytes }) => one.writes.write(bytes.toString()));
        const brought = sought.map((text, index) => (index === changed ? "NEW" : text));
        const bytesOf = (lines: readonly FileLine[]) =>
          Buffer.concat(lines.flatMap(({ bytes, ending: end }) => [bytes, Buffer.from(end)]));
        const whole = bytesOf(one.lines);
        const result = applyEdits(textOfBytes(whole)!, [
          { oldText: sought.join("\n"), newText: brought.join("\n") },
        ]);
        expect(result.ok).toBe(true);
        const at = one.first + changed;
        const made = bytesOfText(result.ok ? result.text : "");
        const before = bytesOf(one.lines.slice(0, at));
        const after = Buffer.concat([Buffer.from(one.lines[at]!.ending), bytesOf(one.lines.slice(at + 1))]);
        expect(made.subarray(0, before.length).equals(before)).toBe(true);
        expect(made.subarray(made.length - after.length).equals(after)).toBe(true);
        expect(
          made
            .subarray(before.length, made.length - after.length)
            .toString()
            .trim(),
        ).toBe("NEW");
      }),
      { numRuns: 1_500 },
    );
  });

  it("reads and writes any bytes without a loss", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, (given) => {
        const buffer = Buffer.from(given);
        const text = textOfBytes(buffer);
        if (buffer.includes(0)) expect(text).toBeUndefined();
        else expect(bytesOfText(text!).equals(buffer)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the test above notices an editor that", () => {
  const spoiled =
    (change: (text: string) => string): Editor =>
    (text, edits) => {
      const made = applyEdits(text, edits);
      return made.ok ? { ...made, text: change(made.text) } : made;
    };
  it.each<readonly [string, Editor]>([
    ["writes the whole file with straight quotes", spoiled(straight)],
    ["writes the whole file with one kind of line break", spoiled((text) => text.replaceAll("\r\n", "\n"))],
    ["drops the byte order mark", spoiled((text) => text.replace(/^\ufeff/, ""))],
    ["adds a line break at the end", spoiled((text) => (text.endsWith("\n") ? text : `${text}\n`))],
    ["takes the bytes that are no text away", spoiled((text) => text.replace(/[\udc80-\udcff]/gu, "\ufffd"))],
    ["normalises the whole file", spoiled((text) => text.normalize("NFKC"))],
    [
      "expands $& in the new text",
      (text, edits) => {
        const found = applyEdits(text, edits);
        const [{ oldText, newText }] = edits as [Edit];
        return found.ok && text.includes(oldText)
          ? { ...found, text: text.replace(oldText, newText) }
          : found;
      },
    ],
  ])("%s", (_, editor) => {
    expect(counterexample(editor, 3_000)).toBeDefined();
  });
});
