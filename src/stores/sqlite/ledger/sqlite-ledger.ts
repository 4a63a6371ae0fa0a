/** The ledger in the store: what the gate writes to, and what people read. */
import type { Json, JsonObject } from "../../../core/input/json.ts";
import type { LedgerFilter } from "../../../core/ports/ledger-reader.ts";
import type { LedgerIntent, LedgerRecord } from "../../../core/ports/ports.ts";
import type { StoreLedger } from "../../../core/ports/store.ts";
import { createCleaner, isLong, type RowRedactor } from "../../ledger/clean-text.ts";
import { followLedger } from "../../ledger/follow.ts";
import { createRowMaker } from "../../ledger/row.ts";
import { createSearch, toEntry } from "../../ledger/search.ts";
import { completionMark, intentMark } from "../journal/journal.ts";
import { JournalIntake } from "../journal/journal-intake.ts";
import type { AreaClient, SqliteClient } from "../open-sqlite.ts";
import { createReadCounts } from "./columns/read-counts.ts";
import { exportLines } from "./export-lines.ts";
import type { ledgerArea } from "./ledger-area.ts";
import { packRow, timeToCome } from "./ready-row.ts";
import { verifyLedger } from "./verify-ledger.ts";

export type LedgerClient = AreaClient<typeof ledgerArea>;

const longRecord = 4_096;

/** A call whose intent is recorded and whose end is not. */
interface OpenedCall {
  readonly input: JsonObject;
  /** As it stands in the intent's row; undefined: only the worker has it. */
  readonly inputText: string | undefined;
  /** Its intent went through the journal, and so does its end. */
  readonly inJournal: boolean;
}

export interface SqliteLedgerOptions {
  /** Takes secrets out; by default by their names and looks. */
  readonly redactor?: RowRedactor;
  /** Rows are acknowledged when committed, not when they are in this process's journal. Default: false. */
  readonly waitForCommit?: boolean;
  /** Files outside of the state folder that signed checkpoints were brought to. */
  readonly anchorFiles?: readonly string[];
}

