import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { identityOf, isSettled } from "../../../../src/config/rule-cache/input-identity.ts";
import { isFresh, ruleCacheOf } from "../../../../src/config/rule-cache/read-cache.ts";
import type { ReadVariables } from "../../../../src/config/rule-cache/tracked-environment.ts";
import { bytesOf, key } from "./cache-world.ts";

function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-identity-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A cache that was made from these inputs as they are now. */
function watch(
  paths: readonly string[],
  more: { readonly variables?: ReadVariables; settled?: boolean } = {},
) {
  const inputs = paths.map((path): [string, string] => [path, identityOf(path)]);
  const bytes = bytesOf({}, { inputs, variables: [], ...more });
  return (env: Readonly<Record<string, string>> = {}) => {
    const cache = ruleCacheOf(bytes, key);
    if (cache === undefined) throw new Error("the cache cannot be read");
    return isFresh(cache, env);
  };
}

/** A tick of the clock of the file system is a few milliseconds. */
const tick = () => sleep(20);

describe("rules in a cache", () => {
  it("are fresh while nothing happens", async () => {
    const folder = createFolder();
    const file = join(folder, "toolgate.yaml");
    writeFileSync(file, "routes: {}");
    const fresh = watch([file, folder, join(folder, "not-there"), join(file, "below-a-file")]);
    expect(fresh()).toBe(true);
    await tick();
    // Reading changes nothing that counts.
    statSync(file);
    expect(fresh()).toBe(true);
  });

  it.each<[what: string, change: (file: string) => void]>([
    ["has another content", (file) => writeFileSync(file, "routes: {a: 1}")],
    ["has another content of the same size", (file) => writeFileSync(file, "ROUTES: {}")],
    ["is touched", (file) => utimesSync(file, new Date(), new Date())],
    ["is deleted", (file) => rmSync(file)],
    ["becomes a folder", (file) => rmSync(file) ?? mkdirSync(file)],
    ["gets other rights", (file) => chmodSync(file, 0o600)],
    [
      "is replaced by one of the same size and time",
      (file) => {
        const { atime, mtime } = statSync(file);
        writeFileSync(`${file}.new`, "ROUTES: {}");
        utimesSync(`${file}.new`, atime, mtime);
        renameSync(`${file}.new`, file);
      },
    ],
    [
      "is changed in place and set back to its old time",
      (file) => {
        const { atime, mtime } = statSync(file);
        writeFileSync(file, "ROUTES: {}");
        utimesSync(file, atime, mtime);
      },
    ],
    [
      "is moved away and a link takes its place",
      (file) => {
        renameSync(file, `${file}.old`);
        writeFileSync(`${file}.new`, "ROUTES: {}");
        symlinkSync(`${file}.new`, file);
      },
    ],
  ])("are not when an input %s", async (_, change) => {
    const file = join(createFolder(), "toolgate.yaml");
    writeFileSync(file, "routes: {}", { mode: 0o644 });
    await tick();
    const fresh = watch([file]);
    expect(fresh()).toBe(true);
    await tick();
    change(file);
    expect(fresh()).toBe(false);
  });

  it("are not when an input appears that was not there", () => {
    const file = join(createFolder(), "a", "toolgate.yaml");
    const fresh = watch([file]);
    expect(fresh()).toBe(true);
    mkdirSync(dirname(file));
    expect(fresh()).toBe(true);
    writeFileSync(file, "");
    expect(fresh()).toBe(false);
  });

  it("are not when a link leads elsewhere", () => {
    const folder = createFolder();
    for (const name of ["one", "other"]) writeFileSync(join(folder, name), "same");
    const link = join(folder, "link");
    symlinkSync(join(folder, "one"), link);
    const fresh = watch([link]);
    rmSync(link);
    symlinkSync(join(folder, "other"), link);
    expect(fresh()).toBe(false);
  });

  it.each<[what: string, change: (folder: string) => void]>([
    ["gets a file", (folder) => writeFileSync(join(folder, "b.yaml"), "")],
    ["loses a file", (folder) => rmSync(join(folder, "a.yaml"))],
    ["has a file renamed", (folder) => renameSync(join(folder, "a.yaml"), join(folder, "b.yaml"))],
    ["gets a second name for a file", (folder) => linkSync(join(folder, "a.yaml"), join(folder, "b.yaml"))],
  ])("are not when a folder that was listed %s", async (_, change) => {
    const folder = createFolder();
    writeFileSync(join(folder, "a.yaml"), "");
    await tick();
    const fresh = watch([folder]);
    expect(fresh()).toBe(true);
    await tick();
    change(folder);
    expect(fresh()).toBe(false);
  });

  it("stay fresh while a repository changes, but not when it goes", async () => {
    const git = join(createFolder(), ".git");
    mkdirSync(git);
    const fresh = watch([git]);
    await tick();
    writeFileSync(join(git, "HEAD"), "ref: refs/heads/main");
    expect(fresh()).toBe(true);
    rmSync(git, { recursive: true });
    // A work tree has a file there.
    writeFileSync(git, "gitdir: elsewhere");
    expect(fresh()).toBe(false);
    rmSync(git);
    expect(fresh()).toBe(false);
  });

  it("are not when a variable that was looked at has another value, is gone, or came", () => {
    const variables: ReadVariables = [
      ["CLAUDE_CONFIG_DIR", "/a"],
      ["TOOLGATE_ROUTES", null],
    ];
    const fresh = watch([], { variables });
    expect(fresh({ CLAUDE_CONFIG_DIR: "/a", OTHER: "x" })).toBe(true);
    expect(fresh({ CLAUDE_CONFIG_DIR: "/b" })).toBe(false);
    expect(fresh({})).toBe(false);
    expect(fresh({ CLAUDE_CONFIG_DIR: "/a", TOOLGATE_ROUTES: "x.yaml" })).toBe(false);
  });

  it("are never fresh if something changed while they were loaded", () => {
    expect(watch([], { settled: false })()).toBe(false);
  });
});

