import { generateKeyPairSync } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageOf } from "../../src/core/call/errors.ts";
import { nextHash } from "../../src/stores/ledger/chain.ts";
import { signCheckpoint } from "../../src/stores/ledger/checkpoint.ts";
import { createSqliteLedger } from "../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { openSqlite, type SqliteClient } from "../../src/stores/sqlite/open-sqlite.ts";
import { intent, record } from "../contract/ledger.ts";

/** A ledger of so many rows, signed to its end. Each attack is made on it, and undone. */
const rows = 200;
const mutations = 200;
const base = mkdtempSync(join(tmpdir(), "toolgate-mutations-"));
const good = join(base, "good");
const older = join(base, "older");

beforeAll(async () => {
  const client = await openSqlite({ stateFolder: good });
  await fill(client, 0, 10);
  await client.close();
  cpSync(good, older, { recursive: true });
  const again = await openSqlite({ stateFolder: good });
  await fill(again, 10, rows / 2 - 10);
  await again.close();
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function fill(client: SqliteClient, from: number, calls: number): Promise<void> {
  const ledger = createSqliteLedger(client);
  await Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      await ledger.open(intent(`c${from + index}`));
      await ledger.close(record(`c${from + index}`, { result: `result ${index}`, durationMs: index / 7 }));
    }),
  );
}

interface Row {
  seq: number;
  hash: string;
  body: string;
}

/** The same every time: an attack that once was not noticed must be found again. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Somebody who has everything but the key. */
interface Attacker {
  set(sql: string, ...values: (string | number)[]): void;
  rowAt(seq: number): Row;
  /** Gives every row from here on the hash that it should have, and the head too. */
  recompute(from: number): void;
  random(below: number): number;
}

function createAttacker(database: DatabaseSync, random: (below: number) => number): Attacker {
  const set = (sql: string, ...values: (string | number)[]) => void database.prepare(sql).run(...values);
  const rowAt = (seq: number) =>
    database.prepare("SELECT seq, hash, body FROM ledger WHERE seq = ?").get(seq) as unknown as Row;
  const recompute = (from: number) => {
    const first = () => String(database.prepare("SELECT cut_hash FROM ledger_head").get()?.cut_hash);
    let hash = from === 1 ? first() : rowAt(from - 1).hash;
    let last = from - 1;
    const all = database.prepare("SELECT seq, body FROM ledger WHERE seq >= ? ORDER BY seq").all(from);
    for (const { seq, body } of all) {
      last = Number(seq);
      hash = nextHash(hash, last, String(body));
      set("UPDATE ledger SET hash = ? WHERE seq = ?", hash, last);
    }
    const head = "UPDATE ledger_head SET seq = ?, hash = ?, checkpoint_seq = min(checkpoint_seq, ?)";
    set(head, last, hash, last);
  };
  return { set, rowAt, recompute, random };
}

function edited(body: string, random: (below: number) => number): string {
  const edits = [
    () => body.replace('"caller":"agent"', '"caller":"other"'),
    () => body.replace(/"at":\d+/, `"at":${2 + random(1_000)}`),
    () => body.replace('"sessionId":"s"', '"sessionId":"t"'),
    () => body.replace('"n":1', '"n":2'),
    () => `${body} `,
  ];
  const made = (edits[random(edits.length)] as () => string)();
  if (made === body) throw new Error("the attack changed nothing");
  return made;
}

function editBody({ set, rowAt, random }: Attacker): number {
  const { seq, body } = rowAt(1 + random(rows));
  set("UPDATE ledger SET body = ? WHERE seq = ?", edited(body, random), seq);
  return seq;
}

function swap({ set, random }: Attacker): number {
  const one = 1 + random(rows - 1);
  set("UPDATE ledger SET seq = -1 WHERE seq = ?", one);
  set("UPDATE ledger SET seq = ? WHERE seq = ?", one, one + 1);
  set("UPDATE ledger SET seq = ? WHERE seq = -1", one + 1);
  return one;
}

function renumber({ set }: Attacker, from: number, by: 1 | -1): void {
  set("UPDATE ledger SET seq = -seq WHERE seq >= ?", from);
  set("UPDATE ledger SET seq = -seq + ? WHERE seq < 0", by);
}

