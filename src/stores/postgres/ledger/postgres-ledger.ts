/** The ledger in PostgreSQL: what the gate writes to, and what people read. */
import { hostname } from "node:os";
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerFilter } from "../../../core/ports/ledger-reader.ts";
import type { LedgerIntent, LedgerNote, LedgerRecord } from "../../../core/ports/ports.ts";
import type { StoreLedger } from "../../../core/ports/store.ts";
import { createCleaner } from "../../ledger/clean-text.ts";
import { followLedger } from "../../ledger/follow.ts";
import { createRowMaker, type LedgerRow, type RowMaker } from "../../ledger/row.ts";
import { createSearch, toEntry } from "../../ledger/search.ts";
import { spoolRow } from "../../ledger/spool/write-spool.ts";
import type { PostgresContext } from "../context.ts";
import type { Statements } from "../database.ts";
import { registerAnew } from "../nodes.ts";
import { appendBlock } from "./append-block.ts";
import { BlockWriter } from "./block-writer.ts";
import { Checkpoints } from "./checkpoints.ts";
import { exportLines } from "./export-lines.ts";
import { readHead } from "./head.ts";
import { keyNote } from "./key-note.ts";
import { countAll, countRules, histogram, look } from "./ledger-reads.ts";
import { listOpen, notRunRow } from "./open-calls.ts";
import { removeBefore } from "./retention.ts";
import { SpoolIntake } from "./spool-intake.ts";
import { verifyLedger } from "./verify-ledger.ts";

const rowsPerCheckpoint = 1_000;
/** While the database is away, so many calls that only read are recorded on this machine. */
const mostKeptHere = 64_000;

/** A call whose intent is recorded and whose end is not. */
interface OpenedCall {
  readonly seq: number;
  /** How often the process had been taken for dead before. */
  readonly life: number;
  readonly input: JsonObject;
  /** As it stands in the intent's row. */
  readonly inputText: string | undefined;
}

export interface PostgresLedger extends StoreLedger {
  readonly writer: BlockWriter;
  readonly checkpoints: Checkpoints;
  readonly makeRow: RowMaker;
  /** Before this row the process has left nothing open. `safeSeq`: a head that it saw while nothing was on its way. */
  openFromSeq(safeSeq: number): number;
  /** Adds rows as the last thing of a transaction of others. */
  append(tx: Statements, rows: readonly LedgerRow[]): Promise<void>;
  addNote(tx: Statements, note: LedgerNote): Promise<void>;
}

