/** The ledger's operations, as the worker runs them. */
import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../core/input/json.ts";
import type {
  LedgerCut,
  LedgerFilter,
  LedgerProblem,
  LedgerStats,
} from "../../../core/ports/ledger-reader.ts";
import { firstHash } from "../../ledger/chain.ts";
import { explainUnusableKey, readCheckpointLines, readPublicKey } from "../../ledger/checkpoints-file.ts";
import type { Look } from "../../ledger/search-sql.ts";
import { type AsideFile, listAside } from "../../ledger/spool/set-aside.ts";
import { again, defineArea, type StoreContext } from "../area.ts";
import type { Row } from "../context.ts";
import { noteRemoved, removeJournals, sweepJournals } from "../journal/journal-files.ts";
import { leaveJournal, listUntaken, takeOrphans, type UntakenFile } from "../journal/orphans.ts";
import { type TakenJournal, takeJournal, takeReady } from "../journal/take-journal.ts";
import { removeTaken, type TakenSpool, takeSpool } from "../journal/take-spool.ts";
import { deadProcesses } from "../processes/processes-area.ts";
import { addNote, type GivenNote } from "./add-note.ts";
import { appendRow, type Head, knownHead, nextTime, readHead, writeHead } from "./append.ts";
import { signHead } from "./checkpoints.ts";
import { dropIdleColumns, type Gathered, gather } from "./columns/columns.ts";
import { countRules, histogram } from "./columns/count-columns.ts";
import { statsOf } from "./columns/stats.ts";
import { firstSince } from "./find-time.ts";
import { inputOf, listOpen, markUnknown, moveMark, noteChange, rememberOpen } from "./open-calls.ts";
import { countAll, type Found, look, seqsOf } from "./query.ts";
import { removeBefore } from "./retention.ts";
import { type LedgerOptions, ledgerState, makeLedgerState } from "./state.ts";
import { statements } from "./statements.ts";
import { findStrays, type PageRow, verifyPage } from "./verify-page.ts";

export interface LedgerSeal {
  /** Why the next checkpoint cannot be signed. */
  readonly unusableKey: string | undefined;
  readonly head: Head;
  /** Undefined when nothing was ever signed here. */
  readonly publicKey: string | undefined;
  readonly checkpointLines: readonly string[];
}

export const ledgerArea = defineArea({
  name: "ledger",
  writes: {
    /** Facts come as JSON text: one string crosses threads faster than an object. */
    open(store, text: string): void {
      const facts = JSON.parse(text) as JsonObject;
      const row = ledgerState(store).makeRow.intent(facts, nextTime(store, facts.at), store.processId);
      const seq = appendRow(store, row);
      const { inputText = "{}" } = row;
      noteChange(store, String(facts.callId), { seq, inputText });
    },
    /** Without an input it is that of the intent, which is ready. */
    close(store, text: string): void {
      const facts = JSON.parse(text) as JsonObject;
      const callId = String(facts.callId);
      const earlierInput = facts.input === undefined ? inputOf(store, callId) : undefined;
      appendRow(store, ledgerState(store).makeRow.completion(facts, nextTime(store, facts.at), earlierInput));
      noteChange(store, callId, undefined);
    },
    /** The same for rows that are ready but for their time. */
    openReady: (store, text: string): void => takeReady(store, "intent", text),
    closeReady: (store, text: string): void => takeReady(store, "completion", text),
    note: (store, given: GivenNote): void => addNote(store, given),
    /** What this process has written to its journal. */
    takeJournal: (store, _: undefined): TakenJournal => takeJournal(store, store.processId, false),
    takeSpool: (store, _: undefined): TakenSpool => takeSpool(store),
    takeOrphans: (store, _: undefined): void => void takeOrphans(store, deadProcesses(store)),
    checkpoint: (store, _: undefined): void => signHead(store),
    /** Writes what is there anyway: fails where nothing can be written. */
    tryOut: (store, _: undefined): void => void store.run(statements.touchHead),
    removeBefore: (store, time: number): LedgerCut => removeBefore(store, time),
  },
  // What is signed must be committed, and never part of a transaction that may still fail.
  alone: ["checkpoint"],
  reads: {
    head: (store, _: undefined): Head => readHead(store),
    look: (store, asked: Look): Found => look(store, asked),
    ofCall: (store, callId: string): Row[] => store.all(statements.ofCall, callId),
    ofSeq: (store, seq: number): Row[] => store.all(statements.ofSeq, seq),
    running: (store, _: undefined): Row[] => listOpen(store),
    firstSince: (store, time: number): number => firstSince(store, time),
    seqsOf: (store, asked: Parameters<typeof seqsOf>[1]): number[] => seqsOf(store, asked),
    gather: (store, asked: { readonly from: number }): Gathered => gather(store, asked),
    histogram: (store, asked: Parameters<typeof histogram>[1]) => histogram(store, asked),
    countRules: (store, asked: Parameters<typeof countRules>[1]) => countRules(store, asked),
    statsOf: (store, asked: Parameters<typeof statsOf>[1]): LedgerStats => statsOf(store, asked),
    stats: (store, filter: LedgerFilter): LedgerStats => countAll(store, filter),
    /** Checkpoints before the head: what was signed is then never newer than what is looked at. */
    seal(store, _: undefined): LedgerSeal {
      const checkpointLines = readCheckpointLines(store.stateFolder);
      const unusableKey = explainUnusableKey(store.stateFolder);
      const publicKey = readPublicKey(store.stateFolder)?.pem;
      return { publicKey, unusableKey, checkpointLines, head: readHead(store) };
    },
    verifyPage: (
      store,
      asked: { readonly after: number; readonly last: number; readonly limit: number },
    ): PageRow[] => verifyPage(store, asked),
    strays: (store, head: Head): LedgerProblem[] => findStrays(store, head),
    removeTaken: (store, _: undefined): void => removeTaken(store),
    untaken: (store, _: undefined): { readonly files: UntakenFile[]; readonly aside: AsideFile[] } => ({
      files: listUntaken(store),
      aside: listAside(store.stateFolder),
    }),
  },
  onOpen(store, { ledger }) {
    makeLedgerState(store, (ledger ?? {}) as LedgerOptions);
    const ledgerId = randomBytes(12).toString("base64url");
    const hash = firstHash(ledgerId);
    store.run(statements.makeHead, ledgerId, hash, hash);
    moveMark(store);
  },
  onDead: takeOrphans,
  beforeCommit: writeHead,
  onCommit: remember,
  afterCommit(store) {
    removeJournals(store);
    return isCheckpointDue(store) ? signHead : undefined;
  },
  everySeconds: 60,
  onTick(store, closing) {
    if (takeJournal(store, store.processId, closing).more) return again;
    if (closing)
      markUnknown(store, [store.processId], "The store was closed before the end of this call was recorded.");
    else {
      moveMark(store);
      dropIdleColumns(store);
      takeSpool(store);
      sweepJournals(store);
    }
    return signHead;
  },
  onLeft: leaveJournal,
});

const rowsPerCheckpoint = 1_000;

function isCheckpointDue(store: StoreContext): boolean {
  const { lastHead } = ledgerState(store);
  return lastHead !== undefined && lastHead.seq - lastHead.checkpointSeq >= rowsPerCheckpoint;
}

function remember(store: StoreContext): void {
  rememberOpen(store);
  noteRemoved(store);
  ledgerState(store).lastHead = knownHead(store);
}