const middle = (random: (below: number) => number) => 2 + random(rows - 2);
const copyRow =
  "INSERT INTO ledger SELECT ?, hash, body, kind, at, recorded_at, call_id, tool, caller, session_id, verdict, code, duration_ms FROM ledger WHERE seq = ?";
const columns = [
  ...["kind = 'note'", "at = at + 1", "recorded_at = recorded_at + 1", "call_id = 'x'", "tool = 'y'"],
  ...["caller = NULL", "session_id = 'u'", "verdict = 'ask'", "code = 'z'", "duration_ms = 77"],
];

const attacks: Readonly<Record<string, (attacker: Attacker) => unknown>> = {
  "a body is edited": editBody,
  "a body is edited and its hash made new": ({ set, rowAt, random }) => {
    const { seq, body } = rowAt(middle(random));
    const text = edited(body, random);
    const hash = nextHash(rowAt(seq - 1).hash, seq, text);
    set("UPDATE ledger SET body = ?, hash = ? WHERE seq = ?", text, hash, seq);
  },
  "a body is edited and all hashes made new": (attacker) => attacker.recompute(editBody(attacker)),
  "a column is edited, so that queries lie": ({ set, random }) =>
    set(`UPDATE ledger SET ${columns[random(columns.length)]} WHERE seq = ?`, 1 + random(rows)),
  "a row in the middle is deleted": ({ set, random }) =>
    set("DELETE FROM ledger WHERE seq = ?", middle(random)),
  "a row in the middle is deleted, the rest renumbered and all hashes made new": (attacker) => {
    const seq = middle(attacker.random);
    attacker.set("DELETE FROM ledger WHERE seq = ?", seq);
    renumber(attacker, seq + 1, -1);
    attacker.recompute(seq);
  },
  "the end is deleted": ({ set, random }) =>
    set("DELETE FROM ledger WHERE seq > ?", rows - 1 - random(rows - 1)),
  "the end is deleted and the head moved back": ({ set, random, recompute }) => {
    const left = rows - 1 - random(rows - 1);
    set("DELETE FROM ledger WHERE seq > ?", left);
    recompute(left);
  },
  "the end is replaced by as many other rows": ({ set, random, recompute }) => {
    const left = rows - 1 - random(20);
    set("UPDATE ledger SET body = (SELECT body FROM ledger WHERE seq = 1) WHERE seq > ?", left);
    recompute(left + 1);
  },
  "two rows change places": swap,
  "two rows change places and all hashes are made new": (attacker) => attacker.recompute(swap(attacker)),
  "a row is inserted and all hashes made new": (attacker) => {
    const seq = middle(attacker.random);
    renumber(attacker, seq, 1);
    attacker.set(copyRow, seq, seq + 1);
    attacker.recompute(seq);
  },
  "a row is added behind the head": ({ set }) => set(copyRow, rows + 1, rows),
  "the front is deleted as if by retention": ({ set, rowAt, random }) => {
    const seq = middle(random);
    set("UPDATE ledger_head SET cut_seq = ?, cut_hash = ?", seq, rowAt(seq).hash);
    set("DELETE FROM ledger WHERE seq <= ?", seq);
  },
  "everything is deleted and the ledger begins anew": ({ set }) => {
    set("DELETE FROM ledger");
    set("UPDATE ledger_head SET seq = 0, hash = cut_hash, checkpoint_seq = 0");
  },
  "the ledger gets another name": ({ set }) => set("UPDATE ledger_head SET ledger_id = 'other'"),
};