export function createPostgresLedger(
  context: PostgresContext,
  { ledgerId, anchorFiles }: { readonly ledgerId: string; readonly anchorFiles: readonly string[] },
): PostgresLedger {
  const { db, bells, clock, nodeId, redactor, stateFolder, lives } = context;
  const cleaner = createCleaner(redactor);
  const makeRow = createRowMaker(cleaner);
  const opened = new Map<string, OpenedCall>();
  let unsigned = 0;
  const writer = new BlockWriter({
    db,
    ledgerId,
    writer: nodeId,
    register: () => registerAnew(context),
    lives,
    onCommit(rows) {
      bells.ring("ledger");
      unsigned += rows;
      if (unsigned < rowsPerCheckpoint) return;
      unsigned = 0;
      // What cannot be signed now is signed within the minute.
      void checkpoints.sign().catch(() => {});
    },
    onBack: () => void takeIn(),
  });
  const append = async (tx: Statements, rows: readonly LedgerRow[]): Promise<void> => {
    await appendBlock(tx, { ledgerId, writer: nodeId, writerBlock: writer.nextBlock(), rows });
  };
  const noteRow = (facts: JsonObject) => makeRow.any("note", { ...facts, recordedAt: clock.now() });
  const addNote = (tx: Statements, note: LedgerNote) => append(tx, [noteRow(note as unknown as JsonObject)]);
  const checkpoints = new Checkpoints(context, (tx, { pem }) =>
    append(tx, [noteRow(keyNote(pem, hostname(), clock.now()))]),
  );
  const spool = new SpoolIntake(context, {
    toRow: (kind, facts) => makeRow.any(kind, { ...facts, recordedAt: clock.now() }),
    append,
  });
  /** What is there can be read also where nothing can be added. */
  const takeIn = async () => {
    await spool.take().catch(() => {});
  };
  const { asStored, query, show } = createSearch(
    {
      look: (asked) => look(db, asked),
      ofCall: (callId) =>
        db.look("SELECT * FROM toolgate.ledger WHERE call_id = $1 ORDER BY seq LIMIT 1000", [callId]),
      ofSeq: (seq) => db.look("SELECT * FROM toolgate.ledger WHERE seq = $1", [seq]),
      takeIn,
    },
    cleaner,
  );
  const sign = () => checkpoints.sign();
  let keptHere = 0;
  /** False: the database can be reached, or too much is kept already. */
  const keepHere = (row: LedgerRow): boolean => {
    if (!writer.isLost) keptHere = 0;
    if (!writer.isLost || keptHere >= mostKeptHere) return false;
    spoolRow(stateFolder, row, Date.now());
    keptHere++;
    return true;
  };
  /** Refused while nobody knew whether the intent was kept. True: its end is on its way. */
  const refused = new Map<string, boolean>();
  /** The gate ends what it refused at once. Where nobody did, the record must not look like a call that runs. */
  const endRefused = (intent: LedgerIntent, life: number, seq: number | undefined) => {
    const isEnded = refused.get(intent.callId);
    refused.delete(intent.callId);
    if (seq === undefined || isEnded !== false) return;
    const row = notRunRow(makeRow, intent, { seq, now: clock.now() });
    void writer.add(row, { isFact: true, life }).catch(() => {});
  };

  return {
    writer,
    checkpoints,
    makeRow,
    append,
    addNote,
    openFromSeq(safeSeq) {
      const [first] = opened.values();
      return Math.min(first?.seq ?? Number.MAX_SAFE_INTEGER, Math.max(writer.lastSeq, safeSeq) + 1);
    },
    async open(intent) {
      const { callId, input } = intent;
      const row = makeRow.intent(given(intent), clock.now(), nodeId);
      const life = lives.count;
      const onLate = (late: number | undefined) => endRefused(intent, life, late);
      try {
        const seq = await writer.add(row, { isFact: false, onLate });
        opened.set(callId, { seq, life, input, inputText: row.inputText });
      } catch (error) {
        if (writer.isUnsure(row)) refused.set(callId, false);
        throw error;
      }
    },
    async close(record) {
      const { callId, input } = record;
      const intent = opened.get(callId);
      const earlier = intent?.input === input ? intent?.inputText : undefined;
      const row = makeRow.completion(given(record), clock.now(), earlier);
      if (refused.has(callId)) refused.set(callId, true);
      // Nothing was changed by such a call: a record on this machine's disk will do until the database is back.
      const here = () => intent === undefined && keepHere(row);
      if (here()) return;
      const onLate = () => void opened.delete(callId);
      await writer.add(row, { isFact: true, keepHere: here, onLate, ...(intent && { life: intent.life }) });
      opened.delete(callId);
    },
    async note(note, state) {
      await db.transaction(async (tx) => {
        if (state !== undefined) {
          await tx.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 29545))", [state.name]);
          const [told] = await tx.query("SELECT text FROM toolgate.ledger_told WHERE name = $1", [
            state.name,
          ]);
          if (String(told?.text ?? "") === state.text) return;
          await tx.run(
            "INSERT INTO toolgate.ledger_told VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET text = excluded.text",
            [state.name, state.text],
          );
        }
        await addNote(tx, note);
      });
      bells.ring("ledger");
    },
    async tryOut() {
      if (writer.refused !== undefined) throw writer.refused;
      await db.run("UPDATE toolgate.nodes SET seen = clock_timestamp() WHERE id = $1", [nodeId]);
    },
    query,
    show,
    running: async () => (await listOpen(db)).map(toEntry),
    async stats(filter: LedgerFilter = {}) {
      await takeIn();
      return countAll(db, { ...asStored(filter), kinds: ["completion", "unknown"] });
    },
    async histogram(filter, span) {
      await takeIn();
      return histogram(db, asStored(filter), span);
    },
    async ruleCounts(filter, span) {
      await takeIn();
      return countRules(db, asStored(filter), span);
    },
    follow: (options = {}) =>
      followLedger(
        {
          listen: (listener) => bells.listen("ledger", listener),
          lastSeq: async () => (await readHead(db)).seq,
          query,
          takeSpool: takeIn,
        },
        options,
      ),
    async *export(options = {}) {
      await takeIn();
      yield* exportLines(context, options);
    },
    async verify(options = {}) {
      await takeIn();
      await checkpoints.copy();
      const anchors = { files: anchorFiles, stateFolder };
      return verifyLedger(context, { checkpoints, anchors, spoolProblems: spool.problems }, options);
    },
    takeSpool: () => spool.take(),
    checkpoint: sign,
    async removeBefore(time) {
      // Only what is signed may go.
      await sign();
      for (let removed = 0; ; ) {
        const cut = await removeBefore(context, time, { checkpoints, noteRow, append });
        removed += cut.removed;
        if (cut.removed > 0) continue;
        await checkpoints.copy();
        return { removed, firstSeq: cut.firstSeq };
      }
    },
  };
}

/** Records are flat and made by us: what has no value is not a fact. */
function given(record: LedgerIntent | LedgerRecord): JsonObject {
  return record as unknown as JsonObject;
}
