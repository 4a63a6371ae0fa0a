/** One try to bring rows that wait into the chain, as one block. */
import type { StoreError } from "../../../core/ports/store-error.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import type { Database } from "../database.ts";
import type { Lives } from "../lives.ts";
import { findBlock, replaced, tryAppend } from "./append-block.ts";
import { correctUnknown } from "./correct-unknown.ts";

export interface Handing {
  /** Written also when nobody waits for it any more: what it tells has happened. */
  readonly isFact: boolean;
  /** Keeps it on this machine while the database is away. False: it cannot be kept here. */
  readonly keepHere?: () => boolean;
  /** Of the end of a call: how often this process had been taken for dead when the call began. */
  readonly life?: number;
  /** Whoever waited was told that it failed. With its number if it turns out to be in the chain all the same. */
  readonly onLate?: (seq: number | undefined) => void;
}

export interface Waiting extends Handing {
  readonly row: LedgerRow;
  readonly resolve: (seq: number) => void;
  readonly reject: (error: StoreError) => void;
  readonly since: number;
  isTold: boolean;
}

export interface WriterPorts {
  readonly db: Database;
  readonly ledgerId: string;
  readonly writer: string;
  readonly onCommit: (rows: number) => void;
  /** The process lives, and was taken for dead. */
  readonly register: () => Promise<void>;
  readonly lives: Lives;
  /** The database was away and is there again. */
  readonly onBack: () => void;
}

/** `maybeSent`: a statement with this number may have been committed. Then `count` may be more than what waits. */
export async function sendBlock(
  ports: WriterPorts,
  waiting: readonly Waiting[],
  { writerBlock, maybeSent }: { readonly writerBlock: number; readonly maybeSent: boolean },
): Promise<{ readonly firstSeq: number; readonly count: number }> {
  const { db, ledgerId, writer } = ports;
  const known = maybeSent ? await findBlock(ports, writerBlock) : undefined;
  if (known !== undefined) return known;
  const send = () =>
    ports.lives.during(async () => {
      const rows = await rowsOf(ports, waiting);
      return tryAppend(db, { ledgerId, writer, writerBlock, rows, asProcess: true });
    });
  const sent = await send();
  if (sent !== undefined) return { ...sent, count: waiting.length };
  await ports.register();
  const again = await send();
  if (again === undefined) throw replaced();
  return { ...again, count: waiting.length };
}

/** Of a process that was taken for dead meanwhile, the ledger may say that the end of a call is unknown. */
async function rowsOf(ports: WriterPorts, waiting: readonly Waiting[]): Promise<readonly LedgerRow[]> {
  const rows = waiting.map(({ row }) => row);
  const { count } = ports.lives;
  return waiting.some(({ life = count }) => life < count) ? correctUnknown(ports.db, rows) : rows;
}
