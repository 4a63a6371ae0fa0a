import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createInsideRoot,
  type InsideRoot,
} from "../../../../../../src/safe/files/inside-root/inside-root.ts";
import { commit, type FileChange } from "../../../../../../src/sources/builtin/editing/journal/commit.ts";
import {
  listJournals,
  newJournalId,
  openJournal,
} from "../../../../../../src/sources/builtin/editing/journal/journal.ts";
import { isDead, thisOwner } from "../../../../../../src/sources/builtin/editing/journal/owner.ts";
import { hashOf, type JournalRecord } from "../../../../../../src/sources/builtin/editing/journal/record.ts";
import { recoverJournals } from "../../../../../../src/sources/builtin/editing/journal/recover.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

type World = ReturnType<typeof createWorld>;
type Tree = Readonly<Record<string, string>>;
const before: Tree = { "a.txt": "a", "b.txt": "b", "c.txt": "c" };
const after: Tree = { "a.txt": "A", "b.txt": "B", "new/deep/d.txt": "D" };

function createWorld() {
  const base = temporaryFolder("journal");
  const root = join(base, "root");
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(before)) put(path, content);
  return {
    root,
    stateFolder: join(base, "state"),
    files: createInsideRoot({ roots: [root], durable: false }),
    put,
    tree: () =>
      Object.fromEntries(
        readdirSync(root, { recursive: true, encoding: "utf8" })
          .filter((path) => statSync(join(root, path)).isFile())
          .sort()
          .map((path) => [path, readFileSync(join(root, path), "utf8")]),
      ),
    /** The changes of one patch: two files change, one goes, one comes. */
    changes: (): readonly FileChange[] =>
      Object.keys({ ...before, ...after }).map((path) => {
        const [old, fresh] = [before[path], after[path]].map((text) => text && Buffer.from(text)) as Buffer[];
        return {
          path,
          absolute: join(root, path),
          before: old && { bytes: old, hash: hashOf(old), mode: 0o644 },
          after: fresh,
        };
      }),
  };
}

/** Makes the changes, in files of the test's own kind if it has some. */
const commitAll = ({ files, stateFolder, root, changes }: World, inside: InsideRoot = files) =>
  commit(inside, changes(), { stateFolder, newDirectories: newDirectories(root) });

const newDirectories = (root: string) => [join(root, "new"), join(root, "new/deep")];

function recordOf({ root, changes }: World): JournalRecord {
  return {
    id: newJournalId(),
    roots: [root],
    newDirectories: newDirectories(root),
    files: changes().map((change) => ({
      absolute: change.absolute,
      before: change.before,
      afterHash: change.after && hashOf(change.after),
    })),
  };
}

const nobody = "4194304-1-00000000-000000000000";

/** As if the process that wrote them had died: on another boot of this machine. */
function bury(stateFolder: string): void {
  const [pid, start, , place] = thisOwner().split("-");
  for (const { path, owner } of listJournals(stateFolder))
    renameSync(path, path.replace(owner, [pid, start, "earlier", place].join("-")));
}

/** A change that stops after so many files. */
async function crashAfter(world: World, count: number, state: "active" | "undo" = "active"): Promise<void> {
  const journal = openJournal(world.stateFolder, recordOf(world));
  if (state === "undo") journal.turnBack();
  for (const { absolute, after: fresh } of world.changes().slice(0, count)) {
    if (fresh === undefined) rmSync(absolute);
    else {
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, fresh);
    }
  }
  bury(world.stateFolder);
}

describe("a change of several files", () => {
  it("happens as a whole and leaves no journal", async () => {
    const world = createWorld();
    expect(await commitAll(world)).toEqual({ ok: true });
    expect(world.tree()).toEqual(after);
    expect(listJournals(world.stateFolder)).toEqual([]);
  });

  it("is taken back when one of its files cannot be written, whichever it is", async () => {
    for (const [broken, spoil] of [
      ["a.txt", (path: string) => writeFileSync(path, "somebody else")],
      ["b.txt", (path: string) => chmodSync(path, 0o444)],
      ["c.txt", (path: string) => writeFileSync(path, "somebody else")],
      ["new", (path: string) => writeFileSync(path, "a file in the way")],
    ] as const) {
      const world = createWorld();
      const hurt = join(world.root, broken);
      if (broken === "b.txt" && process.getuid?.() === 0) linkSync(hurt, join(world.root, "second-name"));
      else spoil(hurt);
      const now = world.tree();
      const done = await commitAll(world);
      expect(done).toMatchObject({ ok: false, message: expect.stringContaining("No file was changed.") });
      expect(world.tree()).toEqual(now);
      expect(existsSync(join(world.root, "new/deep"))).toBe(false);
      expect(listJournals(world.stateFolder)).toEqual([]);
    }
  });

  it("is taken back when something unexpected is thrown", async () => {
    const world = createWorld();
    let writes = 0;
    const files: InsideRoot = {
      ...world.files,
      write: (path, data, options) => {
        writes += 1;
        if (writes === 2) throw new Error("boom");
        return world.files.write(path, data, options);
      },
    };
    await expect(commitAll(world, files)).rejects.toThrow("boom");
    expect(world.tree()).toEqual(before);
    expect(listJournals(world.stateFolder)).toEqual([]);
  });

  it("waits for nobody: of two over the same files the second is refused", async () => {
    const world = createWorld();
    const first = openJournal(world.stateFolder, recordOf(world));
    expect(await commitAll(world)).toMatchObject({
      ok: false,
      code: "busy",
      message: expect.stringContaining("Try again"),
    });
    expect(world.tree()).toEqual(before);
    first.close();
    expect(await commitAll(world)).toEqual({ ok: true });
  });
});