describe("the identity of a path", () => {
  it("tells what cannot be looked at from what is not there", () => {
    const folder = createFolder();
    expect(identityOf(join(folder, "not-there"))).toBe("-");
    expect(identityOf(join(folder, "a".repeat(300)))).toBe("!ENAMETOOLONG");
    expect(identityOf(createLoop())).toBe("!ELOOP");
  });
});

function createLoop(): string {
  const loop = join(createFolder(), "loop");
  symlinkSync(loop, loop);
  return loop;
}

function createFile(): string {
  const file = join(createFolder(), "toolgate.yaml");
  writeFileSync(file, "");
  return file;
}

describe("an input is settled", () => {
  it("when it did not change for a while before the rules were loaded", () => {
    const file = createFile();
    expect(isSettled(file, Date.now())).toBe(false);
    const { ctimeMs } = statSync(file);
    const found = [-1_000, 10, 3_000].map((later) => isSettled(file, ctimeMs + later));
    expect(found).toEqual([false, false, true]);
  });

  it("by its change time too, which nobody can set back", () => {
    const file = createFile();
    utimesSync(file, 1, 1);
    expect(isSettled(file, Date.now())).toBe(false);
  });

  it("only after two seconds where the clock shows whole seconds", () => {
    const file = createFile();
    const second = Math.ceil(Date.now() / 1_000) + 100;
    utimesSync(file, second, second);
    expect(isSettled(file, second * 1_000 + 1_500)).toBe(false);
    expect(isSettled(file, second * 1_000 + 2_500)).toBe(true);
  });

  it("when it is not there and its folder did not change either", () => {
    const missing = join(createFolder(), "a", "b", "toolgate.yaml");
    expect(isSettled(missing, Date.now())).toBe(false);
    expect(isSettled(missing, Date.now() + 3_000)).toBe(true);
  });

  it("never when it cannot be looked at", () => {
    const loop = createLoop();
    for (const path of [loop, join(loop, "below")]) expect(isSettled(path, Date.now() + 100_000)).toBe(false);
  });

  it("always when it is a repository, of which only its being there counts", () => {
    const git = join(createFolder(), ".git");
    mkdirSync(git);
    expect(isSettled(git, 0)).toBe(true);
  });
});
