/** Small trees and patterns at random, with everything in them that two ways to search could see differently. */
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { words } from "../../../../words.ts";

const names = ["a", "b", "ab", "a.ts", "b.js", ".hid", "x y", "Aé", "dist", "log.txt", "[z]"];
const name = fc.constantFrom(...names);
export const filePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

const word = fc.constantFrom(
  ...words("foo Foo bar x1 é É ß 😀 ſ a-b { \ufffd İ"),
  ...["", " ", "\t", "foo bar", "\u2028"],
);
const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(""));
const ending = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "");
const text = fc
  .array(fc.tuple(line, ending), { minLength: 1, maxLength: 8 })
  .map((lines) => lines.map(([one, end]) => one + end).join(""));

const encoded = (weight: number, encode: (one: string) => Buffer) => ({
  weight,
  arbitrary: text.map(encode),
});
export const contents = fc.oneof(
  encoded(6, (one) => Buffer.from(one)),
  encoded(1, (one) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(one)])),
  encoded(1, (one) => Buffer.from(`\ufeff${one}`, "utf16le")),
  encoded(1, (one) => Buffer.from(`\ufeff${one}`, "utf16le").swap16()),
  encoded(1, (one) => Buffer.from(one, "latin1")),
  encoded(1, (one) => Buffer.concat([Buffer.from(one), Buffer.from([0xc3]), Buffer.from(one)])),
  encoded(1, (one) => Buffer.concat([Buffer.from(one), Buffer.from([0])])),
);

const ignoreLine = fc
  .tuple(
    fc.constantFrom("", "", "", "!"),
    fc.constantFrom("", "", "/", "**/"),
    fc.array(
      fc.constantFrom(...names, "*", "?", "*.ts", "a*", "[ab]", "[!a]*", "**", "{a,b}", "\\[z\\]", "l?g.*"),
      { minLength: 1, maxLength: 3 },
    ),
    fc.constantFrom("", "", "/", "/**", " "),
  )
  .map(([not, start, parts, end]) => not + start + parts.join("/") + end);
export const gitignore = fc
  .array(fc.oneof(ignoreLine, fc.constantFrom("", "# note", "\\#x")), { maxLength: 4 })
  .map((lines) => lines.join("\n"));

const atom = fc.constantFrom(
  ...words("foo f o . \\w \\W \\d \\s \\S [a-f] [^a] [^\\s] é É 😀 ß \\b \\B ^ $ x \\{ - [\\s\\S] \\p{Lu} s"),
  " ",
);
const repeated = fc
  .tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,3}", "*?"))
  .map(([one, times]) => (/^(?:\^|\$|\\b|\\B)$/.test(one) ? one : one + times));
const sequence = fc.array(repeated, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
export const pattern = fc.oneof(
  sequence,
  fc.tuple(sequence, sequence).map(([one, other]) => `${one}|${other}`),
  fc.tuple(sequence, sequence).map(([one, other]) => `(?:${one})+${other}`),
);

export const tree = fc.record({
  files: fc.dictionary(filePath, contents, { minKeys: 4, maxKeys: 14, noNullPrototype: true }),
  ignores: fc.dictionary(
    fc.array(name, { maxLength: 2 }).map((parts) => parts.join("/")),
    gitignore,
    { maxKeys: 3, noNullPrototype: true },
  ),
});

const option = fc.constantFrom;
export const question = fc.record({
  pattern,
  ignoreCase: fc.boolean(),
  hidden: option(true, true, false),
  ignored: option(false, false, true),
  context: option(0, 0, 1, 2),
  mode: option("content", "files", "count"),
  limit: option(1, 3, 100, 100),
  glob: option(undefined, undefined, "*.ts", "a/**", "{a,b}/*", "[ab]*"),
  exclude: option(undefined, undefined, undefined, "b", "a/b", "*.js"),
  /** Which of the folders there are. */
  folder: option(0, 0, 0, 1, 2, 3),
});

/** Writes the tree; a name that is a file already cannot be a folder, and is left out then. */
export function writeTree({
  files,
  ignores,
}: {
  files: Record<string, Buffer>;
  ignores: Record<string, string>;
}): string {
  const root = mkdtempSync(join(tmpdir(), "toolgate-grep-"));
  const put = (path: string, bytes: Buffer | string) => {
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
    } catch (error) {
      if (!["EISDIR", "ENOTDIR", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  };
  for (const [path, bytes] of Object.entries(files)) put(path, bytes);
  for (const [folder, lines] of Object.entries(ignores)) put(join(folder, ".gitignore"), lines);
  put(".env", "foo bar secret\n");
  put(".git/config", "foo bar\n");
  symlinkSync("/etc", join(root, "out"));
  return root;
}

export function folderOf(root: string, which: number): string {
  const folders = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/^(?:out|\.git)(?:\/|$)/.test(path));
  return [".", ...folders.sort()][which] ?? ".";
}
