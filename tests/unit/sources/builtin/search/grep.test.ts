import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGrep, grep } from "../../../../../src/sources/builtin/search/grep.ts";
import { isAlive } from "../../../../attack/spawn-attacks.ts";
import { stopped } from "../../stopped.ts";
import { type ReadingGate, readingGate } from "../reading-gate.ts";
import { describeRefusals } from "../refusals.ts";

const files = {
  "src/a.ts": "import x\nconst foo = 1;\nconst bar = 2;\nexport { foo };\n",
  "src/deep/b.ts": "foo();\n",
  "src/c.js": "Foo\n",
  "readme.md": "no match here\n",
  ".github/ci.yml": "run: foo\n",
  ".gitignore": "dist/\n",
  "dist/out.js": "foo\n",
  ".git/config": "foo\n",
  ".env": "SECRET=foo\n",
  "keys/server.key": "foo\n",
};

interface Data {
  files: { path: string; count: number; lines: { line: number; text: string; match: boolean }[] }[];
  truncated: boolean;
}

describeRefusals(grep, (path) => ({ pattern: "alpha", path }), {
  files: { "dir/a.txt": "alpha\n" },
  path: "dir",
});

const implementations = [
  ["ripgrep", createGrep()],
  ["this process", createGrep({ findProgram: async () => undefined })],
] as const;