describe("a change that cannot be taken back as a whole", () => {
  it("names the files that somebody else changed meanwhile", async () => {
    const world = createWorld();
    const files: InsideRoot = {
      ...world.files,
      write: async (path, data, options) => {
        const written = await world.files.write(path, data, options);
        if (path.endsWith("b.txt")) world.put("a.txt", "mine");
        return written;
      },
    };
    world.put("c.txt", "not what was read");
    const done = await commitAll(world, files);
    expect(done).toMatchObject({
      ok: false,
      message: expect.stringContaining('Everything was put back except "a.txt", which somebody else changed'),
    });
    expect(world.tree()).toEqual({ "a.txt": "mine", "b.txt": "b", "c.txt": "not what was read" });
  });
});

describe("after a crash, the next start", () => {
  const all = Object.keys({ ...before, ...after }).length;

  it.each(Array.from({ length: all + 1 }, (_, count) => count))(
    "finds %i files changed and makes all of them old, or all new",
    async (count) => {
      const world = createWorld();
      await crashAfter(world, count);
      const [recovery] = await recoverJournals(world.stateFolder);
      const complete = count === all;
      expect(recovery).toMatchObject({ outcome: complete ? "complete" : "undone", left: [] });
      expect(world.tree()).toEqual(complete ? after : before);
      if (!complete) expect(existsSync(join(world.root, "new"))).toBe(false);
      expect(await recoverJournals(world.stateFolder)).toEqual([]);
    },
  );

  it("goes on with what was being taken back, even if all files had changed", async () => {
    const world = createWorld();
    await crashAfter(world, all, "undo");
    expect(await recoverJournals(world.stateFolder)).toMatchObject([{ outcome: "undone" }]);
    expect(world.tree()).toEqual(before);
  });

  it("can be cut short itself, at any file, and begin again", async () => {
    for (let stop = 0; stop < 8; stop += 1) {
      const world = createWorld();
      await crashAfter(world, all - 1);
      // What an earlier recovery had put back already.
      for (const { absolute, before: old } of world.changes().slice(0, stop)) {
        if (old === undefined) rmSync(absolute, { force: true });
        else writeFileSync(absolute, old.bytes);
      }
      await recoverJournals(world.stateFolder);
      expect(world.tree()).toEqual(before);
    }
  });

  it("removes a half-written file and the second name of a new one", async () => {
    const world = createWorld();
    const record = recordOf(world);
    openJournal(world.stateFolder, record);
    writeFileSync(join(world.root, "a.txt"), "A");
    writeFileSync(join(world.root, `.toolgate-${record.id}-1.tmp`), "half");
    mkdirSync(join(world.root, "new/deep"), { recursive: true });
    writeFileSync(join(world.root, `new/deep/.toolgate-${record.id}-3.tmp`), "D");
    linkSync(join(world.root, `new/deep/.toolgate-${record.id}-3.tmp`), join(world.root, "new/deep/d.txt"));
    bury(world.stateFolder);
    await recoverJournals(world.stateFolder);
    expect(world.tree()).toEqual(before);
    expect(readdirSync(world.root).sort()).toEqual(Object.keys(before));
  });

  it("leaves a file alone that somebody else changed since, and says so", async () => {
    const world = createWorld();
    await crashAfter(world, 2);
    world.put("b.txt", "mine");
    const [recovery] = await recoverJournals(world.stateFolder);
    expect(recovery).toMatchObject({ outcome: "undone", left: [join(world.root, "b.txt")] });
    expect(world.tree()).toEqual({ ...before, "b.txt": "mine" });
  });

  it("undoes nothing of a finished change of which a file was changed again", async () => {
    const world = createWorld();
    await crashAfter(world, all);
    world.put("b.txt", "mine");
    expect(await recoverJournals(world.stateFolder)).toMatchObject([{ outcome: "complete" }]);
    expect(world.tree()).toEqual({ ...after, "b.txt": "mine" });
  });

  it("does not touch the journal of a process that lives", async () => {
    const world = createWorld();
    const journal = openJournal(world.stateFolder, recordOf(world));
    writeFileSync(join(world.root, "a.txt"), "A");
    expect(await recoverJournals(world.stateFolder)).toEqual([]);
    expect(world.tree()["a.txt"]).toBe("A");
    journal.close();
  });

  it("may happen in several processes at once", async () => {
    const world = createWorld();
    await crashAfter(world, 3);
    const recovered = await Promise.all([1, 2, 3].map(() => recoverJournals(world.stateFolder)));
    expect(recovered.flat()).toHaveLength(1);
    expect(world.tree()).toEqual(before);
  });

  it("keeps a journal that it cannot use, and says why", async () => {
    const world = createWorld();
    await crashAfter(world, 2);
    const { path } = listJournals(world.stateFolder)[0]!;
    const bytes = readFileSync(path);
    for (const [broken, why] of [
      [bytes.subarray(0, -1), "damaged"],
      [bytes.subarray(0, 40), ""],
      ["{}\n", "another version"],
      ['{"version":2,"files":[]}\n', "another version"],
    ] as const) {
      writeFileSync(path, broken);
      expect(await recoverJournals(world.stateFolder)).toMatchObject([
        { outcome: "postponed", why: expect.stringContaining(why) },
      ]);
    }
    expect(listJournals(world.stateFolder)).toHaveLength(1);
    expect(world.tree()["a.txt"]).toBe("A");
    rmSync(join(world.stateFolder, "journals"), { recursive: true });
    await crashAfter(world, 0);
    rmSync(world.root, { recursive: true });
    expect(await recoverJournals(world.stateFolder)).toMatchObject([
      { outcome: "postponed", why: expect.stringContaining("cannot be used") },
    ]);
  });

  it("drops a journal that was never finished: nothing had been changed", async () => {
    const world = createWorld();
    mkdirSync(join(world.stateFolder, "journals"), { recursive: true, mode: 0o700 });
    const [pid, start, , place] = thisOwner().split("-");
    writeFileSync(
      join(world.stateFolder, "journals", `${newJournalId()}.writing.${pid}-${start}-earlier-${place}`),
      "{ha",
    );
    expect(await recoverJournals(world.stateFolder)).toMatchObject([{ outcome: "never-began" }]);
    expect(readdirSync(join(world.stateFolder, "journals"))).toEqual([]);
  });

  it("writes only inside of the roots that the change had, never through a link that came since", async () => {
    const world = createWorld();
    await crashAfter(world, 3);
    const outside = join(dirname(world.root), "outside");
    mkdirSync(outside);
    rmSync(join(world.root, "a.txt"));
    writeFileSync(join(outside, "a.txt"), "A");
    symlinkSync(join(outside, "a.txt"), join(world.root, "a.txt"));
    const [recovery] = await recoverJournals(world.stateFolder);
    expect(recovery?.left).toEqual([join(world.root, "a.txt")]);
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("A");
  });
});

