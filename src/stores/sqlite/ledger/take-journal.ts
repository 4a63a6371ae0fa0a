/** Takes the journals of processes into the chain, each line exactly once: how far a file was taken is kept in the same transaction as its rows. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { messageOf } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { StoreContext } from "../area.ts";
import { append, appendRow, nextTime } from "./append.ts";
import { completionMark, intentMark } from "./journal.ts";
import { journalPath, listJournals, moveTaken, removeLater, takenOf } from "./journal-files.ts";
import { noteChange } from "./open-calls.ts";
import { unpackRow } from "./ready-row.ts";
import { ledgerState } from "./state.ts";

/** In one transaction; other writers wait meanwhile. */
const bytesAtOnce = 256 * 1024;
/** Used again and again: of many that come and go, the system gives back few. */
const piece = Buffer.alloc(bytesAtOnce);
const lineFeed = 0x0a;

export interface TakenJournal {
  /** How many lines came into the ledger. */
  readonly lines: number;
  readonly more: boolean;
}

/** `over`: the process closes the store, so that also its last file can go. */
export function takeJournal(store: StoreContext, processId: string, over: boolean): TakenJournal {
  const files = listJournals(store).filter(({ id }) => id === processId);
  let lines = 0;
  for (const [index, { name }] of files.entries()) {
    const taken = takeFile(store, name, processId);
    lines += taken.lines;
    // A call's beginning may be at the end of this file, and its end in the next.
    if (taken.more) return { lines, more: true };
    if (over || index < files.length - 1) removeLater(store, name);
  }
  return { lines, more: false };
}

/** Everything of a process that writes no more. */
export function takeAll(store: StoreContext, processId: string): void {
  while (takeJournal(store, processId, false).more);
}

/** What stands in a file cannot be read; others are not to wait for it. */
export class UnreadableJournal extends Error {
  override readonly name: string;

  constructor(name: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = name;
  }
}

function takeFile(store: StoreContext, name: string, writer: string): TakenJournal {
  const from = takenOf(store, name);
  const { text, isAll } = readPiece(store, name, from);
  const end = text.lastIndexOf(lineFeed) + 1;
  if (end === 0) return { lines: 0, more: false };
  let lines = 0;
  // Not all of them as one text: that would be garbage of the kind that stays for long.
  for (let start = 0; start < end; lines++) {
    const next = text.indexOf(lineFeed, start);
    takeLine(store, text.toString("utf8", start, next), writer);
    start = next + 1;
  }
  moveTaken(store, name, from + end);
  return { lines, more: !isAll };
}

/** What this process wrote itself is ready but for its time; what others left is read as anybody's. */
function takeLine(store: StoreContext, line: string, writer: string): void {
  const kind = line.startsWith(intentMark)
    ? "intent"
    : line.startsWith(completionMark)
      ? "completion"
      : undefined;
  const isOwn = writer === store.processId;
  if (isOwn && kind !== undefined) takeReady(store, kind, line.slice(intentMark.length));
  else takeFacts(store, kind, line, writer);
}

export function takeReady(store: StoreContext, kind: "intent" | "completion", text: string): void {
  const { row, callId } = unpackRow(text, kind, (at) => nextTime(store, at));
  const seq = appendRow(store, row);
  noteChange(store, callId, kind === "intent" ? { seq, inputText: undefined } : undefined);
}

function takeFacts(
  store: StoreContext,
  kind: "intent" | "completion" | undefined,
  line: string,
  writer: string,
): void {
  let facts: JsonObject;
  try {
    facts =
      kind === undefined
        ? (JSON.parse(line) as JsonObject)
        : factsOfReady(line.slice(intentMark.length), kind);
  } catch {
    append(store, "note", {
      at: store.now(),
      message: "A line of a journal could not be read.",
      characters: line.length,
    });
    return;
  }
  const { makeRow } = ledgerState(store);
  const time = nextTime(store, facts.at);
  appendRow(store, kind === "intent" ? makeRow.intent(facts, time, writer) : makeRow.completion(facts, time));
}

/** Without what the row itself adds. */
function factsOfReady(text: string, kind: string): JsonObject {
  const { body } = unpackRow(text, kind, () => 0).row;
  const {
    process: _process,
    recordedAt: _time,
    row: _row,
    v: _version,
    ...facts
  } = JSON.parse(body) as JsonObject;
  return facts;
}

interface Piece {
  readonly text: Buffer;
  readonly isAll: boolean;
}

function readPiece(store: StoreContext, name: string, from: number): Piece {
  try {
    return read(journalPath(store, name), from);
  } catch (error) {
    throw new UnreadableJournal(name, error);
  }
}

function read(path: string, from: number): Piece {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const fd = openSync(path, flags);
  try {
    const stat = fstatSync(fd);
    const left = Math.max(0, (stat.isFile() ? stat.size : 0) - from);
    for (let most = bytesAtOnce; ; most *= 2) {
      const into = most === bytesAtOnce ? piece : Buffer.alloc(most);
      const count = readSync(fd, into, 0, Math.min(most, left), from);
      const isAll = count >= left;
      // Not even one whole line: it is longer than what is read at once.
      if (isAll || into.lastIndexOf(lineFeed, count - 1) !== -1)
        return { text: into.subarray(0, count), isAll };
    }
  } finally {
    closeSync(fd);
  }
}
