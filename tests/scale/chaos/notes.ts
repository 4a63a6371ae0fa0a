/** What replicas note for the judge, one line each, written before anything else happens. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Note {
  /** `begin`, `end`: of a tool's effect. `answered`: somebody else's question. `outcome`: what the caller was told. */
  readonly what: "begin" | "end" | "answered" | "outcome";
  readonly callId: string;
  readonly tool: string;
  readonly pid: number;
  /** By the clock that all processes of the machine share and nobody sets. */
  readonly ms: number;
  /** Of an effect: when the call was asked for. It was counted between then and `ms`. */
  readonly asked?: number;
  /** Of an answer: the process that waits for it. */
  readonly asker?: number;
  /** Of an outcome; undefined: it succeeded. */
  readonly code?: string | undefined;
}

const prefix = "notes-";

export function createNotes(folder: string, name: string) {
  const file = join(folder, `${prefix}${name}`);
  return (note: Omit<Note, "pid" | "ms"> & { readonly ms?: number }) =>
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, ms: sharedNow(), ...note })}\n`);
}

export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function readNotes(folder: string): Note[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as Note);
}
