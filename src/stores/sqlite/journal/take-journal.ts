/** Takes journals into the chain, each line exactly once: position and rows are in one transaction. */
import { closeSync } from "node:fs";
import { messageOf } from "../../../core/call/errors.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { parseLine } from "../../ledger/parse-line.ts";
import { journalForm } from "../../ledger/spool/frames.ts";
import { openLines, readPiece, type TakenLines, takeLines } from "../../ledger/spool/take-lines.ts";
import type { StoreContext } from "../area.ts";
import { appendRow, lineLedger, nextTime } from "../ledger/append.ts";
import { noteChange } from "../ledger/open-calls.ts";
import { unpackRow } from "../ledger/ready-row.ts";
import { ledgerState } from "../ledger/state.ts";
import { completionMark, intentMark, trialMark } from "./journal.ts";
import { isOldJournal, journalPath, listJournals, moveTaken, removeLater, takenOf } from "./journal-files.ts";

export interface TakenJournal {
  /** How many lines came into the ledger. */
  readonly lines: number;
  readonly more: boolean;
}

/** `over`: the process closes the store, so that also its last file can go. */
export function takeJournal(store: StoreContext, processId: string, over: boolean): TakenJournal {
  return takeFiles(store, processId, { isOver: over, keep: !over });
}

/** Everything of a process that writes no more. Its last file stays for a while: it may only sleep. */
export function takeAll(store: StoreContext, processId: string): void {
  while (takeFiles(store, processId, { isOver: true, keep: true }).more);
}

/** A file cannot be read, or a part that is no record cannot be kept. Other files do not wait for it. */
export class UnreadableJournal extends Error {
  readonly journal: string;
  /** The system's, such as ENOSPC. */
  readonly code: unknown;

  constructor(journal: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.journal = journal;
    this.code = (cause as NodeJS.ErrnoException).code;
  }
}

interface HowFar {
  /** Nobody writes to the last file any more. */
  readonly isOver: boolean;
  readonly keep: boolean;
}

function takeFiles(store: StoreContext, processId: string, { isOver, keep }: HowFar): TakenJournal {
  const files = listJournals(store).filter(({ id }) => id === processId);
  let lines = 0;
  for (const [index, { name }] of files.entries()) {
    const isLast = index === files.length - 1;
    const taken = takeFile(store, name, processId, isOver || !isLast);
    lines += taken.lines;
    // A call's beginning may be at the end of this file, and its end in the next.
    if (taken.more) return { lines, more: true };
    if (!(keep && isLast)) removeLater(store, name);
  }
  return { lines, more: false };
}

function takeFile(store: StoreContext, name: string, writer: string, isOver: boolean): TakenJournal {
  const from = takenOf(store, name);
  const file = open(store, name);
  let taken: TakenLines;
  let isAll: boolean;
  try {
    const piece = readPiece(file.fd, from, file.stat.size);
    isAll = piece.isAll;
    taken = takeLines(lineLedger(store), piece.bytes, from, {
      name: `journal/${name}`,
      form: journalForm,
      isOver: isOver && isAll,
      isOld: (line) => isOldJournal(name) && factsOf(line) !== undefined,
      take:
        writer === store.processId
          ? (line) => takeOwn(store, line)
          : (line) => takeFacts(store, line, writer),
    });
  } finally {
    closeSync(file.fd);
  }
  if (taken.bytes > 0) moveTaken(store, name, from + taken.bytes);
  if (taken.problem !== undefined) throw new UnreadableJournal(name, taken.problem);
  return { lines: taken.lines, more: !isAll };
}

function open(store: StoreContext, name: string): ReturnType<typeof openLines> {
  try {
    return openLines(journalPath(store, name));
  } catch (error) {
    throw new UnreadableJournal(name, error);
  }
}

/** What this process wrote itself is ready but for its time; what others left is read as anybody's. */
function takeOwn(store: StoreContext, line: string): boolean {
  const kind = kindOf(line);
  if (kind === undefined) return takeFacts(store, line, store.processId);
  takeReady(store, kind, line.slice(intentMark.length));
  return true;
}

function kindOf(line: string): "intent" | "completion" | undefined {
  if (line.startsWith(intentMark)) return "intent";
  return line.startsWith(completionMark) ? "completion" : undefined;
}

export function takeReady(store: StoreContext, kind: "intent" | "completion", text: string): void {
  const { row, callId } = unpackRow(text, kind, (at) => nextTime(store, at));
  const seq = appendRow(store, row);
  noteChange(store, callId, kind === "intent" ? { seq, inputText: undefined } : undefined);
}

function takeFacts(store: StoreContext, line: string, writer: string): boolean {
  if (line.startsWith(trialMark)) return true;
  const facts = factsOf(line);
  if (facts === undefined) return false;
  const { makeRow } = ledgerState(store);
  const time = nextTime(store, facts.at);
  const isIntent = kindOf(line) === "intent";
  appendRow(store, isIntent ? makeRow.intent(facts, time, writer) : makeRow.completion(facts, time));
  return true;
}

/** Undefined: it is no record. */
function factsOf(line: string): JsonObject | undefined {
  const kind = kindOf(line);
  if (kind === undefined) return parseLine(line);
  // Without what the row itself adds.
  const { process, recordedAt, row, v, ...facts } =
    parseLine(unpackRow(line.slice(intentMark.length), kind, () => 0).row.body) ?? {};
  return row === undefined ? undefined : facts;
}
