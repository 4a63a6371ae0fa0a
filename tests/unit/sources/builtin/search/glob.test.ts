import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { glob } from "../../../../../src/sources/builtin/search/glob.ts";
import { readingGate } from "../reading-gate.ts";
import { describeRefusals } from "../refusals.ts";

const files = {
  "src/a.ts": "",
  "src/deep/b.ts": "",
  "src/deep/c.tsx": "",
  "top.ts": "",
  ".config/d.ts": "",
  ".gitignore": "dist/\nsrc/deep/*.tsx\n",
  "dist/e.ts": "",
  ".git/f.ts": "",
};

describeRefusals(glob, (path) => ({ pattern: "*", path }), {
  files: { "dir/a.txt": "alpha\n" },
  path: "dir",
});

describe("search.glob", () => {
  it("finds the newest files first", async () => {
    const { root, text } = await readingGate(glob, files);
    utimesSync(join(root, "src/deep/b.ts"), 3_000, 3_000);
    utimesSync(join(root, "top.ts"), 2_000, 2_000);
    utimesSync(join(root, "src/a.ts"), 1_000, 1_000);
    expect(await text({ pattern: "{src/**/,}*.ts", hidden: false })).toBe("src/deep/b.ts\ntop.ts\nsrc/a.ts");
  });

  it.each([
    [{ pattern: "*.ts" }, [".config/d.ts", "src/a.ts", "src/deep/b.ts", "top.ts"]],
    [{ pattern: "./*.ts" }, ["top.ts"]],
    [{ pattern: "src/**/*.{ts,tsx}" }, ["src/a.ts", "src/deep/b.ts"]],
    [{ pattern: "*.tsx", ignored: true }, ["src/deep/c.tsx"]],
    [{ pattern: "*.ts", hidden: false }, ["src/a.ts", "src/deep/b.ts", "top.ts"]],
    [{ pattern: "*.ts", path: "src" }, ["src/a.ts", "src/deep/b.ts"]],
    [{ pattern: "deep/*", path: "src" }, ["src/deep/b.ts"]],
    [{ glob_pattern: "**/b.*", directory: "." }, ["src/deep/b.ts"]],
    [
      { pattern: "*.ts", respect_git_ignore: false, case_sensitive: true, hidden: false },
      ["dist/e.ts", "src/a.ts", "src/deep/b.ts", "top.ts"],
    ],
  ])("answers %j by path", async (input, expected) => {
    const { data } = await readingGate(glob, files);
    expect(await data({ ...input, sort: "path" })).toEqual({ files: expected, truncated: false });
  });

  it("takes a pattern that is written out in full", async () => {
    const { data, root } = await readingGate(glob, files);
    expect(await data({ pattern: `${root}/src/*.ts` })).toMatchObject({ files: ["src/a.ts"] });
  });

  it.each(["modified", "path"])("stops at the limit and says so, sorted by %s", async (sort) => {
    const { data, text } = await readingGate(glob, files);
    expect(await data({ pattern: "*.ts", limit: 2, sort })).toMatchObject({
      truncated: true,
      files: { length: 2 },
    });
    expect(await text({ pattern: "*.ts", limit: 2, sort })).toContain("[Only 2 files are shown.");
    expect(await data({ pattern: "*.ts", limit: 4, sort })).toMatchObject({ truncated: false });
  });

  it("keeps the newest of many more than it shows", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`m/${String(index).padStart(2, "0")}.x`, ""]),
    );
    const { data, root } = await readingGate(glob, many);
    for (const [index, path] of Object.keys(many).entries())
      utimesSync(join(root, path), 1_000 + ((index * 37) % 60), 1_000 + ((index * 37) % 60));
    const newest = Object.keys(many)
      .map((path, index) => ({ path, at: (index * 37) % 60 }))
      .sort((left, right) => right.at - left.at)
      .slice(0, 5)
      .map(({ path }) => path);
    expect(await data({ pattern: "*.x", limit: 5 })).toMatchObject({ files: newest });
  });

  it("names no folder, follows no link, and says when there is nothing", async () => {
    const { text, code } = await readingGate(glob, files);
    expect(await text({ pattern: "deep" })).toBe('[No file matches "deep".]');
    expect(await text({ pattern: "secret.txt" })).toBe('[No file matches "secret.txt".]');
    expect(await code({ pattern: "*", path: "top.ts" })).toBe("not_a_directory");
    expect(await code({ pattern: "../*" })).toBe("bad_glob");
    expect(await code({ pattern: "[" })).toBe("bad_glob");
  });
});