export function createSqliteLedger(
  client: SqliteClient,
  { redactor, waitForCommit = false, anchorFiles = [] }: SqliteLedgerOptions = {},
): StoreLedger {
  const area: LedgerClient = client.area<typeof ledgerArea>("ledger");
  const journal = new JournalIntake(client, area);
  const settle = () => journal.settle();
  const takeSpool = async () => {
    await settle();
    return takeWholeSpool(area);
  };
  /** What is there can be read also where nothing can be added (a full disk). */
  const takeInQuietly = async () => {
    await takeSpool().catch(ignore);
  };
  const cleaner = createCleaner(redactor);
  const makeRow = createRowMaker(cleaner);
  const opened = new Map<string, OpenedCall>();

  const readyCompletion = (record: LedgerRecord, inputText?: string): string | undefined =>
    packRow(makeRow.completion(given(record), timeToCome, inputText));

  /** Redacting takes time by length: what is long goes to the worker as it is. */
  const readyUnlessLong = (record: LedgerRecord): string | undefined =>
    isLongRecord(record) ? undefined : readyCompletion(record);

  async function closeOpened(
    record: LedgerRecord,
    { input, inputText, inJournal }: OpenedCall,
  ): Promise<void> {
    const same = input === record.input;
    const { message = "", result = "" } = record;
    if (same && inputText !== undefined && message.length + result.length < longRecord) {
      const ready = readyCompletion(record, inputText);
      if (ready !== undefined)
        return inJournal ? journal.append(`${completionMark}${ready}`) : area.write("closeReady", ready);
    }
    // The chain must have the beginning before the end.
    if (inJournal) await settle();
    // The worker has the intent's input, redacted and written out.
    return area.write("close", JSON.stringify(same ? { ...record, input: undefined } : record));
  }

  const { asStored, query, show } = createSearch(
    {
      look: (asked) => area.read("look", asked),
      ofCall: (callId) => area.read("ofCall", callId),
      ofSeq: (seq) => area.read("ofSeq", seq),
      takeIn: takeInQuietly,
      goFarBack: () => columns.prepareAll(),
    },
    cleaner,
  );
  const columns = createReadCounts(area, asStored, takeInQuietly);

  return {
    async open(intent) {
      const { callId, input } = intent;
      const row = isLong(input, { left: longRecord })
        ? undefined
        : makeRow.intent(given(intent), timeToCome, client.processId);
      const ready = row && packRow(row);
      const inJournal = ready !== undefined && !waitForCommit;
      if (inJournal) await journal.begin(`${intentMark}${ready}`);
      else if (ready === undefined) await area.write("open", JSON.stringify(intent));
      else await area.write("openReady", ready);
      opened.set(callId, { input, inputText: ready === undefined ? undefined : row?.inputText, inJournal });
    },
    close(record) {
      const { callId } = record;
      const intent = opened.get(callId);
      if (intent !== undefined) {
        opened.delete(callId);
        return closeOpened(record, intent);
      }
      const ready = waitForCommit ? undefined : readyUnlessLong(record);
      return ready === undefined
        ? area.write("close", JSON.stringify(record))
        : journal.append(`${completionMark}${ready}`);
    },
    async note(note, state) {
      // In the order in which it happened.
      await settle();
      await area.write("note", { note, state });
    },
    tryOut: () => (waitForCommit ? area.write("tryOut", undefined) : journal.tryOut()),
    query,
    async show(wanted) {
      await settle().catch(ignore);
      return show(wanted);
    },
    async running() {
      await settle().catch(ignore);
      return (await area.read("running", undefined)).map(toEntry);
    },
    async stats(filter: LedgerFilter = {}) {
      await takeInQuietly();
      const wanted: LedgerFilter = { ...asStored(filter), kinds: ["completion", "unknown"] };
      // Otherwise everybody who records waits until the last record is counted.
      return (await columns.stats(wanted)) ?? area.read("stats", wanted);
    },
    ...columns.counts,
    follow: (options = {}) =>
      followLedger(
        {
          listen: (listener) => client.listen("ledger", listener),
          lastSeq: async () => (await area.read("head", undefined)).seq,
          query,
          takeSpool: takeInQuietly,
        },
        options,
      ),
    async *export(options = {}) {
      await takeInQuietly();
      yield* exportLines(area, options);
    },
    async verify(options = {}) {
      // What could not be taken is told.
      await takeInQuietly();
      await area.write("takeOrphans", undefined).catch(ignore);
      return verifyLedger(area, options, { files: anchorFiles, stateFolder: client.stateFolder });
    },
    takeSpool,
    async checkpoint() {
      await settle();
      await area.write("checkpoint", undefined);
    },
    async removeBefore(time) {
      await settle();
      // Only what is signed may go.
      await area.write("checkpoint", undefined);
      for (let removed = 0; ; ) {
        const cut = await area.write("removeBefore", time);
        removed += cut.removed;
        if (cut.removed === 0) return { removed, firstSeq: cut.firstSeq };
      }
    },
  };
}

function isLongRecord({
  askedFor,
  cwd = "",
  input,
  message = "",
  notes,
  result = "",
}: LedgerRecord): boolean {
  const room = { left: longRecord - askedFor.length - cwd.length - message.length - result.length };
  return room.left < 0 || isLong(input, room) || (notes !== undefined && isLong(notes as Json, room));
}

function ignore(): void {}

/** Records are flat and made by us: what has no value is not a fact. */
function given(record: LedgerIntent | LedgerRecord): JsonObject {
  return record as unknown as JsonObject;
}

async function takeWholeSpool(area: LedgerClient): Promise<{ readonly taken: number }> {
  for (let taken = 0; ; ) {
    const some = await area.write("takeSpool", undefined);
    taken += some.taken;
    if (some.more) continue;
    await area.read("removeTaken", undefined);
    return { taken };
  }
}