describe("the journal", () => {
  it("lies in a folder that only its owner can enter, and is refused one of somebody else's making", async () => {
    const world = createWorld();
    mkdirSync(join(world.stateFolder, "journals"), { recursive: true, mode: 0o755 });
    const journal = openJournal(world.stateFolder, recordOf(world));
    expect(statSync(join(world.stateFolder, "journals")).mode & 0o777).toBe(0o700);
    const [name] = readdirSync(join(world.stateFolder, "journals"));
    expect(statSync(join(world.stateFolder, "journals", name!)).mode & 0o777).toBe(0o600);
    journal.close();
    rmSync(join(world.stateFolder, "journals"), { recursive: true });
    symlinkSync(world.root, join(world.stateFolder, "journals"));
    expect(() => openJournal(world.stateFolder, recordOf(world))).toThrow(/not a directory/);
    expect(() => openJournal("relative", recordOf(world))).toThrow(/absolute/);
  });

  it("belongs to one process: not to another with its number, nor to one that cannot be seen from here", () => {
    const own = thisOwner();
    const [pid, start, boot, place] = own.split("-") as [string, string, string, string];
    expect(isDead(own, 1e9)).toBe(false);
    expect(isDead([pid, "1", boot, place].join("-"), 0)).toBe(true);
    expect(isDead(["4194304", start, boot, place].join("-"), 0)).toBe(true);
    expect(isDead([pid, start, "otherboot", place].join("-"), 0)).toBe(true);
    for (const unseen of [nobody, "what"])
      expect([isDead(unseen, 0), isDead(unseen, 1e9)]).toEqual([false, true]);
  });
});
