/** kill -9 in the middle of a patch over 20 files, at random moments: all files are old or all are new, at the latest after the next start. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listJournals } from "../../src/sources/builtin/editing/journal/journal.ts";
import { recoverJournals } from "../../src/sources/builtin/editing/journal/recover.ts";
import { temporaryFolder } from "../unit/sources/temporary-folder.ts";

/** One file, so that a hundred processes start quickly. */
const bundle = mkdtempSync(join(tmpdir(), "toolgate-crash-child-"));
const child = join(bundle, "child.mjs");
beforeAll(() =>
  build({
    entryPoints: [join(import.meta.dirname, "edit-crash-child.ts")],
    outfile: child,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: "error",
  }),
);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

type Tree = Readonly<Record<string, string>>;

/** 12 files change, 3 go, 3 come (in new folders), 2 move: 22 names. */
const oldTree: Tree = Object.fromEntries(
  Array.from({ length: 17 }, (_, n) => [`dir${n % 4}/file${n}.txt`, `old ${n}\n${"x".repeat(20_000)}\n`]),
);
const names = Object.keys(oldTree);

function patchTo(word: string): { readonly patch: string; readonly tree: Tree } {
  const tree: Record<string, string> = { ...oldTree };
  const sections = names.map((name, n) => {
    const fresh = oldTree[name]!.replace("old", word);
    if (n < 12) {
      tree[name] = fresh;
      return `*** Update File: ${name}\n-old ${n}\n+${word} ${n}`;
    }
    delete tree[name];
    if (n < 15) return `*** Delete File: ${name}`;
    tree[`moved/${n}.txt`] = fresh;
    return `*** Update File: ${name}\n*** Move to: moved/${n}.txt\n-old ${n}\n+${word} ${n}`;
  });
  for (const n of [1, 2, 3]) {
    tree[`new/deep${n}/${n}.txt`] = `${word}\n`;
    sections.push(`*** Add File: new/deep${n}/${n}.txt\n+${word}`);
  }
  return { patch: ["*** Begin Patch", ...sections, "*** End Patch"].join("\n"), tree };
}

type World = ReturnType<typeof createWorld>;

