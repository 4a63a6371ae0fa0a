import { execFile } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { explainOldSqlite } from "../../../../../src/safe/files/sqlite-version.ts";
import { seedDemoSupport } from "../../../../../src/sources/builtin/customer-support/demo-data.ts";
import { openSqliteSupport } from "../../../../../src/sources/builtin/customer-support/sqlite/sqlite-store.ts";
import { supportStoreContract } from "../../../../contract/support-store.ts";
import { temporaryFile } from "./temporary-file.ts";

supportStoreContract("SQLite", async (options) => {
  const store = await openSqliteSupport(temporaryFile(), options);
  onTestFinished(() => store.close());
  return store;
});

describe("the support database", () => {
  it("is there again after it was closed", async () => {
    const file = temporaryFile();
    const first = await openSqliteSupport(file);
    expect(await seedDemoSupport(first)).toEqual({ tenants: 3, users: 5, tickets: 6 });
    await first.updateTicket("all", "tic_dark", 1, { status: "closed" });
    await first.close();
    await first.close();
    await expect(first.ticket("all", "tic_dark")).rejects.toThrow("is closed");
    const second = await openSqliteSupport(file);
    expect(await second.ticket("all", "tic_dark")).toMatchObject({ status: "closed", version: 2 });
    expect(await seedDemoSupport(second)).toEqual({ tenants: 0, users: 0, tickets: 0 });
    await second.close();
  });

  it("is private to its owner, in WAL mode, in a folder that is made for it", async () => {
    const file = join(temporaryFile("deep"), "er", "support.sqlite");
    const store = await openSqliteSupport(file);
    await seedDemoSupport(store);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
    await store.close();
    const database = new DatabaseSync(file);
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    database.close();
  });

  it("is refused when it is something else, damaged, newer, a folder or nowhere", async () => {
    const other = temporaryFile();
    const database = new DatabaseSync(other);
    database.exec("CREATE TABLE mine (id)");
    database.close();
    await expect(openSqliteSupport(other)).rejects.toThrow("is a database of something else");

    const text = temporaryFile();
    writeFileSync(text, "This is no database, it is a long enough text to be sure of that. ".repeat(20));
    await expect(openSqliteSupport(text)).rejects.toThrow("cannot be used: file is not a database");

    const newer = temporaryFile();
    await (await openSqliteSupport(newer)).close();
    const raised = new DatabaseSync(newer);
    raised.exec("PRAGMA user_version = 99");
    raised.close();
    await expect(openSqliteSupport(newer)).rejects.toThrow("made by a newer toolgate (form 99");

    const folder = temporaryFile("folder");
    mkdirSync(folder);
    await expect(openSqliteSupport(folder)).rejects.toThrow("cannot be made");
    await expect(openSqliteSupport("relative.sqlite")).rejects.toThrow("absolute path");
  });

  it("says which SQLite it needs where Node has an older one", () => {
    for (const version of ["3.51.3", "3.51.4", "3.52.0", "4.0.0"])
      expect(explainOldSqlite("The support database", version)).toBeUndefined();
    for (const version of ["3.51.2", "3.50.9", "3.9.99", "2.99.99", "3.51", ""])
      expect(explainOldSqlite("The support database", version)).toContain("needs SQLite 3.51.3 or newer");
  });

  it("says when another process holds it for too long, and changes nothing", async () => {
    const file = temporaryFile();
    const store = await openSqliteSupport(file);
    await seedDemoSupport(store);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.updateTicket("all", "tic_dark", 1, { status: "closed" })).rejects.toThrow(
      "busy: another",
    );
    expect(await store.ticket("all", "tic_dark")).toMatchObject({ version: 1 });
    other.exec("ROLLBACK");
    other.close();
    expect(await store.updateTicket("all", "tic_dark", 1, { status: "closed" })).toMatchObject({ ok: true });
    await store.close();
  });

  it("is opened, filled and changed by three processes at once without a lost or double change", async () => {
    const file = temporaryFile();
    const child = join(import.meta.dirname, "open-in-child.mjs");
    const run = () => promisify(execFile)(process.execPath, ["--no-warnings", child, file, "15"]);
    const ends = await Promise.all([run(), run(), run()]);
    expect(ends.map(({ stdout }) => JSON.parse(stdout).done)).toEqual([15, 15, 15]);
    const store = await openSqliteSupport(file);
    expect(await store.ticket("all", "tic_login")).toMatchObject({ version: 46, commentCount: 45 });
    expect((await store.tickets("all", {}, { limit: 100 })).items).toHaveLength(6);
    await store.close();
  });
});
