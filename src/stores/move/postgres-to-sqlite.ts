/**
 * Moves the records of a database into a state folder: rows keep their numbers and their very text. What is there already
 * must be the beginning of the same rows: an interrupted move goes on, and a folder whose records were once moved into the
 * database gets those that came since. The database stays as it is.
 */
import { join } from "node:path";
import type { JsonObject } from "../../core/input/json.ts";
import type { LedgerVerification } from "../../core/ports/ledger-reader.ts";
import type { Clock } from "../../core/ports/ports.ts";
import type { PostgresPlace } from "../../core/ports/store.ts";
import { StoreError } from "../../core/ports/store-error.ts";
import { nextHash } from "../ledger/chain.ts";
import { createRowMaker } from "../ledger/row.ts";
import type { PostgresContext } from "../postgres/context.ts";
import { type Head, readHead } from "../postgres/ledger/head.ts";
import { createPostgresLedger } from "../postgres/ledger/postgres-ledger.ts";
import { readBlocks } from "../postgres/ledger/read-blocks.ts";
import { deadNodes } from "../postgres/nodes.ts";
import { closeContext, openContext } from "../postgres/open-context.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { copyPartsBack } from "./copy-tables-back.ts";
import { LocalLedger } from "./local-ledger.ts";
import { bringPositionsBack } from "./spool-positions.ts";
import type { MovedStore } from "./sqlite-to-postgres.ts";

export interface MoveBackRequest {
  readonly stateFolder: string;
  readonly from: PostgresPlace;
  readonly clock: Clock;
  readonly onProgress?: (row: number, last: number) => void;
}

const rowsAtOnce = 1_000;
const movedCode = "ledger_moved";

export async function moveToSqlite(request: MoveBackRequest): Promise<MovedStore> {
  const { stateFolder, from, clock, onProgress = () => {} } = request;
  // The files of hooks go into the database first, and come from there.
  await withStore(request, { leaveSpool: true }, async () => {});
  const { DatabaseSync } = await import("node:sqlite");
  const file = join(stateFolder, "toolgate.sqlite");
  const { context } = await openContext(from, { stateFolder });
  const { db } = context;
  try {
    const head = await settle(context);
    const target = new DatabaseSync(file);
    try {
      const moving = { context, local: new LocalLedger(target), head, clock };
      const start = await begin(moving);
      await bringPositionsBack(context, target);
      if (start < head.seq) await copyRows(moving, start, onProgress);
      const parts = await copyPartsBack(context, target);
      const hash = await finish(moving);
      const verification = await withStore(request, {}, async ({ ledger }) => {
        await ledger.checkpoint();
        return ledger.verify();
      });
      return {
        from: db.connection.shown,
        to: file,
        rows: head.seq - head.cutSeq,
        before: Math.max(0, start - head.cutSeq),
        hash,
        parts,
        verification,
      };
    } finally {
      target.close();
    }
  } finally {
    await closeContext(context);
  }
}

/** Makes the file where there is none, and refuses one that somebody uses or that does not verify. */
async function withStore<Result>(
  { stateFolder, clock }: MoveBackRequest,
  how: { readonly leaveSpool?: boolean },
  work: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<Result>,
): Promise<Result> {
  await using store = await openSqliteStore({ stateFolder, ...how }, clock);
  if ((await store.processes.living()).length > 1)
    throw new StoreError("busy", `Another toolgate uses ${store.file}. End it, then try again.`);
  refuseBroken(store.file, await store.ledger.verify());
  return await work(store);
}

/** Takes in what is on its way, and makes sure that what is moved is what was recorded. */
async function settle(context: PostgresContext): Promise<Head> {
  const { db, nodeId } = context;
  const dead = new Set((await deadNodes(db, nodeId)).map(({ id }) => id));
  const others = await db.query("SELECT id FROM toolgate.nodes WHERE id <> $1", [nodeId]);
  if (others.some(({ id }) => !dead.has(String(id))))
    throw new StoreError(
      "busy",
      `Another toolgate uses ${db.connection.shown}. End all of them; toolgate store status lists them.`,
    );
  const { ledgerId } = await readHead(db);
  const ledger = createPostgresLedger(context, { ledgerId, anchorFiles: [] });
  await ledger.takeSpool();
  await ledger.checkpoint();
  refuseBroken(db.connection.shown, await ledger.verify());
  return readHead(db);
}

