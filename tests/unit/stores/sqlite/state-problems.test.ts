import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGate, defineTool, openStore } from "../../../../src/index.ts";
import { explainOldSqlite } from "../../../../src/safe/files/sqlite-version.ts";
import { createSqliteLedger } from "../../../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { openSqlite } from "../../../../src/stores/sqlite/open-sqlite.ts";
import { toStoreError } from "../../../../src/stores/sqlite/store-error.ts";
import { record } from "../../../contract/ledger.ts";
import { mountDisk, openStoreIn, temporaryFolder } from "./temporary-store.ts";

const fileIn = (folder: string) => join(folder, "toolgate.sqlite");

/** The calls whose intents a journal of this folder holds. */
function begunInJournal(folder: string): string[] {
  const journal = join(folder, "journal");
  const lines = readdirSync(journal).flatMap((name) => readFileSync(join(journal, name), "utf8").split("\n"));
  return lines.flatMap((line) => /^i\t.*?"callId":"([^"]+)"/.exec(line)?.[1] ?? []);
}

describe("a store that cannot be used is refused with what to do", () => {
  it("when the file is no database", async () => {
    const folder = temporaryFolder();
    writeFileSync(fileIn(folder), "not a database, but long enough to be taken for one".repeat(100));
    await expect(openSqlite({ stateFolder: folder })).rejects.toMatchObject({
      problem: "corrupt",
      message: expect.stringContaining("is damaged. Move it away"),
    });
  });

  it("when a newer toolgate made it, and it stays as it was", async () => {
    const folder = temporaryFolder();
    await (await openSqlite({ stateFolder: folder })).close();
    const database = new DatabaseSync(fileIn(folder));
    database.exec("PRAGMA user_version = 999");
    database.close();
    await expect(openStore({ stateFolder: folder })).rejects.toMatchObject({
      problem: "newer",
      message: expect.stringMatching(/made by a newer toolgate \(form 999.*update toolgate/),
    });
  });

  it("when it is the database of another program", async () => {
    const folder = temporaryFolder();
    const database = new DatabaseSync(fileIn(folder));
    database.exec("CREATE TABLE theirs (id INTEGER)");
    database.close();
    await expect(openSqlite({ stateFolder: folder })).rejects.toMatchObject({ problem: "foreign" });
  });

  it("when a folder, a link or a pipe is in its place", async () => {
    const [folder, link, pipe] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    mkdirSync(fileIn(folder));
    symlinkSync("/dev/null", fileIn(link));
    expect(spawnSync("mkfifo", [fileIn(pipe)]).status).toBe(0);
    for (const stateFolder of [folder, link, pipe])
      await expect(openSqlite({ stateFolder })).rejects.toMatchObject({ problem: "cannot_open" });
  });

  it("when the disk is full, also where SQLite says only that the disk failed", () => {
    const file = fileIn(temporaryFolder());
    const shmCannotGrow = { errcode: 10 | (19 << 8), message: "disk I/O error" };
    expect(toStoreError(shmCannotGrow, file, () => 4_096)).toMatchObject({
      problem: "full",
      message: expect.stringContaining("is full. Free some space"),
    });
    expect(toStoreError(shmCannotGrow, file, () => 1e9)).toMatchObject({ problem: "failed" });
  });

  it("when its path is not absolute", async () => {
    await expect(openSqlite({ stateFolder: "state" })).rejects.toThrow("absolute path");
  });

  it("when SQLite is too old to be shared", () => {
    expect(explainOldSqlite("The store", "3.51.2")).toContain("use a newer Node");
    for (const version of ["3.51.3", "3.52.0", "4.0.0"])
      expect(explainOldSqlite("The store", version)).toBeUndefined();
  });
});

/** A tool whose runs are counted. */
async function gateWith(store: Parameters<typeof createGate>[0] & object) {
  let runs = 0;
  const run = () => `run ${++runs}`;
  const input = { type: "object" } as const;
  const gate = await createGate({
    ...store,
    tools: [
      defineTool({ id: "x.write", description: "Writes.", permission: "write", input, run }),
      defineTool({ id: "x.read", description: "Reads.", permission: "read", input, run: () => "read" }),
    ],
    policies: [{ name: "yes", tools: "*", action: "approve" }],
    enable: { enableAll: true },
  });
  onTestFinished(() => gate.close());
  return { gate, runs: () => runs };
}

describe("nothing runs without a record", () => {
  it("when the database may not grow any more", async () => {
    const folder = temporaryFolder();
    const client = await openSqlite({ stateFolder: folder, maxPages: 60 });
    onTestFinished(() => expect(client.close()).rejects.toMatchObject({ problem: "full" }));
    const ledger = createSqliteLedger(client);
    const { gate, runs } = await gateWith({ ledger });
    const input = { text: "x".repeat(2_000) };
    let refused = 0;
    let ok = 0;
    while (refused < 3) {
      const outcome = await gate.dispatch({ tool: "x.write", input });
      if (outcome.ok) ok++;
      else {
        expect(outcome.error).toMatchObject({ code: "ledger_failed", stage: "ledger" });
        expect(outcome.error.message).toContain("is full. Free some space");
        refused++;
      }
    }
    expect(ok).toBeGreaterThan(3);
    // A run whose end no longer fitted was run once; one whose intent fitted neither into the database nor into the journal was not run at all.
    const { entries } = await ledger.query({ kinds: ["intent"] }, { limit: 1_000 });
    expect(runs()).toBe(new Set([...entries.map(({ callId }) => callId), ...begunInJournal(folder)]).size);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it("when the store has stopped working", async () => {
    const store = await openStore({ stateFolder: temporaryFolder() });
    const { gate, runs } = await gateWith({ store });
    expect((await gate.dispatch({ tool: "x.write", input: {} })).ok).toBe(true);
    await store.close();
    for (const tool of ["x.write", "x.read"]) {
      const outcome = await gate.dispatch({ tool, input: {} });
      expect(outcome.ok ? undefined : outcome.error.code).toBe("ledger_failed");
    }
    expect(runs()).toBe(1);
  });

  it("when a page of the database is destroyed: what is readable is verified, the rest is named", async () => {
    const folder = temporaryFolder();
    const client = await openSqlite({ stateFolder: folder });
    const ledger = createSqliteLedger(client);
    const result = "r".repeat(300);
    await Promise.all(
      Array.from({ length: 300 }, (_, index) => ledger.close(record(`c${index}`, { result }))),
    );
    await client.close();
    const bytes = readFileSync(fileIn(folder));
    // A page full of rows (a leaf of a table), not one that holds the tables together.
    const pages = Array.from({ length: bytes.length / 4_096 }, (_, index) => index * 4_096);
    const full = pages.filter((at) => bytes[at] === 0x0d && bytes.subarray(at, at + 4_096).includes(result));
    bytes.fill(0x5a, full[9], (full[9] ?? 0) + 4_096);
    writeFileSync(fileIn(folder), bytes);
    const again = await openStoreIn(folder);
    const { ok, problems } = await createSqliteLedger(again).verify();
    expect(ok).toBe(false);
    expect(problems.map(({ kind }) => kind)).toContain("unreadable");
  });
});

describe("on a disk of its own", () => {
  it("a full disk stops calls that write, and says so", async ({ skip }) => {
    const disk = mountDisk("size=600k");
    if (disk === undefined) return skip("no disk can be mounted here");
    const store = await openStore({ stateFolder: join(disk, "state") });
    onTestFinished(() => expect(store.close()).rejects.toMatchObject({ problem: "full" }));
    const { gate, runs } = await gateWith({ store });
    let outcome = await gate.dispatch({ tool: "x.write", input: {} });
    for (let index = 0; index < 500 && outcome.ok; index++)
      outcome = await gate.dispatch({ tool: "x.write", input: { text: "x".repeat(5_000) } });
    expect(outcome.ok ? "" : outcome.error.message).toContain("is full. Free some space");
    const before = runs();
    await gate.dispatch({ tool: "x.write", input: { text: "x".repeat(5_000) } });
    const { entries } = await store.ledger.query({ kinds: ["intent"] }, { limit: 1_000 });
    // What the database had no room for is in the journal, from where it is taken when there is.
    const begun = new Set([...entries.map(({ callId }) => callId), ...begunInJournal(join(disk, "state"))]);
    expect(runs()).toBe(begun.size);
    expect(before).toBeGreaterThan(1);
  });

  it("a disk that is read-only is refused at once", async ({ skip }) => {
    const disk = mountDisk("size=1m");
    if (disk === undefined) return skip("no disk can be mounted here");
    await (await openSqlite({ stateFolder: disk })).close();
    if (spawnSync("mount", ["-o", "remount,ro", disk]).status !== 0) return skip("it cannot be remounted");
    await expect(openSqlite({ stateFolder: disk })).rejects.toMatchObject({
      problem: "read_only",
      message: expect.stringContaining("Nothing runs without a record"),
    });
    expect(existsSync(fileIn(disk))).toBe(true);
  });
});
