import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { list } from "../../../../../src/sources/builtin/filesystem/list.ts";
import { stopped } from "../../stopped.ts";
import { readingGate } from "../reading-gate.ts";
import { describeRefusals } from "../refusals.ts";

const files = {
  "z.txt": "zz\n",
  "a.txt": "a\n",
  ".hidden": "h\n",
  ".env": "KEY=1\n",
  ".gitignore": "dist/\n*.log\n",
  "debug.log": "l\n",
  "dist/out.js": "o\n",
  "src/index.ts": "i\n",
  "src/deep/er/x.ts": "x\n",
  "src/.gitignore": "!keep.log\nskip.ts\n",
  "src/keep.log": "k\n",
  "src/skip.ts": "s\n",
  ".git/config": "c\n",
};
const paths = (entries: unknown) => (entries as { path: string }[]).map(({ path }) => path);

describeRefusals(list, (path) => ({ path }), { files: { "dir/a.txt": "alpha\n" }, path: "dir" });

describe("fs.list", () => {
  it("lists a folder, folders first, with sizes and where links lead", async () => {
    const { text, root } = await readingGate(list, files);
    symlinkSync("src/index.ts", join(root, "link-in"));
    expect((await text({})).split("\n")).toEqual([
      ".git/",
      "dist/",
      "src/",
      ".env  (6 bytes, protected)",
      ".gitignore  (12 bytes)",
      ".hidden  (2 bytes)",
      "a.txt  (2 bytes)",
      "debug.log  (2 bytes)",
      "folder-out  (link out of the workspace)",
      "link-in  (link to src/index.ts)",
      "link-out.txt  (link out of the workspace)",
      "z.txt  (3 bytes)",
    ]);
  });

  it("sorts by name, and leaves out hidden and ignored entries on request", async () => {
    const { data } = await readingGate(list, files);
    const { entries } = await data({ sort: "name", hidden: false, ignored: false });
    expect(paths(entries)).toEqual(["a.txt", "folder-out", "link-out.txt", "src", "z.txt"]);
  });

  it("lists the tree below without what .gitignore files leave out, the deeper file speaking last", async () => {
    const { data } = await readingGate(list, files);
    const { entries, truncated } = await data({ recursive: true, hidden: false });
    const tree = "src src/deep src/deep/er src/index.ts src/keep.log a.txt folder-out link-out.txt z.txt";
    expect(paths(entries)).toEqual(tree.split(" "));
    expect(truncated).toBe(false);
    expect(paths((await data({ path: "src", recursive: true, hidden: false })).entries)).not.toContain(
      "skip.ts",
    );
  });

  it("shows ignored entries of the tree on request, but never the inside of .git", async () => {
    const { data } = await readingGate(list, files);
    const { entries } = await data({ recursive: true, ignored: true });
    expect(paths(entries)).toEqual(
      expect.arrayContaining([".git", "dist/out.js", "src/skip.ts", "debug.log"]),
    );
    expect(paths(entries)).not.toContain(".git/config");
  });

  it("leaves out what it is told to", async () => {
    const { data, code } = await readingGate(list, files);
    const { entries } = await data({
      recursive: true,
      hidden: false,
      ignore: ["*.txt", "src/deep", "folder-out"],
    });
    expect(paths(entries)).toEqual(["src", "src/index.ts", "src/keep.log"]);
    expect(await code({ exclude: ["["] })).toBe("bad_glob");
  });

  it("stays below what the gate would cut", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`${"n".repeat(200)}${index}`, ""]),
    );
    const { data, text } = await readingGate(list, many);
    expect(Buffer.byteLength(await text({ limit: 5_000 }))).toBeLessThan(64 * 1024);
    expect(await data({ limit: 5_000 })).toMatchObject({ truncated: true });
  });

  it("goes as deep as it is told, and says that there is more below", async () => {
    const { data, text } = await readingGate(list, files);
    expect(paths((await data({ path: "src", depth: 2, hidden: false })).entries)).not.toContain(
      "deep/er/x.ts",
    );
    expect(await text({ path: "src", depth: 2 })).toContain("[1 folders below are not opened; raise depth");
    expect(paths((await data({ path: "src", depth: 3 })).entries)).toContain("deep/er/x.ts");
  });

  it("shows the upper levels first when there is too much, and says so", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`a/deep/f${index}.txt`, ""]));
    const { data, text } = await readingGate(list, { ...many, "b/x.txt": "", "top.txt": "" });
    const { entries, truncated } = await data({ recursive: true, limit: 10 });
    expect(paths(entries)).toEqual(expect.arrayContaining(["a", "a/deep", "b", "b/x.txt", "top.txt"]));
    expect(paths(entries)).toHaveLength(10);
    expect(truncated).toBe(true);
    expect(await text({ recursive: true, limit: 10 })).toContain("[Only 10 entries are shown.");
    expect((await data({ path: "b", limit: 1 })).truncated).toBe(false);
  });

  it("says that a folder is empty, and that a file is no folder", async () => {
    const { text, failure, root, write } = await readingGate(list, { "a.txt": "" });
    write("empty/x", "");
    rmSync(join(root, "empty/x"));
    expect(await text({ path: "empty" })).toBe("[The folder is empty.]");
    expect(await failure({ path: "a.txt" })).toMatchObject({ code: "not_a_directory" });
    expect(await failure({ path: "nothing" })).toMatchObject({ code: "not_found" });
  });

  it("names protected folders without opening them", async () => {
    const { data, call } = await readingGate(list, { ".ssh/id_rsa": "k", "a.txt": "" });
    const { entries } = await data({ recursive: true });
    expect(paths(entries)).toContain(".ssh");
    expect(paths(entries)).not.toContain(".ssh/id_rsa");
    expect(await call({ path: ".ssh" })).toMatchObject(stopped("policy_denied"));
  });
});