function refuseBroken(place: string, { ok, problems }: LedgerVerification): void {
  if (ok) return;
  throw new StoreError(
    "corrupt",
    `Nothing is moved, because the ledger of ${place} does not verify: ${problems[0]?.message} toolgate audit verify says more.`,
  );
}

interface Moving {
  readonly context: PostgresContext;
  readonly local: LocalLedger;
  readonly head: Head;
  readonly clock: Clock;
}

/** After which row to go on. */
async function begin({ context, local, head, clock }: Moving): Promise<number> {
  const now = local.head();
  const { cutSeq } = head;
  if (now.seq === 0) {
    // Retention has removed the front; this one begins there.
    if (cutSeq > 0) local.beginAfter(cutSeq, context.stateFolder, clock.now());
    return cutSeq;
  }
  const last = now.seq - (isNoteOf(local.row(now.seq)?.body, head) ? 1 : 0);
  const first = Math.max(cutSeq, now.cutSeq);
  const hashOf = (seq: number) => (seq === now.cutSeq ? now.cutHash : local.row(seq)?.hash);
  const start = hashOf(first);
  const isSame =
    last <= head.seq &&
    start !== undefined &&
    (await chainOf(context, { head, after: first, last, start })) === hashOf(last);
  if (isSame) return last;
  throw new StoreError(
    "foreign",
    `The state folder has a ledger of ${now.seq} rows already, which are not those of the database. Rows keep their numbers: move toolgate.sqlite and checkpoints.jsonl to another folder, where they stay the proof of that ledger, and try again.`,
  );
}

/** Whether this row says that all rows before were brought from the database as it is now. */
function isNoteOf(body: string | undefined, { ledgerId, seq }: Head): boolean {
  const { code, about } = JSON.parse(body ?? "{}") as JsonObject;
  const told = about as JsonObject | undefined;
  return code === movedCode && told?.ledger === ledgerId && told.seq === seq;
}

interface Span {
  readonly head: Head;
  /** Rows after this one, up to `last`. */
  readonly after: number;
  readonly last: number;
  readonly start: string;
}

/** The chain of the state folder's ledger, over what the database has. */
async function chainOf({ db }: PostgresContext, { head, after, last, start }: Span): Promise<string> {
  let hash = start;
  for await (const { rows } of readBlocks(db, head.cutBlock, head.block))
    for (const { seq, body } of rows) if (seq > after && seq <= last) hash = nextHash(hash, seq, body);
  return hash;
}

async function copyRows(
  { context: { db }, local, head }: Moving,
  after: number,
  onProgress: (row: number, last: number) => void,
): Promise<void> {
  let bodies: string[] = [];
  const write = () => {
    if (bodies.length > 0) local.append(bodies);
    bodies = [];
    onProgress(local.head().seq, head.seq);
  };
  for await (const { rows } of readBlocks(db, head.cutBlock, head.block)) {
    bodies.push(...rows.filter(({ seq }) => seq > after).map(({ body }) => body));
    if (bodies.length >= rowsAtOnce) write();
  }
  write();
}

/** The last hash before the note, which says where the rows come from. Rows are compared once more. */
async function finish({ context, local, head, clock }: Moving): Promise<string> {
  const now = local.head();
  if (now.seq > head.seq) return local.row(head.seq)?.hash ?? now.cutHash;
  const first = Math.max(head.cutSeq, now.cutSeq);
  const start = first === now.cutSeq ? now.cutHash : (local.row(first)?.hash ?? "");
  if ((await chainOf(context, { head, after: first, last: head.seq, start })) !== now.hash)
    throw new StoreError(
      "failed",
      `The rows in the state folder are not those of ${context.db.connection.shown}. Move toolgate.sqlite and checkpoints.jsonl away, and try again.`,
    );
  const at = Math.max(clock.now(), now.recordedAt);
  const { body } = createRowMaker().any("note", {
    at,
    recordedAt: at,
    code: movedCode,
    surface: "store",
    message: `Rows ${head.cutSeq + 1} to ${head.seq} were brought from the ledger ${head.ledgerId}, which ended with the hash ${head.hash}.`,
    about: { ledger: head.ledgerId, seq: head.seq, hash: head.hash, cutSeq: head.cutSeq },
  });
  local.append([body]);
  return now.hash;
}