describe("rows of a signed ledger", () => {
  it(`show each of ${mutations} changes of every kind`, async () => {
    const folder = join(base, "attacked");
    cpSync(good, folder, { recursive: true });
    const client = await openSqlite({ stateFolder: folder });
    const ledger = createSqliteLedger(client);
    const database = new DatabaseSync(join(folder, "toolgate.sqlite"), { timeout: 5_000 });
    database.exec(`ATTACH '${join(good, "toolgate.sqlite")}' AS good`);
    const attacker = createAttacker(database, createRandom(7));
    const names = Object.keys(attacks);
    const missed: string[] = [];
    expect((await ledger.verify()).problems).toEqual([]);
    for (let index = 0; index < mutations; index++) {
      const name = names[index % names.length] as string;
      database.exec("BEGIN IMMEDIATE");
      attacks[name]?.(attacker);
      database.exec("COMMIT");
      const { ok } = await ledger.verify();
      if (ok) missed.push(`${index}: ${name}`);
      database.exec("BEGIN IMMEDIATE");
      for (const table of ["ledger", "ledger_head"]) {
        database.exec(`DELETE FROM main.${table}`);
        database.exec(`INSERT INTO main.${table} SELECT * FROM good.${table}`);
      }
      database.exec("COMMIT");
    }
    expect(missed).toEqual([]);
    // What finds everything wrong would also find the untouched ledger wrong.
    expect(await ledger.verify()).toMatchObject({ ok: true, rows, sealedSeq: rows });
    database.close();
    await client.close();
  });
});

describe("the files of a signed ledger", () => {
  const lines = (folder: string) =>
    readFileSync(join(folder, "checkpoints.jsonl"), "utf8").trimEnd().split("\n");
  const write = (folder: string, texts: readonly string[]) =>
    writeFileSync(join(folder, "checkpoints.jsonl"), texts.map((text) => `${text}\n`).join(""));
  const database = (folder: string) => join(folder, "toolgate.sqlite");

  const fileAttacks: Readonly<Record<string, (folder: string) => void | Promise<void>>> = {
    "the database is cut off": (folder) =>
      truncateSync(database(folder), Math.floor(statSync(database(folder)).size / 2)),
    "the database is emptied": (folder) => truncateSync(database(folder), 0),
    "the database is deleted": (folder) => rmSync(database(folder)),
    "an older copy of the database is put back": (folder) => copyFileSync(database(older), database(folder)),
    "the database of another ledger is put in its place": async (folder) => {
      const other = await openSqlite({ stateFolder: join(base, "other") });
      await fill(other, 0, rows / 2);
      await other.close();
      copyFileSync(database(join(base, "other")), database(folder));
    },
    "the checkpoints are deleted": (folder) => rmSync(join(folder, "checkpoints.jsonl")),
    "the checkpoints are deleted, and calls go on": async (folder) => {
      rmSync(join(folder, "checkpoints.jsonl"));
      const client = await openSqlite({ stateFolder: folder });
      await fill(client, rows, 2);
      await client.close();
      expect(lines(folder)).toHaveLength(1);
    },
    "the last checkpoint is taken away": (folder) => write(folder, lines(folder).slice(0, -1)),
    "the first checkpoint is taken away": (folder) => write(folder, lines(folder).slice(1)),
    "a checkpoint says something else": (folder) => {
      const changed = lines(folder).map((line) => line.replace(/"seq":\d+/, '"seq":1'));
      write(folder, changed);
    },
    "a checkpoint is signed by another key": (folder) => {
      const { privateKey } = generateKeyPairSync("ed25519");
      const { signature: _, v: __, ...statement } = JSON.parse(lines(folder).at(-1) ?? "");
      write(folder, [...lines(folder).slice(0, -1), signCheckpoint(statement, privateKey)]);
    },
    "the public key is another one": (folder) => {
      const key = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });
      writeFileSync(join(folder, "keys", "ledger.pub.pem"), key);
    },
    "the key that signs is unusable, so that nothing is signed any more": (folder) =>
      writeFileSync(join(folder, "keys", "ledger.pem"), "x"),
    "the keys are deleted": (folder) => rmSync(join(folder, "keys"), { recursive: true }),
  };

  it.for(Object.entries(fileAttacks))("show that %s", async ([, attack]) => {
    const folder = mkdtempSync(join(base, "file-"));
    cpSync(good, folder, { recursive: true });
    await attack(folder);
    expect(await verifies(folder)).toBe("no");
  });

  it("show nothing where nothing was done", async () => {
    expect(await verifies(good)).toBe("yes");
  });

  async function verifies(folder: string): Promise<string> {
    let client: SqliteClient;
    try {
      client = await openSqlite({ stateFolder: folder });
    } catch (error) {
      // A damaged database is not even opened.
      return messageOf(error).includes("damaged") ? "no" : messageOf(error);
    }
    try {
      return (await createSqliteLedger(client).verify()).ok ? "yes" : "no";
    } finally {
      await client.close();
    }
  }
});
