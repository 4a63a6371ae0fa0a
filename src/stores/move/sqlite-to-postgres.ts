/**
 * Moves the records of a state folder into a database: rows keep their numbers and their very text. The chain of the
 * old ledger is computed again over what the database has; only if it ends with the same hash, the move is done. What
 * was interrupted goes on where it stopped. The state folder stays as it is.
 */

import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "../../core/input/json.ts";
import type { LedgerVerification } from "../../core/ports/ledger-reader.ts";
import type { Clock } from "../../core/ports/ports.ts";
import type { PostgresPlace } from "../../core/ports/store.ts";
import { StoreError } from "../../core/ports/store-error.ts";
import { nextHash } from "../ledger/chain.ts";
import { fieldsOf, type LedgerRow } from "../ledger/row.ts";
import type { PostgresContext } from "../postgres/context.ts";
import { appendBlock } from "../postgres/ledger/append-block.ts";
import { Checkpoints } from "../postgres/ledger/checkpoints.ts";
import { type Head, readHead } from "../postgres/ledger/head.ts";
import { createPostgresLedger } from "../postgres/ledger/postgres-ledger.ts";
import { readBlocks } from "../postgres/ledger/read-blocks.ts";
import { closeContext, openContext } from "../postgres/open-context.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { type CopiedParts, copyParts } from "./copy-tables.ts";
import { type LocalHead, LocalLedger } from "./local-ledger.ts";
import { bringPositions } from "./spool-positions.ts";

export interface MovedStore {
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  /** Of those, how many an earlier try had brought. */
  readonly before: number;
  /** The last hash of the old ledger, found again in the database. */
  readonly hash: string;
  readonly parts: CopiedParts;
  readonly verification: LedgerVerification;
}

export interface MoveRequest {
  readonly stateFolder: string;
  readonly to: PostgresPlace;
  readonly clock: Clock;
  readonly onProgress?: (row: number, last: number) => void;
}

const rowsAtOnce = 1_000;
/** What the database is told about the move, so that a second try knows the first. */
const toldName = "store.moved-from";

export async function moveToPostgres(request: MoveRequest): Promise<MovedStore> {
  const { stateFolder, to, onProgress = () => {} } = request;
  await settle(request);
  const { DatabaseSync } = await import("node:sqlite");
  const file = join(stateFolder, "toolgate.sqlite");
  const source = new DatabaseSync(file, { readOnly: true });
  const { context, head } = await openContext(to, { stateFolder });
  const { db } = context;
  try {
    const local = new LocalLedger(source);
    const old = local.head();
    const start = await begin(context, head, old);
    await bringPositions(source, context);
    for (let after = start; after < old.seq; ) {
      after = await copyRows(source, context, { head, old, after });
      onProgress(after, old.seq);
    }
    const parts = await copyParts(source, context);
    const hash = await chainOf(context, old);
    if (hash !== old.hash || local.head().seq !== old.seq)
      throw new StoreError(
        "failed",
        `The rows in ${db.connection.shown} do not end with the hash of ${file}. Nothing was changed there; empty the schema "toolgate" of the database and try again.`,
      );
    const verification = await seal(context, head, old);
    return {
      from: file,
      to: db.connection.shown,
      rows: old.seq - old.cutSeq,
      before: start - old.cutSeq,
      hash,
      parts,
      verification,
    };
  } finally {
    source.close();
    await closeContext(context);
  }
}

/** Takes in what is on its way, and makes sure that what is moved is what was recorded. */
async function settle({ stateFolder, clock }: MoveRequest): Promise<void> {
  await using store = await openSqliteStore({ stateFolder }, clock);
  if ((await store.processes.living()).length > 1)
    throw new StoreError(
      "busy",
      `Another toolgate uses ${store.file}. End it (toolgate serve, toolgate mcp), then try again.`,
    );
  await store.ledger.takeSpool();
  await store.ledger.checkpoint();
  const { ok, problems } = await store.ledger.verify();
  if (ok) return;
  throw new StoreError(
    "corrupt",
    `The ledger is not moved, because it does not verify: ${problems[0]?.message} toolgate audit verify says more.`,
  );
}