describe.each(implementations)("search.grep by %s", (_, tool) => {
  const open = (more: Record<string, string | Buffer> = {}) => readingGate(tool, { ...files, ...more });
  const search = async ({ data }: ReadingGate, input: object) => (await data(input)) as unknown as Data;
  const paths = async (gate: ReadingGate, input: object) =>
    (await search(gate, input)).files.map(({ path }) => path);

  it("shows matching lines by file, in the order of paths", async () => {
    const { text } = await open();
    expect(await text({ pattern: "foo" })).toBe(
      ".github/ci.yml\n1: run: foo\n\nsrc/a.ts\n2: const foo = 1;\n4: export { foo };\n\nsrc/deep/b.ts\n1: foo();\n",
    );
  });

  it.for([
    // Neither protected files, nor the inside of .git, nor what .gitignore leaves out.
    [{ pattern: "foo" }, ".github/ci.yml src/a.ts src/deep/b.ts"],
    [{ pattern: "foo", ignored: true }, ".github/ci.yml dist/out.js src/a.ts src/deep/b.ts"],
    [{ pattern: "SECRET|foo", path: "keys", ignored: true }, ""],
    [{ pattern: "SECRET", glob: ".env" }, ""],
    // One file, and a folder below.
    [{ pattern: "foo", path: "src/a.ts" }, "src/a.ts"],
    [{ pattern: "foo", path: "src/deep" }, "src/deep/b.ts"],
    [{ pattern: "foo", path: "dist" }, "dist/out.js"],
    [{ pattern: "foo", glob: "*.ts" }, "src/a.ts src/deep/b.ts"],
    [{ pattern: "foo", glob: "src/*.{ts,js}" }, "src/a.ts"],
    [{ pattern: "foo", exclude: "deep" }, ".github/ci.yml src/a.ts"],
    [{ pattern: "foo", hidden: false, ignoreCase: true }, "src/a.ts src/c.js src/deep/b.ts"],
    [{ pattern: "foo()", literal: true }, "src/deep/b.ts"],
  ] as const)("finds %j in these files: %s", async ([input, expected]) => {
    expect((await paths(await open(), input)).join(" ")).toBe(expected);
  });

  it("searches a protected or binary file that is named neither", async () => {
    const { code } = await open({ "b.bin": Buffer.from("foo\0bar") });
    expect(await code({ pattern: "x", path: ".env" })).toBe("policy_denied");
    expect(await code({ pattern: "foo", path: "b.bin" })).toBe("binary_file");
  });

  it("follows no link, and reads no file with a second name", async () => {
    const gate = await open();
    symlinkSync(join(gate.root, "src"), join(gate.root, "again"));
    linkSync(join(gate.outside, "secret.txt"), join(gate.root, "innocent.txt"));
    expect(await paths(gate, { pattern: "foo" })).toHaveLength(3);
    expect(await paths(gate, { pattern: "top secret" })).toEqual([]);
  });

  it("shows lines around a match once, with a gap between stretches", async () => {
    const { text } = await open({ "n.txt": "1\n2 x\n3\n4 x\n5\n6\n7\n8\n9 x\n" });
    expect(await text({ pattern: "x$", path: "n.txt", context: 1 })).toBe(
      "n.txt\n1- 1\n2: 2 x\n3- 3\n4: 4 x\n5- 5\n--\n8- 8\n9: 9 x\n",
    );
    expect(await text({ pattern: "x$", path: "n.txt", before: 1, limit: 1 })).toContain(
      "n.txt\n1- 1\n2: 2 x\n\n[Only the first 1",
    );
    expect(await text({ pattern: "9", path: "n.txt", after: 3 })).toBe("n.txt\n9: 9 x\n");
  });

  it("shows lines around a match across the pieces in which a file is read", async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) =>
      index % 1_500 === 700 ? `needle ${index}` : `line ${index}`,
    );
    const gate = await open({ "long.txt": lines.join("\n") });
    const { files: found } = await search(gate, { pattern: "needle", path: "long.txt", context: 2 });
    const shown = found[0]?.lines ?? [];
    expect(shown).toHaveLength(20 * 5);
    for (const { line, text, match } of shown) {
      expect(text).toBe(lines[line - 1]);
      expect(match).toBe(text.startsWith("needle"));
    }
  });

  it("lists files, or counts lines", async () => {
    const { text } = await open();
    expect(await text({ pattern: "foo", mode: "files" })).toBe(".github/ci.yml\nsrc/a.ts\nsrc/deep/b.ts");
    expect(await text({ pattern: "foo", mode: "count", path: "src" })).toBe("src/a.ts: 2\nsrc/deep/b.ts: 1");
  });

  it("stops at the limit and says so", async () => {
    const gate = await open();
    const shown = [{ path: ".github/ci.yml" }, { path: "src/a.ts", count: 1 }];
    expect(await search(gate, { pattern: "foo", limit: 2 })).toMatchObject({ truncated: true, files: shown });
    const said = "[Only the first 2 matching lines in 2 files are shown. Narrow";
    expect(await gate.text({ pattern: "foo", limit: 2 })).toContain(said);
    expect((await search(gate, { pattern: "foo", limit: 4 })).truncated).toBe(false);
    expect((await search(gate, { pattern: "foo", mode: "files", limit: 3 })).truncated).toBe(false);
    expect((await search(gate, { pattern: "foo", mode: "files", limit: 2 })).truncated).toBe(true);
  });

  it("stays below what the gate would cut, and cuts long lines around the match", async () => {
    const gate = await open({ "wide.txt": `${"y".repeat(900)}needle${"z".repeat(900)}\n`.repeat(400) });
    const text = await gate.text({ pattern: "needle", limit: 1_000 });
    expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
    expect(text).toMatch(/^wide\.txt\n1: …y{100}needlez{294}…\n/);
    expect(text).toContain("[Only the first");
  });

  it("says that nothing matches", async () => {
    const { text } = await open();
    expect(await text({ pattern: "nowhere" })).toBe('[Nothing matches "nowhere".]');
  });

  it.each([
    ["utf-16", Buffer.from("\ufeffgröße foo\r\n", "utf16le"), "größe foo"],
    ["utf-8 with BOM", Buffer.from("\ufeffgröße foo\n"), "größe foo"],
    ["latin1", Buffer.from("größe foo\n", "latin1"), "größe foo"],
  ])("shows lines of a file in %s", async (_encoding, bytes, line) => {
    const gate = await open({ "enc.txt": bytes });
    expect(await search(gate, { pattern: "foo$", path: ".", glob: "enc.txt" })).toMatchObject({
      files: [{ lines: [{ line: 1, text: line }] }],
    });
  });

  it("leaves out what it may not read", async () => {
    const gate = await open({ "closed/x.txt": "foo\n", "shut.txt": "foo\n" });
    chmodSync(join(gate.root, "closed"), 0);
    chmodSync(join(gate.root, "shut.txt"), 0);
    const expected = [".github/ci.yml", "src/a.ts", "src/deep/b.ts"];
    // Root may read everything.
    if (process.getuid?.() !== 0) expect(await paths(gate, { pattern: "foo" })).toEqual(expected);
    chmodSync(join(gate.root, "closed"), 0o755);
  });

  it.each([
    [{ pattern: "(" }, "bad_pattern"],
    [{ pattern: "a(?=b)" }, "bad_pattern"],
    [{ pattern: "a", glob: "[" }, "bad_glob"],
    [{ pattern: "a", glob: "../*" }, "bad_glob"],
    [{ pattern: "a", path: "nothing" }, "not_found"],
    [{ pattern: "" }, "invalid_input"],
    [{ pattern: "a", limit: 0 }, "invalid_input"],
    [{ pattern: "a", multiline: true }, "invalid_input"],
    [{ pattern: "a", type: "cobol" }, "invalid_input"],
  ])("refuses %j", async (input, expected) => {
    const { code } = await open();
    expect(await code(input)).toBe(expected);
  });

  it.each([
    [{ regex: "foo", path: "src", file_pattern: "*.ts" }],
    [{ query: "foo", include_pattern: "*.ts", explanation: "to see", case_sensitive: true }],
    [{ pattern: "foo", output_mode: "files_with_matches", type: "ts", "-n": true, head_limit: 50 }],
    [{ pattern: "FOO", "-i": true, "-A": 1, glob: "src/**/*.ts", multiline: false }],
    [{ pattern: "foo", dir_path: "src", include: "*.ts" }],
  ])("takes the shape %j", async (input) => {
    const gate = await open();
    expect(await paths(gate, input)).toEqual(["src/a.ts", "src/deep/b.ts"]);
  });

  it("stops when it is cancelled", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`m/${index}.txt`, "foo\n".repeat(200)]),
    );
    const { call } = await open(many);
    const controller = new AbortController();
    const running = call({ pattern: "nowhere" }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await running).toMatchObject(stopped("cancelled"));
  });
});

