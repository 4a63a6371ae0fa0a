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

/** Changes the database as somebody could who has everything but the key. */
type Attack = (database: DatabaseSync, random: (below: number) => number) => void;

const rowAt = (database: DatabaseSync, seq: number) =>
  database.prepare("SELECT seq, hash, body FROM ledger WHERE seq = ?").get(seq) as unknown as Row;

function changed(body: string, random: (below: number) => number): string {
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

/** Gives every row from here on the hash that it should have, and the head too. */
function recompute(database: DatabaseSync, from: number): void {
  let hash =
    from === 1
      ? String(database.prepare("SELECT cut_hash FROM ledger_head").get()?.cut_hash)
      : rowAt(database, from - 1).hash;
  let last = from - 1;
  const all = database.prepare("SELECT seq, body FROM ledger WHERE seq >= ? ORDER BY seq").all(from);
  for (const { seq, body } of all) {
    last = Number(seq);
    hash = nextHash(hash, last, String(body));
    database.prepare("UPDATE ledger SET hash = ? WHERE seq = ?").run(hash, last);
  }
  database
    .prepare("UPDATE ledger_head SET seq = ?, hash = ?, checkpoint_seq = min(checkpoint_seq, ?)")
    .run(last, hash, last);
}

function renumber(database: DatabaseSync, from: number, by: 1 | -1): void {
  database.prepare("UPDATE ledger SET seq = -seq WHERE seq >= ?").run(from);
  database.prepare("UPDATE ledger SET seq = -seq + ? WHERE seq < 0").run(by);
}

const middle = (random: (below: number) => number) => 2 + random(rows - 2);

const attacks: Readonly<Record<string, Attack>> = {
  "a body is edited": (database, random) => {
    const { seq, body } = rowAt(database, 1 + random(rows));
    database.prepare("UPDATE ledger SET body = ? WHERE seq = ?").run(changed(body, random), seq);
  },
  "a body is edited and its hash made new": (database, random) => {
    const { seq, body } = rowAt(database, middle(random));
    const text = changed(body, random);
    const hash = nextHash(rowAt(database, seq - 1).hash, seq, text);
    database.prepare("UPDATE ledger SET body = ?, hash = ? WHERE seq = ?").run(text, hash, seq);
  },
  "a body is edited and all hashes made new": (database, random) => {
    const { seq, body } = rowAt(database, 1 + random(rows));
    database.prepare("UPDATE ledger SET body = ? WHERE seq = ?").run(changed(body, random), seq);
    recompute(database, seq);
  },
  "a column is edited, so that queries lie": (database, random) => {
    const columns = [
      "kind = 'note'",
      "at = at + 1",
      "recorded_at = recorded_at + 1",
      "call_id = 'x'",
      "tool = 'y'",
      "caller = NULL",
      "session_id = 'u'",
      "verdict = 'ask'",
      "code = 'z'",
      "duration_ms = 77",
    ];
    database
      .prepare(`UPDATE ledger SET ${columns[random(columns.length)]} WHERE seq = ?`)
      .run(1 + random(rows));
  },
  "a row in the middle is deleted": (database, random) => {
    database.prepare("DELETE FROM ledger WHERE seq = ?").run(middle(random));
  },
  "a row in the middle is deleted, the rest renumbered and all hashes made new": (database, random) => {
    const seq = middle(random);
    database.prepare("DELETE FROM ledger WHERE seq = ?").run(seq);
    renumber(database, seq + 1, -1);
    recompute(database, seq);
  },
  "the end is deleted": (database, random) => {
    database.prepare("DELETE FROM ledger WHERE seq > ?").run(rows - 1 - random(rows - 1));
  },
  "the end is deleted and the head moved back": (database, random) => {
    const left = rows - 1 - random(rows - 1);
    database.prepare("DELETE FROM ledger WHERE seq > ?").run(left);
    recompute(database, left);
  },
  "the end is replaced by as many other rows": (database, random) => {
    const left = rows - 1 - random(20);
    for (let seq = left + 1; seq <= rows; seq++)
      database
        .prepare("UPDATE ledger SET body = (SELECT body FROM ledger WHERE seq = 1) WHERE seq = ?")
        .run(seq);
    recompute(database, left + 1);
  },
  "two rows change places": (database, random) => {
    const one = 1 + random(rows - 1);
    database.prepare("UPDATE ledger SET seq = -1 WHERE seq = ?").run(one);
    database.prepare("UPDATE ledger SET seq = ? WHERE seq = ?").run(one, one + 1);
    database.prepare("UPDATE ledger SET seq = ? WHERE seq = -1").run(one + 1);
  },
  "two rows change places and all hashes are made new": (database, random) => {
    const one = 1 + random(rows - 1);
    database.prepare("UPDATE ledger SET seq = -1 WHERE seq = ?").run(one);
    database.prepare("UPDATE ledger SET seq = ? WHERE seq = ?").run(one, one + 1);
    database.prepare("UPDATE ledger SET seq = ? WHERE seq = -1").run(one + 1);
    recompute(database, one);
  },
  "a row is inserted and all hashes made new": (database, random) => {
    const seq = middle(random);
    renumber(database, seq, 1);
    database
      .prepare(
        "INSERT INTO ledger SELECT ?, hash, body, kind, at, recorded_at, call_id, tool, caller, session_id, verdict, code, duration_ms FROM ledger WHERE seq = ?",
      )
      .run(seq, seq + 1);
    recompute(database, seq);
  },
  "a row is added behind the head": (database) => {
    database
      .prepare(
        "INSERT INTO ledger SELECT ?, hash, body, kind, at, recorded_at, call_id, tool, caller, session_id, verdict, code, duration_ms FROM ledger WHERE seq = ?",
      )
      .run(rows + 1, rows);
  },
  "the front is deleted as if by retention": (database, random) => {
    const seq = middle(random);
    database.prepare("UPDATE ledger_head SET cut_seq = ?, cut_hash = ?").run(seq, rowAt(database, seq).hash);
    database.prepare("DELETE FROM ledger WHERE seq <= ?").run(seq);
  },
  "everything is deleted and the ledger begins anew": (database) => {
    database.exec("DELETE FROM ledger");
    database.exec("UPDATE ledger_head SET seq = 0, hash = cut_hash, checkpoint_seq = 0");
  },
  "the ledger gets another name": (database) => {
    database.exec("UPDATE ledger_head SET ledger_id = 'other'");
  },
};

describe("rows of a signed ledger", () => {
  it(`show each of ${mutations} changes of every kind`, async () => {
    const folder = join(base, "attacked");
    cpSync(good, folder, { recursive: true });
    const client = await openSqlite({ stateFolder: folder });
    const ledger = createSqliteLedger(client);
    const database = new DatabaseSync(join(folder, "toolgate.sqlite"), { timeout: 5_000 });
    database.exec(`ATTACH '${join(good, "toolgate.sqlite")}' AS good`);
    const random = createRandom(7);
    const names = Object.keys(attacks);
    const missed: string[] = [];
    expect((await ledger.verify()).problems).toEqual([]);
    for (let index = 0; index < mutations; index++) {
      const name = names[index % names.length] as string;
      database.exec("BEGIN IMMEDIATE");
      (attacks[name] as Attack)(database, random);
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
    "a checkpoint says something else": (folder) =>
      write(
        folder,
        lines(folder).map((line) => line.replace(/"seq":\d+/, '"seq":1')),
      ),
    "a checkpoint is signed by another key": (folder) => {
      const { privateKey } = generateKeyPairSync("ed25519");
      const { signature: _, v: __, ...statement } = JSON.parse(lines(folder).at(-1) ?? "");
      write(folder, [...lines(folder).slice(0, -1), signCheckpoint(statement, privateKey)]);
    },
    "the public key is another one": (folder) => {
      const { publicKey } = generateKeyPairSync("ed25519");
      writeFileSync(
        join(folder, "keys", "ledger.pub.pem"),
        publicKey.export({ type: "spki", format: "pem" }),
      );
    },
    "the key that signs is unusable, so that nothing is signed any more": (folder) =>
      writeFileSync(join(folder, "keys", "ledger.pem"), "x"),
    "the keys are deleted": (folder) => rmSync(join(folder, "keys"), { recursive: true }),
  };

  for (const [name, attack] of Object.entries(fileAttacks)) {
    it(`show that ${name}`, async () => {
      const folder = mkdtempSync(join(base, "file-"));
      cpSync(good, folder, { recursive: true });
      await attack(folder);
      expect(await verifies(folder)).toBe("no");
    });
  }

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
