import { spawn } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { LedgerEntry } from "../../../../src/core/ports/ledger-reader.ts";
import type { LedgerIntent, LedgerRecord } from "../../../../src/core/ports/ports.ts";
import type { StoreLedger } from "../../../../src/core/ports/store.ts";
import { verifyExport } from "../../../../src/stores/anchors/verify-export.ts";
import type { ledgerArea } from "../../../../src/stores/sqlite/ledger/ledger-area.ts";
import { createSqliteLedger } from "../../../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { openSqlite } from "../../../../src/stores/sqlite/open-sqlite.ts";
import { intent, ledgerContract, type ReadableLedger, record } from "../../../contract/ledger.ts";
import { openStoreIn, sharedStore, temporaryFolder } from "./temporary-store.ts";

async function openLedger(folder = temporaryFolder()): Promise<StoreLedger> {
  return createSqliteLedger(await openStoreIn(folder), { waitForCommit: true });
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const callIds = (entries: readonly LedgerEntry[]) => entries.map(({ callId }) => callId);

/** As the contract wants it: with the fields that had no value. */
function readable(ledger: StoreLedger): ReadableLedger {
  const back = <Shape extends object>(entries: readonly LedgerEntry[], shape: Shape): Shape[] =>
    entries.map(
      ({ body }) => Object.fromEntries(Object.keys(shape).map((key) => [key, body[key]])) as unknown as Shape,
    );
  return {
    open: (one) => ledger.open(one),
    close: (one) => ledger.close(one),
    records: async (): Promise<LedgerRecord[]> =>
      back((await ledger.query({}, { order: "oldest" })).entries, record("")),
    intents: async (): Promise<LedgerIntent[]> => back(await ledger.running(), intent("")),
  };
}

const shared = sharedStore(["ledger", "ledger_writers"]);

ledgerContract("SQLite", async () => {
  const client = shared();
  const database = new DatabaseSync(client.file);
  database.exec("UPDATE ledger_head SET seq = 0, hash = cut_hash");
  database.exec(`INSERT INTO ledger_writers (process_id, open_from_seq) VALUES ('${client.processId}', 1)`);
  database.close();
  return readable(createSqliteLedger(client, { waitForCommit: true }));
});
ledgerContract("SQLite, with a journal", async () =>
  readable(createSqliteLedger(await openStoreIn(temporaryFolder()))),
);

describe("the chain", () => {
  it("has no gaps, is signed, and can be verified", async () => {
    const ledger = await openLedger();
    for (let index = 0; index < 20; index++) await ledger.open(intent(`c${index}`));
    await Promise.all(Array.from({ length: 20 }, (_, index) => ledger.close(record(`c${index}`))));
    const { entries } = await ledger.query({ kinds: ["intent", "completion"] }, { order: "oldest" });
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    await ledger.checkpoint();
    expect(await ledger.verify()).toMatchObject({ ok: true, rows: 40, sealedSeq: 40, checkpoints: 1 });
  });

  it("goes on where another process stopped, and is signed when the store closes and every 1,000 rows", async () => {
    const folder = temporaryFolder();
    const first = await openSqlite({ stateFolder: folder });
    const one = createSqliteLedger(first, { waitForCommit: true });
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => one.close(record(`a${index}`))));
    await one.close(record("last"));
    expect((await one.verify()).sealedSeq).toBeGreaterThanOrEqual(1_000);
    await first.close();
    const ledger = await openLedger(folder);
    expect(await ledger.verify()).toMatchObject({ ok: true, sealedSeq: 1_002 });
    await ledger.close(record("b"));
    expect(await ledger.verify()).toMatchObject({ ok: true, rows: 1_003, sealedSeq: 1_002 });
  });

  it("keeps the public half of a key that is gone, and says what to do", async () => {
    const folder = temporaryFolder();
    const ledger = await openLedger(folder);
    await ledger.close(record("a"));
    await ledger.checkpoint();
    const publicHalf = readFileSync(join(folder, "keys/ledger.pub.pem"), "utf8");
    const secretHalf = readFileSync(join(folder, "keys/ledger.pem"), "utf8");
    rmSync(join(folder, "keys/ledger.pem"));
    await ledger.close(record("b"));
    await expect(ledger.checkpoint()).rejects.toThrow(/ledger\.pem is gone\. Put a copy of it back/);
    expect(readFileSync(join(folder, "keys/ledger.pub.pem"), "utf8")).toBe(publicHalf);
    expect(await ledger.verify()).toMatchObject({
      ok: false,
      rows: 2,
      problems: [{ kind: "key", message: expect.stringContaining("ledger.pem is gone") }],
    });
    writeFileSync(join(folder, "keys/ledger.pem"), secretHalf);
    await ledger.checkpoint();
    expect(await ledger.verify()).toMatchObject({ ok: true, rows: 2, sealedSeq: 2 });
  });

  it("keeps its key, its checkpoints and its database to its owner", async () => {
    const folder = temporaryFolder();
    const ledger = await openLedger(folder);
    await ledger.close(record("a"));
    await ledger.checkpoint();
    const files = ["toolgate.sqlite", "toolgate.sqlite-wal", "checkpoints.jsonl", "keys/ledger.pem"];
    for (const name of files) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(join(folder, "keys")).mode & 0o777).toBe(0o700);
  });

  it("can be exported and verified with the lines alone; a changed line shows", async () => {
    const ledger = await openLedger();
    for (const id of ["a", "b", "c"])
      await ledger.close(record(id, { message: "naïve ☃ \u2028 1e21", durationMs: 1e-7 }));
    await ledger.checkpoint();
    const lines = await collect(ledger.export());
    expect(await verifyExport(lines)).toMatchObject({ ok: true, rows: 3, sealedSeq: 3 });
    const changed = await verifyExport(lines.map((line) => line.replace('"callId":"b"', '"callId":"x"')));
    expect(changed).toMatchObject({ ok: false, problems: [{ kind: "edited", seq: 2 }] });
    const shorter = lines.filter((line) => !line.includes('"callId":"c"'));
    expect((await verifyExport(shorter)).ok).toBe(false);
    const { publicKey } = JSON.parse((await collect((await openLedgerWith("z")).export()))[0] ?? "");
    const foreign = await verifyExport(lines, { publicKey });
    expect(foreign).toMatchObject({ ok: false, problems: [{ kind: "checkpoint" }] });
  });

  async function openLedgerWith(callId: string): Promise<StoreLedger> {
    const ledger = await openLedger();
    await ledger.close(record(callId));
    await ledger.checkpoint();
    return ledger;
  }

  it("stays verifiable when old rows are removed, and only by a signed note", async () => {
    const folder = temporaryFolder();
    const ledger = await openLedger(folder);
    for (let index = 0; index < 5; index++) await ledger.close(record(`old${index}`));
    await sleep(10);
    const time = Date.now();
    for (let index = 0; index < 5; index++) await ledger.close(record(`new${index}`));
    await ledger.open(intent("runs"));
    expect(await ledger.removeBefore(time)).toEqual({ removed: 5, firstSeq: 6 });
    expect(await ledger.verify()).toMatchObject({ ok: true, firstSeq: 6, rows: 7 });
    expect((await ledger.query({ kinds: ["note"] })).entries[0]?.body.message).toContain(
      "Rows 1 to 5 were removed",
    );
    // A call that runs keeps its intent, however old it is.
    expect(await ledger.removeBefore(Date.now() + 1_000)).toMatchObject({ firstSeq: 11 });
    expect(callIds(await ledger.running())).toEqual(["runs"]);
    expect(await ledger.verify()).toMatchObject({ ok: true, firstSeq: 11 });
    const text = readFileSync(join(folder, "checkpoints.jsonl"), "utf8");
    writeFileSync(join(folder, "checkpoints.jsonl"), text.replace('"kind":"cut"', '"kind":"out"'));
    expect((await ledger.verify()).ok).toBe(false);
  });
});

