import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore, type Store, verifyExport } from "../../src/open/open-store.ts";
import { checkpointsFile } from "../../src/stores/ledger/checkpoints-file.ts";
import { sealFolder } from "../../src/stores/postgres/ledger/checkpoints.ts";
import { intent, record } from "../contract/samples.ts";
import { describePostgres } from "./describe-postgres.ts";
import { linesOf } from "./lines-of.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { createDatabase } from "./start-postgres.ts";

const rows = 120;
const unlocked = "SET session_replication_role = replica;";

/** What somebody with all rights on the database, and none on the machines' disks, could do. */
const tamperings: readonly (readonly [what: string, sql: (at: number) => string])[] = [
  [
    "changes a body",
    (at) => `UPDATE toolgate.ledger SET body = replace(body, '"n":1', '"n":2') WHERE seq = ${at}`,
  ],
  [
    "changes a body and its hash",
    (at) =>
      `UPDATE toolgate.ledger SET body = replace(body, '"n":1', '"n":2'), hash = encode(sha256('\\x00'::bytea || convert_to(replace(body, '"n":1', '"n":2'), 'UTF8')), 'hex') WHERE seq = ${at}`,
  ],
  ["changes a column", (at) => `UPDATE toolgate.ledger SET tool = 'fs.read' WHERE seq = ${at}`],
  [
    "changes the time of a row",
    (at) => `UPDATE toolgate.ledger SET recorded_at = recorded_at - 1000 WHERE seq = ${at}`,
  ],
  ["removes a row", (at) => `DELETE FROM toolgate.ledger WHERE seq = ${at}`],
  [
    "removes a row and moves those after it up",
    (at) =>
      `DELETE FROM toolgate.ledger WHERE seq = ${at}; UPDATE toolgate.ledger SET seq = -seq WHERE seq > ${at}; UPDATE toolgate.ledger SET seq = -seq - 1 WHERE seq < 0`,
  ],
  [
    "swaps two rows",
    (at) =>
      `UPDATE toolgate.ledger SET seq = -1 WHERE seq = ${at}; UPDATE toolgate.ledger SET seq = ${at} WHERE seq = ${at + 1}; UPDATE toolgate.ledger SET seq = ${at + 1} WHERE seq = -1`,
  ],
  [
    "adds a row at the end",
    () =>
      "INSERT INTO toolgate.ledger SELECT seq + 1000, block, hash, body, kind, at, recorded_at FROM toolgate.ledger ORDER BY seq DESC LIMIT 1",
  ],
  [
    "moves a row into another block",
    (at) => `UPDATE toolgate.ledger SET block = block + 1 WHERE seq = ${at}`,
  ],
  [
    "changes the root of a block",
    (at) =>
      `UPDATE toolgate.ledger_block SET root = repeat('0', 64) WHERE ${at} BETWEEN first_seq AND first_seq + rows - 1`,
  ],
  [
    "changes the time of a block",
    (at) =>
      `UPDATE toolgate.ledger_block SET at = at + 1 WHERE ${at} BETWEEN first_seq AND first_seq + rows - 1`,
  ],
  [
    "says that another process wrote a block",
    (at) =>
      `UPDATE toolgate.ledger_block SET writer = 'me' WHERE ${at} BETWEEN first_seq AND first_seq + rows - 1`,
  ],
  [
    "changes the hash of a block",
    (at) =>
      `UPDATE toolgate.ledger_block SET hash = repeat('1', 64) WHERE ${at} BETWEEN first_seq AND first_seq + rows - 1`,
  ],
  [
    "removes a block with its rows",
    (at) =>
      `DELETE FROM toolgate.ledger USING toolgate.ledger_block b WHERE seq BETWEEN b.first_seq AND b.first_seq + b.rows - 1 AND ${at} BETWEEN b.first_seq AND b.first_seq + b.rows - 1; DELETE FROM toolgate.ledger_block WHERE ${at} BETWEEN first_seq AND first_seq + rows - 1`,
  ],
  [
    "adds a block",
    () =>
      "INSERT INTO toolgate.ledger_block SELECT block + 1, first_seq + rows, 1, root, hash, repeat('2', 64), at, 'me', 1 FROM toolgate.ledger_block ORDER BY block DESC LIMIT 1",
  ],
  ["moves the head back", (at) => `UPDATE toolgate.ledger_head SET seq = ${at}`],
  ["changes the hash of the head", () => "UPDATE toolgate.ledger_head SET hash = repeat('3', 64)"],
  ["gives the ledger another id", () => "UPDATE toolgate.ledger_head SET ledger_id = 'another'"],
  [
    "cuts the front without a note",
    (at) => `DELETE FROM toolgate.ledger WHERE seq <= ${at}; UPDATE toolgate.ledger_head SET cut_seq = ${at}`,
  ],
  ["cuts the end, and moves the head there", (at) => cutEnd(at)],
  [
    "cuts the end with its checkpoints",
    (at) =>
      `${cutEnd(at)}; DELETE FROM toolgate.ledger_checkpoints WHERE seq > (SELECT seq FROM toolgate.ledger_head)`,
  ],
  [
    "cuts the end with all checkpoints and keys",
    (at) => `${cutEnd(at)}; DELETE FROM toolgate.ledger_checkpoints; DELETE FROM toolgate.ledger_keys`,
  ],
  [
    "removes a checkpoint",
    () =>
      "DELETE FROM toolgate.ledger_checkpoints WHERE number = (SELECT max(number) - 1 FROM toolgate.ledger_checkpoints)",
  ],
  [
    "removes the last checkpoint",
    () =>
      "DELETE FROM toolgate.ledger_checkpoints WHERE number = (SELECT max(number) FROM toolgate.ledger_checkpoints)",
  ],
  [
    "changes a checkpoint",
    () => "UPDATE toolgate.ledger_checkpoints SET line = replace(line, '\"seq\":', '\"seq\":1')",
  ],
  ["adds a key of their own", () => `INSERT INTO toolgate.ledger_keys VALUES ('${anotherKey}', 'x')`],
  ["removes the keys", () => "DELETE FROM toolgate.ledger_keys"],
  ["puts an older copy of all tables back", () => putBack(...tables)],
  ["puts an older copy of all rows and blocks back", () => putBack("ledger", "ledger_block", "ledger_head")],
  ["puts an older head back", () => putBack("ledger_head")],
  ["puts older checkpoints back", () => putBack("ledger_checkpoints", "ledger_keys")],
  [
    "empties everything",
    () =>
      "TRUNCATE toolgate.ledger, toolgate.ledger_block, toolgate.ledger_checkpoints; UPDATE toolgate.ledger_head SET seq = 0, block = 0, hash = cut_hash",
  ],
];

