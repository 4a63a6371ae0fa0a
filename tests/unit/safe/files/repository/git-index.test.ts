import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readIndex, repositoriesInIndex } from "../../../../../src/safe/files/repository/git-index.ts";
import { processorMs } from "../../../../processor-time.ts";
import { describeGit, git } from "../../../sources/builtin/git/git-gate.ts";

const tracked = ["a.txt", "src/b.ts", "src/bc.ts", "src/deep/\u00e4 b.ts", "z"];
/** The beginning of an index that says it has very many entries. */
const head = Buffer.concat([Buffer.from("DIRC"), Buffer.from([0, 0, 0, 2, 0xff, 0, 0, 0])]);

function repository(...options: string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-index-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  git(root, "init", "-q", ...options);
  for (const path of tracked) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // 57344 is also how the index writes down that something is a repository.
    writeFileSync(join(root, path), "x".repeat(path === "z" ? 57_344 : 3));
  }
  return root;
}

describeGit("the index", () => {
  it.each([
    ["as git writes it", [], []],
    ["with names that go on from the one before", [], ["index.version", "4"]],
    ["with long ids", ["--object-format=sha256"], []],
    ["in two files", [], ["core.splitIndex", "true"]],
  ])("says what is tracked, %s", (_, options, setting) => {
    const root = repository(...options);
    if (setting.length > 0) git(root, "config", ...setting);
    git(root, "add", "-A");
    git(root, "add", "-N", "a.txt");
    expect(new Set(readIndex(join(root, ".git"))?.map(({ path }) => path))).toEqual(new Set(tracked));
    expect(repositoriesInIndex(join(root, ".git"))).toEqual([]);
    const id = "1".repeat(options.length === 0 ? 40 : 64);
    git(root, "update-index", "--add", "--cacheinfo", `160000,${id},src/module`);
    expect(repositoriesInIndex(join(root, ".git"))).toEqual(["src/module"]);
  });

  it("is not there in a new repository, and not understood where it is something else", () => {
    const root = repository();
    expect(readIndex(join(root, ".git"))).toEqual([]);
    writeFileSync(join(root, ".git/index"), "DIRC but nothing more");
    expect(readIndex(join(root, ".git"))).toBeUndefined();
    expect(repositoriesInIndex(join(root, ".git"))).toBeUndefined();
  });

  it("is not even read where it is larger than any, alone or in many files", () => {
    const root = repository();
    const large = 60 * 1024 * 1024;
    for (const [name, bytes] of Object.entries({
      index: 12,
      "sharedindex.1": large,
      "sharedindex.2": large,
    })) {
      writeFileSync(join(root, ".git", name), head);
      truncateSync(join(root, ".git", name), bytes);
    }
    const before = process.memoryUsage().rss;
    expect(repositoriesInIndex(join(root, ".git"))).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024);
  });

  it("is given up at its first entry that is none, however long it is", () => {
    const root = repository();
    const index = join(root, ".git", "index");
    writeFileSync(index, head);
    truncateSync(index, 50 * 1024 * 1024);
    const before = processorMs();
    expect(repositoriesInIndex(join(root, ".git"))).toBeUndefined();
    // A search for bytes in all these zeros took a second.
    expect(processorMs() - before).toBeLessThan(250);
  });
});