describe("a query", () => {
  it("finds a time among many rows, also where records came in late", async () => {
    const ledger = await openLedger();
    for (let index = 0; index < 50; index++) await ledger.close(record(`old${index}`, { at: 5 }));
    await sleep(10);
    const since = Date.now();
    await ledger.close(record("late", { at: 7 }));
    await ledger.close(record("now", { at: since + 1 }));
    await ledger.close(record("ahead", { at: since + 60_000 }));
    await ledger.close(record("behind", { at: since + 2 }));
    expect(callIds((await ledger.query({ since })).entries)).toEqual(["behind", "ahead", "now"]);
    expect(callIds((await ledger.query({ since: since + 60_000 })).entries)).toEqual(["ahead"]);
    expect(callIds((await ledger.query({ since: 6, until: 8 })).entries)).toEqual(["late"]);
    expect((await ledger.stats({ since })).calls).toBe(3);
  });

  it("finds by time, tool, caller, session, verdict, code and text, page by page", async () => {
    const ledger = await openLedger();
    const alice = { tool: "fs.read", caller: "alice", sessionId: "s1", result: "Zürich 100%" };
    const refused = { tool: "fs.write", verdict: "deny", ok: false, code: "policy_denied" } as const;
    await ledger.close(record("a", { at: 10, ...alice }));
    await ledger.close(record("b", { at: 20, ...refused }));
    await ledger.close(record("c", { at: 30, tool: "git.push", verdict: "ask", message: 'say "hi"' }));
    for (const [filter, expected] of [
      [{}, "cba"],
      [{ since: 20 }, "cb"],
      [{ since: 20, until: 30 }, "b"],
      [{ until: 5 }, ""],
      [{ tool: "fs.*" }, "ba"],
      [{ tool: "fs_read" }, ""],
      [{ tool: "git.push" }, "c"],
      [{ caller: "alice", session: "s1" }, "a"],
      [{ verdict: "deny", code: "policy_denied" }, "b"],
      [{ text: "100%" }, "a"],
      [{ text: "1_0%" }, ""],
      [{ text: 'SAY "HI"' }, "c"],
    ] as const)
      expect([filter, callIds((await ledger.query(filter)).entries).join("")]).toEqual([filter, expected]);
    const first = await ledger.query({}, { limit: 2 });
    expect(callIds(first.entries)).toEqual(["c", "b"]);
    const second = await ledger.query({}, { limit: 2, after: first.next });
    expect(callIds(second.entries)).toEqual(["a"]);
    expect(second.next).toBeUndefined();
    expect(callIds((await ledger.query({}, { order: "oldest", limit: 1 })).entries)).toEqual(["a"]);
    expect(callIds(await ledger.show("b"))).toEqual(["b"]);
    expect(callIds(await ledger.show(1))).toEqual(["a"]);
    expect(await ledger.stats()).toMatchObject({
      calls: 3,
      unknown: 0,
      byVerdict: expect.arrayContaining([{ name: "deny", count: 1 }]),
      byCode: [{ name: "policy_denied", count: 1 }],
      byDay: [{ name: "1970-01-01", count: 3 }],
    });
  });
});