/** As a copy of the database had them when a quarter of the rows was there. */
function putBack(...names: readonly string[]): string {
  return names
    .map((name) => {
      const numbered = name === "ledger_checkpoints" ? "OVERRIDING SYSTEM VALUE " : "";
      return `DELETE FROM toolgate.${name}; INSERT INTO toolgate.${name} ${numbered}SELECT * FROM older.${name}`;
    })
    .join("; ");
}

/** All as if the rows after this block had never been. */
function cutEnd(at: number): string {
  return `UPDATE toolgate.ledger_head h SET block = b.block, seq = b.first_seq + b.rows - 1, prev = b.prev, hash = b.hash, recorded_at = b.at
      FROM toolgate.ledger_block b WHERE ${at} BETWEEN b.first_seq AND b.first_seq + b.rows - 1;
    DELETE FROM toolgate.ledger WHERE seq > (SELECT seq FROM toolgate.ledger_head);
    DELETE FROM toolgate.ledger_block WHERE block > (SELECT block FROM toolgate.ledger_head)`;
}

const anotherKey = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
`;

describePostgres("a ledger in PostgreSQL", () => {
  let client: pg.Client;
  let store: Store;
  const folder = scratchFolder();
  const sealed = checkpointsFile(sealFolder(folder));
  beforeAll(async () => {
    const url = await createDatabase();
    client = new pg.Client({ connectionString: url });
    await client.connect();
    store = await openStore({ stateFolder: folder, postgres: { url } });
    for (let n = 0; n < rows / 4; n++) {
      await Promise.all([store.ledger.open(intent(`a${n}`)), store.ledger.open(intent(`b${n}`))]);
      await Promise.all([store.ledger.close(record(`a${n}`)), store.ledger.close(record(`b${n}`))]);
      if (n % 10 === 9) await store.ledger.checkpoint();
      if (n === 12) await copyTables("older");
    }
    await store.ledger.checkpoint();
    await copyTables("kept");
    copyFileSync(sealed, `${sealed}.kept`);
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await client.end();
  });

  async function copyTables(schema: string): Promise<void> {
    await client.query(`CREATE SCHEMA ${schema}`);
    for (const table of tables)
      await client.query(`CREATE TABLE ${schema}.${table} AS TABLE toolgate.${table}`);
  }

  /** Triggers stop those who only make a mistake; whoever owns the tables switches them off. */
  async function whileTampered<Result>(sql: string, look: () => Promise<Result>): Promise<Result> {
    try {
      await client.query(`${unlocked} ${sql}`);
      return await look();
    } finally {
      for (const table of tables) {
        await client.query(`${unlocked} DELETE FROM toolgate.${table}`);
        await client.query(
          `${unlocked} INSERT INTO toolgate.${table} ${table === "ledger_checkpoints" ? "OVERRIDING SYSTEM VALUE " : ""}SELECT * FROM kept.${table}`,
        );
      }
      copyFileSync(`${sealed}.kept`, sealed);
    }
  }

  it("is verified where nobody did anything, and so is its export", async () => {
    expect(await store.ledger.verify()).toMatchObject({ ok: true, problems: [] });
    const lines = await linesOf(store.ledger.export());
    expect(await verifyExport(lines)).toMatchObject({ ok: true, problems: [] });
    for (const [index, line] of lines.entries()) {
      if (index % 9 !== 0) continue;
      const changed = lines.with(
        index,
        line.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
      );
      expect((await verifyExport(changed)).ok, line.slice(0, 80)).toBe(false);
      expect((await verifyExport(lines.toSpliced(index, 1))).ok, line.slice(0, 80)).toBe(false);
    }
  });

  it("cannot be changed by a mistake", async () => {
    await client.query("SET session_replication_role = origin");
    for (const sql of ["UPDATE toolgate.ledger SET tool = 'x'", "DELETE FROM toolgate.ledger_block"])
      await expect(client.query(sql)).rejects.toThrow("never changed or removed");
  });

  it.for(tamperings)("says so when somebody %s", async ([what, sql]) => {
    for (const at of [1, 7, 30, 55, 71, 89, 104, 119]) {
      const found = await whileTampered(sql(at), () => store.ledger.verify());
      expect(found.ok, `${what} (${at})`).toBe(false);
      expect(found.problems.length).toBeGreaterThan(0);
    }
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });

  it("says so when a machine's own copy of the checkpoints was changed", async () => {
    const text = readFileSync(sealed, "utf8");
    for (const changed of [
      text.replace('"seq":', '"seq":1'),
      text.split("\n").slice(1).join("\n"),
      `x\n${text}`,
    ]) {
      writeFileSync(sealed, changed);
      expect((await store.ledger.verify()).ok).toBe(false);
    }
    copyFileSync(`${sealed}.kept`, sealed);
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });
});

const tables = ["ledger", "ledger_block", "ledger_head", "ledger_checkpoints", "ledger_keys"];
