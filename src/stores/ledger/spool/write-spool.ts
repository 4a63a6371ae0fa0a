/** Keeps a record in a file of hooks, for a store that cannot be reached now: whoever reads the files takes it in. */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../core/input/json.ts";
import { summedLine } from "../../../core/text/summed-line.ts";
import type { LedgerRow } from "../row.ts";
import { makeOwnFolder } from "./own-folder.ts";

/** A completion. Throws when the line is not on the disk as a whole. */
export function spoolRow(stateFolder: string, { body }: LedgerRow, now: number): void {
  const folder = join(stateFolder, "spool");
  makeOwnFolder(folder);
  // Without what the row itself adds: it is made again, with the time at which it is taken in.
  const { row: _, v: __, recordedAt: ___, ...facts } = JSON.parse(body) as JsonObject;
  const line = Buffer.from(`${summedLine(JSON.stringify({ v: 2, event: "check", ...facts }))}\n`);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = join(folder, `${new Date(now).toISOString().slice(0, 10)}.jsonl`);
  const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (writeSync(fd, line) !== line.length) throw new Error("the disk took only a part of the line");
  } finally {
    closeSync(fd);
  }
}