describe("what hooks wrote to the spool", () => {
  const line = (callId: string, more: object = {}) =>
    `${JSON.stringify({ v: 1, event: "check", agent: "claude-code", ...record(callId), kind: "check", ...more })}\n`;

  it("is taken in exactly once, by however many processes, and a line that is being written waits", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "spool", `${new Date().toISOString().slice(0, 10)}.jsonl`);
    mkdirSync(join(folder, "spool"));
    const lines = Array.from({ length: 2_000 }, (_, index) => line(`h${index}`));
    const torn = line("torn");
    writeFileSync(file, lines.join("") + torn.slice(0, 50));
    const ledgers = [await openLedger(folder), await openLedger(folder), await openLedger(folder)];
    await Promise.all(ledgers.map((ledger) => ledger.takeSpool()));
    const [ledger] = ledgers as [StoreLedger];
    expect((await ledger.stats()).calls).toBe(2_000);
    const end = JSON.stringify({ v: 1, event: "end", askedFor: "Bash", ok: true });
    appendFileSync(file, `${torn.slice(50)}not JSON\n${end}\n`);
    await Promise.all(ledgers.map((one) => one.takeSpool()));
    expect((await ledger.stats()).calls).toBe(2_001);
    expect((await ledger.query({ kinds: ["end"] })).entries).toHaveLength(1);
    expect((await ledger.query({ kinds: ["note"] })).entries[0]?.body.message).toContain("could not be read");
    const [kept = ""] = readdirSync(join(folder, "aside"));
    expect(readFileSync(join(folder, "aside", kept), "utf8")).toBe("not JSON\n");
    expect(await ledger.verify()).toMatchObject({
      ok: false,
      problems: [{ kind: "rejected", message: expect.stringContaining(`aside/${kept} holds 9 bytes`) }],
    });
    rmSync(join(folder, "aside"), { recursive: true });
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });

  it("is removed two days later, when it is whole in the ledger and the rest is kept aside", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "spool"));
    writeFileSync(join(folder, "spool/2026-01-01.jsonl"), line("a"));
    writeFileSync(join(folder, "spool/2026-01-02.jsonl"), `${line("b")}{"v":1`);
    const ledger = await openLedger(folder);
    await ledger.takeSpool();
    expect(readdirSync(join(folder, "spool"))).toEqual([]);
    expect((await ledger.stats()).calls).toBe(2);
    const aside = [expect.stringMatching(/^spool-2026-01-02\.jsonl@\d+$/)];
    expect(readdirSync(join(folder, "aside"))).toEqual(aside);
  });
});

it("what a store was closed upon while it ran reads unknown", async () => {
  const folder = temporaryFolder();
  const client = await openSqlite({ stateFolder: folder });
  await createSqliteLedger(client).open(intent("a"));
  await client.close();
  const ledger = await openLedger(folder);
  expect(await ledger.running()).toEqual([]);
  expect((await ledger.show("a")).map(({ kind }) => kind)).toEqual(["intent", "unknown"]);
  expect((await ledger.verify()).ok).toBe(true);
});

