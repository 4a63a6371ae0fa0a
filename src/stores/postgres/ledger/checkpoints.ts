/**
 * Signs the head from time to time: in a table that all machines share, and in a file on each machine's disk. Whoever
 * changes the database, its checkpoints, or puts an older copy back, is found out by the files.
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../../../safe/files/file-lock.ts";
import { type Checkpoint, hashLine, signCheckpoint } from "../../ledger/checkpoint.ts";
import { checkpointsFile, readCheckpointLines, signingKey } from "../../ledger/checkpoints-file.ts";
import type { PostgresContext } from "../context.ts";
import type { Statements } from "../database.ts";
import { type Head, readHead } from "./head.ts";

/** Where this machine keeps its key and its copy; a ledger of SQLite in the same state folder has its own. */
export function sealFolder(stateFolder: string): string {
  return join(stateFolder, "postgres");
}

export interface KeyToNote {
  readonly pem: string;
}

/** `noteKey`: the chain says which keys sign. Called in the transaction in which a key is first used. */
export class Checkpoints {
  readonly #context: PostgresContext;
  readonly #folder: string;
  readonly #noteKey: (tx: Statements, key: KeyToNote) => Promise<void>;
  #copying: Promise<void> = Promise.resolve();
  #key: KeyObject | undefined;

  constructor(context: PostgresContext, noteKey: (tx: Statements, key: KeyToNote) => Promise<void>) {
    this.#context = context;
    this.#folder = sealFolder(context.stateFolder);
    this.#noteKey = noteKey;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Of several processes that want to, one does. */
  async sign(): Promise<void> {
    const { db, bells } = this.#context;
    await this.#registerKey();
    const isNew = await db.transaction(async (tx) => {
      const head = await readHead(tx);
      const [last] = await tx.query(lastCheckpoint);
      if (head.seq === 0 || Number(last?.seq ?? 0) >= head.seq) return false;
      const { seq, hash } = head;
      await this.add(tx, head, { kind: "checkpoint", seq, hash });
      return true;
    }, "checkpoint");
    await this.copy();
    if (isNew) bells.ring("checkpoint");
  }

  /** In a transaction that holds the lock of checkpoints. */
  async add(
    tx: Statements,
    { ledgerId }: Pick<Head, "ledgerId">,
    told: Pick<Checkpoint, "kind" | "seq" | "hash">,
  ): Promise<void> {
    const [last] = await tx.query(lastLine);
    const before = last === undefined ? "" : hashLine(String(last.line));
    const at = this.#context.clock.now();
    const line = signCheckpoint({ ...told, ledger: ledgerId, at, before }, await this.#signingKey());
    await tx.run(
      "INSERT INTO toolgate.ledger_checkpoints (kind, seq, hash, line_hash, line) VALUES ($1, $2, $3, $4, $5)",
      [told.kind, told.seq, told.hash, hashLine(line), line],
    );
  }

  /** Brings what is new to this machine's file. What the file has and the table has not is for verification. */
  copy(): Promise<void> {
    this.#copying = this.#copying.then(() => this.#copy()).catch(() => {});
    return this.#copying;
  }

  lines(): string[] {
    return readCheckpointLines(this.#folder);
  }

  get file(): string {
    return checkpointsFile(this.#folder);
  }

  async #copy(): Promise<void> {
    const last = this.lines().at(-1);
    const rows = await this.#context.db.look(
      `SELECT line FROM toolgate.ledger_checkpoints WHERE number >
         ${last === undefined ? "0 AND $1::text IS NULL" : "(SELECT number FROM toolgate.ledger_checkpoints WHERE line_hash = $1)"}
       ORDER BY number`,
      [last === undefined ? null : hashLine(last)],
    );
    if (rows.length === 0) return;
    await withFileLock(`${this.file}.lock`, () => {
      // Another process of this machine may have been faster.
      const there = new Set(this.lines());
      const added = rows.map((row) => String(row.line)).filter((line) => !there.has(line));
      if (added.length > 0) appendFileSync(this.file, `${added.join("\n")}\n`, { mode: 0o600 });
    });
  }

  /** Made once by one of the processes that share the state folder. */
  async #signingKey(): Promise<KeyObject> {
    this.#key ??= await withFileLock(join(this.#folder, "keys.lock"), () => signingKey(this.#folder));
    return this.#key;
  }

  async #registerKey(): Promise<void> {
    const { db, place } = this.#context;
    const pem = String(createPublicKey(await this.#signingKey()).export({ type: "spki", format: "pem" }));
    const [known] = await db.look("SELECT 1 AS one FROM toolgate.ledger_keys WHERE pem = $1", [pem]);
    if (known !== undefined) return;
    await db.transaction(async (tx) => {
      const added = await tx.run("INSERT INTO toolgate.ledger_keys VALUES ($1, $2) ON CONFLICT DO NOTHING", [
        pem,
        place,
      ]);
      if (added > 0) await this.#noteKey(tx, { pem });
    });
  }
}

const lastLine = "SELECT line FROM toolgate.ledger_checkpoints ORDER BY number DESC LIMIT 1";
const lastCheckpoint =
  "SELECT seq FROM toolgate.ledger_checkpoints WHERE kind = 'checkpoint' ORDER BY number DESC LIMIT 1";

export async function lastSigned(db: Statements): Promise<number> {
  const [row] = await db.query(lastCheckpoint);
  return Number(row?.seq ?? 0);
}
