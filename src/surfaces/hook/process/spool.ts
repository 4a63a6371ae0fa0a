/** One line per call in a file that the next toolgate takes into the ledger: a hook keeps no store open. */
import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { explainForeign } from "../../../config/rule-cache/own-files.ts";
import type { Json, JsonObject } from "../../../core/input/json.ts";
import type { Ledger } from "../../../core/ports/ports.ts";
import { summedLine } from "../../../core/text/summed-line.ts";
import { mayHoldSecret } from "../../../safe/redact/may-hold-secret.ts";
import { isPlainId } from "../../../safe/redact/plain-id.ts";
import { redact } from "../../../safe/redact/redact.ts";
import { shorten } from "../../../safe/redact/shorten.ts";

export interface Spool extends Ledger {
  /** The tool has run: closes the record that the check began. */
  end(facts: JsonObject): void;
}

type Facts = Readonly<Record<string, unknown>>;

/** `facts` stand in every line: which agent, which project. */
export function createSpool(stateFolder: string, facts: JsonObject): Spool {
  const append = (event: string, record: Facts): void => {
    const at = typeof record.at === "number" ? record.at : Date.now();
    const line = { v: 2, event, ...facts, ...clean(record) };
    appendLine(join(stateFolder, "spool"), `${dayOf(at)}.jsonl`, line);
  };
  return {
    open: () => {
      throw new Error("A hook never runs a tool, so it has no intent to record.");
    },
    close: (record) => append("check", { ...record }),
    end: (record) => append("end", record),
  };
}

/** `2026-11-15` in UTC. By arithmetic: a `Date` that is written makes Node read the time zone first. */
export function dayOf(at: number): string {
  // Years begin in March here, so that the leap day is the last one.
  const days = Math.floor(at / 86_400_000) + 719_468;
  const era = Math.floor(days / 146_097);
  const ofEra = days - era * 146_097;
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const shown = (value: number) => String(value).padStart(2, "0");
  return `${year + era * 400 + (month < 10 ? 0 : 1)}-${shown(month < 10 ? month + 3 : month - 9)}-${shown(day)}`;
}

/** Secrets go before anything is written. Long texts are cut first: redacting megabytes takes too long. */
function clean(record: Facts): Facts {
  const short: Record<string, Json> = {};
  for (const name of ["input", "message", "result", "error"]) {
    const value = record[name];
    if (value !== undefined) short[name] = shorten(value as Json);
  }
  for (const name of ["sessionId", "toolUseId"]) {
    const id = record[name];
    if (typeof id === "string" && !isPlainId(id)) short[name] = shorten(id);
  }
  return { ...record, ...(mayHoldSecret(short) ? redactEach(short) : short) };
}

function redactEach(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, redact(value).value]));
}

/** Throws when the line is not on the disk as a whole: what is not recorded must not run. */
function appendLine(folder: string, name: string, line: Facts): void {
  const file = join(folder, name);
  try {
    appendTo(folder, file, Buffer.from(`${summedLine(JSON.stringify(line))}\n`));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOSPC" && code !== "EDQUOT") throw error;
    throw new Error(`The disk that holds ${file} is full. Free some space; nothing runs without a record.`);
  }
}

function appendTo(folder: string, file: string, bytes: Buffer): void {
  const fd = openOwn(folder, file);
  try {
    const stat = fstatSync(fd);
    // What goes into a pipe is gone; what goes into a file is recorded.
    const why = stat.isFile() ? explainForeign(stat) : "is not a regular file";
    if (why !== undefined) throw new Error(`${file} ${why}.`);
    writeWhole(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

/** One write: lines of processes that run at the same time do not mix. */
function writeWhole(fd: number, bytes: Buffer): void {
  const written = writeSync(fd, bytes);
  if (written === bytes.length) return;
  // The next line finds its own beginning also without this; with it, people do.
  writeSync(fd, "\n");
  throw Object.assign(new Error("the disk took only a part of the line"), { code: "ENOSPC" });
}

function openOwn(folder: string, file: string): number {
  const flags =
    constants.O_WRONLY |
    constants.O_APPEND |
    constants.O_CREAT |
    (constants.O_NOFOLLOW ?? 0) |
    (constants.O_NONBLOCK ?? 0);
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return openSync(file, flags, 0o600);
}