it("one bad operation of a group fails alone", async () => {
  const client = await openStoreIn(temporaryFolder());
  const ledger = createSqliteLedger(client, { waitForCommit: true });
  const good = Array.from({ length: 10 }, (_, index) => ledger.close(record(`a${index}`)));
  const bad = client.area<typeof ledgerArea>("ledger").write("removeBefore", Number.NaN);
  const more = Array.from({ length: 10 }, (_, index) => ledger.close(record(`b${index}`)));
  await expect(bad).rejects.toThrow("milliseconds since the epoch");
  await expect(Promise.all([...good, ...more])).resolves.toHaveLength(20);
  expect(await ledger.verify()).toMatchObject({ ok: true, rows: 20 });
});

describe("the journal of calls that had no intent", () => {
  const files = (folder: string) => readdirSync(join(folder, "journal"));

  it("keeps what was acknowledged when nobody takes it, and the next process does, once", async () => {
    const folder = temporaryFolder();
    const dead = await startAndKill(folder, 100);
    expect(files(folder)).toHaveLength(1);
    const [one, other] = await Promise.all([openLedger(folder), openLedger(folder)]);
    const { entries } = await one.query({}, { limit: 1_000, order: "oldest" });
    expect(callIds(entries)).toEqual(Array.from({ length: 100 }, (_, index) => `j${index}`));
    expect((await other.stats()).calls).toBe(100);
    expect((await one.verify()).ok).toBe(true);
    expect(dead).toBe("SIGKILL");
  });

  it("holds no secrets, is taken within a moment, in order, and goes when the store is closed", async () => {
    const folder = temporaryFolder();
    const client = await openSqlite({ stateFolder: folder });
    const ledger = createSqliteLedger(client);
    expect(ledger.close(record("a", { input: { password: "hunter2-hunter2" } }))).toBeUndefined();
    const [name = ""] = files(folder);
    expect(readFileSync(join(folder, "journal", name), "utf8")).not.toContain("hunter2");
    expect(statSync(join(folder, "journal", name)).mode & 0o777).toBe(0o600);
    for (let index = 0; index < 3_000; index++)
      ledger.close(record(`b${index}`, { result: "r".repeat(400) }));
    await ledger.close(record("long", { result: "long ".repeat(5_000) }));
    expect((await ledger.stats()).calls).toBe(3_002);
    expect(await ledger.verify()).toMatchObject({ ok: true, rows: 3_002 });
    ledger.close(record("last"));
    await client.close();
    expect(files(folder)).toEqual([]);
    expect(() => ledger.close(record("too late"))).toThrow("closed");
    expect(callIds((await (await openLedger(folder)).query({}, { limit: 1 })).entries)).toEqual(["last"]);
  });

  it("is taken exactly once also where a dead process of an older version left several files, and a line longer than what is read at once", async () => {
    const folder = temporaryFolder();
    await startAndKill(folder, 3);
    const [first = ""] = files(folder);
    const line = (callId: string, result = "") => `${JSON.stringify(record(callId, { result }))}\n`;
    const left = (part: number, lines: string) =>
      writeFileSync(join(folder, "journal", first.replace(/\.0\.lines$/, `.${part}.jsonl`)), lines);
    left(1, Array.from({ length: 400 }, (_, index) => line(`k${index}`, "r".repeat(3_000))).join(""));
    left(2, `${line("long", "r".repeat(300_000))}${line("last")}`);
    const ledger = await openLedger(folder);
    expect((await ledger.stats()).calls).toBe(405);
    expect(await ledger.verify()).toMatchObject({ ok: true });
    expect(files(folder)).toHaveLength(1);
  });

  it("is acknowledged only when it can be written", async () => {
    const folder = temporaryFolder();
    const ledger = createSqliteLedger(await openStoreIn(folder));
    writeFileSync(join(folder, "journal"), "in the way");
    expect(() => ledger.close(record("a"))).toThrow();
  });

  /** Writes so many records and dies before anybody could take them. */
  function startAndKill(folder: string, count: number): Promise<NodeJS.Signals | null> {
    const program = `
      import { openSqlite } from ${JSON.stringify(sourceOf("open-sqlite.ts"))};
      import { createSqliteLedger } from ${JSON.stringify(sourceOf("ledger/sqlite-ledger.ts"))};
      const ledger = createSqliteLedger(await openSqlite({ stateFolder: ${JSON.stringify(folder)} }));
      for (let index = 0; index < ${count}; index++) await ledger.close({ ...${JSON.stringify(record(""))}, callId: "j" + index });
      process.kill(process.pid, "SIGKILL");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
    return new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  }
});

function sourceOf(name: string): string {
  return new URL(`../../../../src/stores/sqlite/${name}`, import.meta.url).href;
}