/** After which row to go on. */
async function begin(context: PostgresContext, { ledgerId }: Head, old: LocalHead): Promise<number> {
  const { db } = context;
  return db.transaction(async (tx) => {
    const now = await readHead(tx, " FOR UPDATE");
    const [told] = await tx.query("SELECT text FROM toolgate.ledger_told WHERE name = $1", [toldName]);
    if (told === undefined) {
      if (now.seq > 0)
        throw new StoreError(
          "foreign",
          `The database ${db.connection.shown} has a ledger of ${now.seq} rows already. Rows keep their numbers, so only an empty one can take them.`,
        );
      await tx.run("INSERT INTO toolgate.ledger_told VALUES ($1, $2)", [toldName, old.ledgerId]);
      if (old.cutSeq === 0) return 0;
      // Retention has removed the front of the old ledger; this one begins there.
      await tx.run("UPDATE toolgate.ledger_head SET seq = $1, cut_seq = $1", [old.cutSeq]);
      const checkpoints = new Checkpoints(context, async () => {});
      await checkpoints.add(tx, { ledgerId }, { kind: "cut", seq: old.cutSeq, hash: now.cutHash });
      return old.cutSeq;
    }
    if (told.text !== old.ledgerId)
      throw new StoreError("foreign", `The database ${db.connection.shown} has the rows of another ledger.`);
    const [others] = await tx.query("SELECT count(*) AS n FROM toolgate.ledger_block WHERE writer <> $1", [
      writerOf(old),
    ]);
    if (now.seq < old.seq && Number(others?.n) > 0)
      throw new StoreError(
        "foreign",
        `Others have written to ${db.connection.shown} before all rows were moved, so the numbers of the rest are taken.`,
      );
    return Math.min(now.seq, old.seq);
  }, "checkpoint");
}

function writerOf({ ledgerId }: LocalHead): string {
  return `moved:${ledgerId}`;
}

async function copyRows(
  source: DatabaseSync,
  { db }: PostgresContext,
  { head, old, after }: { readonly head: Head; readonly old: LocalHead; readonly after: number },
): Promise<number> {
  const found = source
    .prepare("SELECT body FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?")
    .all(after, rowsAtOnce) as { readonly body: string }[];
  const rows = found.map(({ body }): LedgerRow => {
    return { body, fields: fieldsOf(JSON.parse(body) as JsonObject), inputText: undefined };
  });
  const at = Math.max(...rows.map(({ fields }) => fields.recordedAt));
  // Its number is that of its first row: a second try of the same rows is refused, not added.
  await appendBlock(db, { ledgerId: head.ledgerId, writer: writerOf(old), writerBlock: after + 1, rows, at });
  return after + rows.length;
}

/** The chain of the old ledger, over what the database has. */
async function chainOf({ db }: PostgresContext, { seq: last, cutHash }: LocalHead): Promise<string> {
  const head = await readHead(db);
  let hash = cutHash;
  for await (const { rows } of readBlocks(db, head.cutBlock, head.block))
    for (const { seq, body } of rows) if (seq <= last) hash = nextHash(hash, seq, body);
  return hash;
}

/** A note says where the rows come from; then all is signed and verified. */
async function seal(context: PostgresContext, head: Head, old: LocalHead): Promise<LedgerVerification> {
  const { db, clock } = context;
  const ledger = createPostgresLedger(context, { ledgerId: head.ledgerId, anchorFiles: [] });
  if ((await readHead(db)).seq === old.seq)
    await db.transaction((tx) =>
      ledger.append(tx, [
        ledger.makeRow.any("note", {
          at: clock.now(),
          recordedAt: clock.now(),
          code: "ledger_moved",
          surface: "store",
          message: `Rows ${old.cutSeq + 1} to ${old.seq} were brought from the ledger ${old.ledgerId}, which ended with the hash ${old.hash}.`,
          about: {
            ledger: old.ledgerId,
            seq: old.seq,
            hash: old.hash,
            cutSeq: old.cutSeq,
            cutHash: old.cutHash,
          },
        }),
      ]),
    );
  await ledger.checkpoint();
  return ledger.verify();
}
