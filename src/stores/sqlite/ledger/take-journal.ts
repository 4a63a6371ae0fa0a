/** Takes the journals of processes into the chain, each line exactly once: how far a file was taken is kept in the same transaction as its rows. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import type { StoreContext } from "../area.ts";
import { append, appendRow, nextTime } from "./append.ts";
import { completionMark, intentMark, journalFolder } from "./journal.ts";
import { noteChange } from "./open-calls.ts";
import { unpackRow } from "./ready-row.ts";
import { ledgerState } from "./state.ts";
import { statements } from "./statements.ts";

const journalFile = /^([\w-]+)\.(\d+)\.jsonl$/;
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
  const files = filesOf(store).filter(({ id }) => id === processId);
  let lines = 0;
  for (const [index, { name }] of files.entries()) {
    const taken = takeFile(store, name, processId);
    lines += taken.lines;
    // A call's beginning may be at the end of this file, and its end in the next.
    if (taken.more) return { lines, more: true };
    if (over || index < files.length - 1) remove(store, name);
  }
  return { lines, more: false };
}

/** What the dead have left, once it is in the ledger and old enough: one that was only asleep may still write to it. */
export function sweepJournals(store: StoreContext): void {
  forgetRemoved(store);
  const registered = new Set(store.all("SELECT id FROM processes").map(({ id }) => id));
  for (const { id, name } of filesOf(store)) {
    if (registered.has(id)) continue;
    const stat = statSync(join(journalFolder(store.stateFolder), name), { throwIfNoEntry: false });
    const taken = Number(store.get(statements.spoolFile, `journal/${name}`)?.taken_bytes ?? 0);
    if (stat !== undefined && stat.size === taken && store.now() - stat.mtimeMs > keptMs) remove(store, name);
  }
}

/** Names are never used again. */
function forgetRemoved(store: StoreContext): void {
  const there = new Set(filesOf(store).map(({ name }) => `journal/${name}`));
  for (const { name } of store.all(statements.journals))
    if (typeof name === "string" && !there.has(name)) store.run(statements.forgetSpool, name);
}

const keptMs = 2 * 86_400_000;
const removedKey = "ledger.removed-journals";
const removableKey = "ledger.removable-journals";

/** The file goes after the commit, and only then; until it is gone, how far it was taken stays known: nothing is taken twice. */
function remove(store: StoreContext, name: string): void {
  const names = (store.memo.get(removedKey) as readonly string[] | undefined) ?? [];
  if (!names.includes(name)) store.memo.set(removedKey, [...names, name]);
}

export function noteRemoved(store: StoreContext): void {
  const names = store.memo.get(removedKey) as string[] | undefined;
  if (names !== undefined) store.kept.set(removableKey, [...removable(store), ...names]);
}

/** After the commit: what is in the ledger is no longer needed here. */
export function removeJournals(store: StoreContext): void {
  const names = removable(store);
  if (names.length === 0) return;
  store.kept.set(removableKey, []);
  for (const name of names) rmSync(join(journalFolder(store.stateFolder), name), { force: true });
}

function removable(store: StoreContext): readonly string[] {
  return (store.kept.get(removableKey) as readonly string[] | undefined) ?? [];
}

function takeFile(store: StoreContext, name: string, writer: string): TakenJournal {
  const key = `journal/${name}`;
  const from = Number(store.get(statements.spoolFile, key)?.taken_bytes ?? 0);
  const { text, isAll } = read(store, name, from);
  const end = text.lastIndexOf(lineFeed) + 1;
  if (end === 0) return { lines: 0, more: false };
  let lines = 0;
  // Not all of them as one text: that would be garbage of the kind that stays for long.
  for (let start = 0; start < end; lines++) {
    const next = text.indexOf(lineFeed, start);
    takeLine(store, text.toString("utf8", start, next), writer);
    start = next + 1;
  }
  store.run(statements.moveSpool, key, "", from + end);
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

function read(
  store: StoreContext,
  name: string,
  from: number,
): { readonly text: Buffer; readonly isAll: boolean } {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const fd = openSync(join(journalFolder(store.stateFolder), name), flags);
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

/** The parts of each process in their order. */
function filesOf(store: StoreContext): { readonly id: string; readonly name: string }[] {
  let names: string[];
  try {
    names = readdirSync(journalFolder(store.stateFolder));
  } catch {
    return [];
  }
  return names
    .flatMap((name) => {
      const [, id, part] = journalFile.exec(name) ?? [];
      return id === undefined ? [] : [{ id, name, part: Number(part) }];
    })
    .sort((one, other) => one.part - other.part);
}
