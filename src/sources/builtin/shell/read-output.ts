/** Waits for and reads the new output of a background process, and writes it for a model. */
import { setTimeout } from "node:timers/promises";
import type { ToolResult } from "../../../core/call/content.ts";
import { answered } from "../../../core/call/tool-answer.ts";
import type { SafePattern } from "../../../core/ports/pattern.ts";
import { endFacts, howItEnded, seconds } from "../../../safe/process/how-it-ended.ts";
import { plainOutput } from "../../../safe/process/plain-output.ts";
import { tellPlanted } from "../../../safe/sandbox/planted.ts";
import type { BackgroundProcess } from "./processes.ts";

const settleMs = 50;

export interface ReadRequest {
  /** Undefined: where the last reader stopped. */
  readonly cursor?: number | undefined;
  /** Wait at most this long for something to read. */
  readonly waitMs: number;
  /** Only lines that match. */
  readonly filter?: SafePattern | undefined;
  /** Only the last so many lines. */
  readonly lines?: number | undefined;
}

interface NewOutput {
  readonly text: string;
  readonly cursor: number;
  readonly missed: number;
}

export async function readOutput(
  process: BackgroundProcess,
  { cursor = process.cursor, waitMs, filter, lines }: ReadRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  let found = readNow(process, cursor, filter);
  while (found.text === "" && process.end === undefined && !late.aborted) {
    await process.changed(late);
    // More of it follows at once as a rule; and a flood must not be searched again for every piece.
    await setTimeout(settleMs, undefined, { signal: late }).catch(() => {});
    found = readNow(process, cursor, filter);
  }
  process.cursor = found.cursor;
  return toResult(process, lines === undefined ? found : { ...found, text: lastOf(found.text, lines) });
}

function readNow(process: BackgroundProcess, cursor: number, filter: SafePattern | undefined): NewOutput {
  const { text, cursor: end, missed } = process.running.read(cursor);
  if (filter === undefined) return { text: plainOutput(text), cursor: end, missed };
  // An unfinished line is left for the next time: half of it may not match what the whole does.
  const whole = process.end === undefined ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  // Undecided counts as a match: better a line too many than the one that was waited for.
  const lines = plainOutput(whole)
    .split("\n")
    .filter((line) => line !== "" && filter.test(line) !== false);
  return { text: lines.join("\n"), cursor: end - (text.length - whole.length), missed };
}

function lastOf(text: string, count: number): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.slice(-count).join("\n");
}

function toResult(process: BackgroundProcess, { text, cursor, missed }: NewOutput): ToolResult {
  const { id, end, startedAt } = process;
  const parts: string[] = [];
  if (missed > 0) parts.push(`[${missed} characters before this are no longer kept.]`);
  parts.push(text === "" ? "(no new output)" : text.replace(/\n$/, ""));
  const state = end === undefined ? `running for ${seconds(Date.now() - startedAt)}` : howItEnded(end);
  parts.push(`[${id}: ${state}; cursor ${cursor}]`);
  if (end !== undefined) parts.push(...tellPlanted(end.planted, process.cwd));
  const facts = { id, running: end === undefined, cursor, missed, ...(end !== undefined && endFacts(end)) };
  return answered(parts.join("\n"), facts);
}