function createWorld() {
  const base = temporaryFolder("crash");
  const root = join(base, "root");
  for (const [path, content] of Object.entries(oldTree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, stateFolder: join(base, "state") };
}

function readTree(root: string): Tree {
  const tree: Record<string, string> = {};
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    try {
      if (statSync(join(root, path)).isFile()) tree[path] = readFileSync(join(root, path), "utf8");
    } catch (error) {
      // It is also looked at while a process works in it: a temporary file may be gone again.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return tree;
}

function isSame(left: Tree, right: Tree): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

async function start({ root, stateFolder }: World, patch: string): Promise<ChildProcess> {
  const started = spawn(process.execPath, [child, root, stateFolder, patch], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(started.stdout!, "data");
  return started;
}

/** A process that was killed when some of the files had changed, and what it left. */
async function killHalfWay(world: World, patch: string): Promise<Tree> {
  const victim = await start(world, patch);
  victim.stdin!.write("go\n");
  while (readFileSync(join(world.root, "dir1/file1.txt"), "utf8").startsWith("old")) await wait(1);
  await kill(victim);
  return readTree(world.root);
}

/** It may have reached its end a moment before. */
async function kill(victim: ChildProcess): Promise<void> {
  if (victim.exitCode !== null || victim.signalCode !== null) return;
  const gone = once(victim, "exit");
  victim.kill("SIGKILL");
  await gone;
}

/** What it says at its end. */
async function finish(started: ChildProcess): Promise<string> {
  let said = "";
  started.stdout!.on("data", (data: Buffer) => {
    said += data.toString();
  });
  started.stdin!.write("go\n");
  await once(started, "exit");
  return said.trim();
}

describe("a patch over 20 files", () => {
  const { patch, tree: newTree } = patchTo("new");

  it("that is killed at any of 100 random moments leaves all old or all new after the next start", async () => {
    const trial = createWorld();
    const began = performance.now();
    const first = await start(trial, patch);
    const ready = performance.now();
    expect(await finish(first)).toBe("done");
    const longest = performance.now() - ready;
    expect(isSame(readTree(trial.root), newTree)).toBe(true);

    const counts = { old: 0, new: 0, halfBefore: 0, journals: 0 };
    const prepare = () => {
      const world = createWorld();
      return { world, starting: start(world, patch) };
    };
    let next = prepare();
    for (let moment = 0; moment < 100; moment += 1) {
      const { world, starting } = next;
      const victim = await starting;
      if (moment < 99) next = prepare();
      victim.stdin!.write("go\n");
      await wait(Math.random() * longest);
      await kill(victim);
      const left = readTree(world.root);
      if (listJournals(world.stateFolder).length > 0) counts.journals += 1;
      if (!isSame(left, oldTree) && !isSame(left, newTree)) counts.halfBefore += 1;
      await recoverJournals(world.stateFolder);
      const now = readTree(world.root);
      const isOld = isSame(now, oldTree);
      expect(isOld || isSame(now, newTree), `files after a kill: ${JSON.stringify(Object.keys(now))}`).toBe(
        true,
      );
      counts[isOld ? "old" : "new"] += 1;
      expect(listJournals(world.stateFolder)).toEqual([]);
      if (isOld) expect(readdirSync(world.root).sort()).toEqual(["dir0", "dir1", "dir2", "dir3"]);
    }
    console.info("crash", { ...counts, longestMs: Math.round(longest), startMs: Math.round(ready - began) });
    // Enough of the kills must have met a half-changed tree, or the hundred say nothing.
    expect(counts.halfBefore).toBeGreaterThan(15);
  });

  it("that is killed, and whose recovery is killed too, is undone by the one after that", async () => {
    let half = 0;
    for (let round = 0; round < 15; round += 1) {
      const world = createWorld();
      const left = await killHalfWay(world, patch);
      const second = spawn(process.execPath, [child, world.root, world.stateFolder, patch], {
        stdio: "ignore",
      });
      await waitForRecovery(world, left);
      await kill(second);
      if (listJournals(world.stateFolder).length > 0) half += 1;
      await recoverJournals(world.stateFolder);
      const now = readTree(world.root);
      expect(isSame(now, oldTree) || isSame(now, newTree)).toBe(true);
      expect(listJournals(world.stateFolder)).toEqual([]);
    }
    console.info("recoveries killed half-way", half);
    expect(half).toBeGreaterThan(0);
  });

  it("of two processes at once: one of them wins with all files, or none", async () => {
    const one = patchTo("one");
    const two = patchTo("two");
    const winners = { one: 0, two: 0, none: 0 };
    for (let round = 0; round < 15; round += 1) {
      const world = createWorld();
      const both = await Promise.all([start(world, one.patch), start(world, two.patch)]);
      const said = await Promise.all(both.map(finish));
      const tree = readTree(world.root);
      const ends = [
        ["one", one.tree],
        ["two", two.tree],
        ["none", oldTree],
      ] as const;
      const winner = ends.find(([, end]) => isSame(tree, end))?.[0];
      expect(winner, said.join("\n")).toBeDefined();
      winners[winner!] += 1;
      expect(said.filter((text) => text === "done")).toHaveLength(winner === "none" ? 0 : 1);
      expect(listJournals(world.stateFolder)).toEqual([]);
    }
    console.info("two at once", winners);
    expect(winners.one + winners.two).toBeGreaterThan(0);
  });
});

/** Until a recovery has begun to put files back, or found nothing to do. */
async function waitForRecovery({ root, stateFolder }: World, left: Tree): Promise<void> {
  while (listJournals(stateFolder).length > 0 && isSame(readTree(root), left)) await wait(1);
}