/** A gate whose ripgrep is this script; `outside` is where it lies. */
async function withRipgrep(script: (outside: string) => string) {
  const { outside } = await readingGate(grep, {});
  const program = join(outside, "rg");
  writeFileSync(program, `#!/bin/sh\n${script(outside)}\n`, { mode: 0o755 });
  return { ...(await readingGate(createGrep({ findProgram: async () => program }), files)), beside: outside };
}

describe("search.grep", () => {
  it("ends ripgrep when it is cancelled", async () => {
    const gate = await withRipgrep((outside) => `echo $$ > ${outside}/pid\nexec sleep 60`);
    const controller = new AbortController();
    const running = gate.call({ pattern: "foo" }, { signal: controller.signal });
    const pid = await appears(join(gate.beside, "pid"));
    controller.abort();
    expect(await running).toMatchObject(stopped("cancelled"));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it.each([
    [
      "names files outside",
      "printf '../outside/secret.txt\\0/etc/passwd\\0link-out.txt\\0folder-out/secret.txt\\0'",
    ],
    [
      "names protected and ignored files",
      "printf './.env\\0./dist/out.js\\0./.git/config\\0./keys/server.key\\0'",
    ],
    ["names files without a match", "printf './readme.md\\0./nothing.txt\\0'"],
    ["is not ripgrep at all", "exit 7"],
  ])("does not believe a ripgrep that %s", async (what, line) => {
    const { data } = await withRipgrep(() => line);
    const { files: found } = (await data({ pattern: "foo|secret|root" })) as unknown as Data;
    // One that fails is replaced by our own walk.
    expect(found.map(({ path }) => path)).toEqual(
      what.startsWith("is not") ? [".github/ci.yml", "src/a.ts", "src/deep/b.ts"] : [],
    );
  });

  it("believes a ripgrep that could not read some files, and so ends with 2 without a word", async () => {
    const { text } = await withRipgrep(() => "printf './src/a.ts\\0'\nexit 2");
    expect(await text({ pattern: "foo", mode: "files" })).toBe("src/a.ts");
  });

  it("leaves no file open", async () => {
    const { data } = await readingGate(createGrep({ findProgram: async () => undefined }), files);
    await data({ pattern: "foo" });
    const before = readdirSync("/proc/self/fd").length;
    for (let round = 0; round < 5; round++) await data({ pattern: "foo", limit: 1 });
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  });
});

async function appears(path: string): Promise<number> {
  const written = () => Number(existsSync(path) && readFileSync(path, "utf8"));
  await expect.poll(written).toBeGreaterThan(0);
  return written();
}
