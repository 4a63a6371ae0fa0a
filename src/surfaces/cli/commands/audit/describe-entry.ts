/** Records for people: a row of a table, or all that is known about a call. */
import type { Json, JsonObject } from "../../../../core/input/json.ts";
import { isJsonObject } from "../../../../core/input/json.ts";
import type { LedgerEntry } from "../../../../core/ports/ledger-reader.ts";
import { visible } from "../../../../core/text/visible.ts";
import { type Colours, coloursFor } from "../../terminal/colours.ts";
import type { CliIo } from "../../terminal/io.ts";
import { formatTable } from "../../terminal/table.ts";
import { cutToWidth, padToWidth, terminalWidth, textWidth } from "../../terminal/text-width.ts";

const headings = ["SEQ", "TIME", "VERDICT", "TOOL", "CALLER", "TOOK", "WHAT"];

export function entriesTable(entries: readonly LedgerEntry[], io: CliIo): string {
  return formatTable(headings, entries.map(rowOf), io);
}

/** For records that come one by one: widths of columns are not known in advance. */
export function entryLine(entry: LedgerEntry, io: CliIo): string {
  const cells = rowOf(entry).map((cell) => visible(cell));
  const [seq = "", time = "", verdict = "", tool = "", caller = "", took = "", what = ""] = cells;
  const before = `${seq.padStart(6)}  ${time}  `;
  const told = verdict.padEnd(8);
  const rest = `  ${padToWidth(tool, 18)}  ${caller}  ${took}  ${what}`;
  const width = terminalWidth(io);
  const colour = verdictColour(verdict, coloursFor(io));
  // The first columns have a known width; a terminal that is narrower than them is nobody's.
  const room = width === undefined ? undefined : Math.max(1, width - textWidth(before + told));
  return `${before}${colour(told)}${room === undefined ? rest : cutToWidth(rest, room)}\n`;
}

function rowOf({ seq, at, kind, tool, body }: LedgerEntry): string[] {
  const duration = typeof body.durationMs === "number" ? shownMs(body.durationMs) : "";
  return [
    String(seq),
    shownTime(at),
    verdictOf(kind, body),
    tool ?? "",
    textOf(body.caller) ?? textOf(body.agent) ?? "",
    duration,
    whatOf(body),
  ];
}

function verdictOf(kind: LedgerEntry["kind"], body: JsonObject): string {
  if (kind === "completion") return textOf(body.verdict) ?? kind;
  return kind;
}

/** Why a call was refused; of other records what they are about. */
function whatOf(body: JsonObject): string {
  const code = textOf(body.code);
  if (code !== undefined) return `${code}: ${(textOf(body.message) ?? "").replace(/\s*\n\s*/g, " ")}`;
  if (body.input !== undefined && isJsonObject(body.input)) return JSON.stringify(body.input);
  return textOf(body.message) ?? textOf(body.what) ?? "";
}

/** All fields of a record, one a line, nothing cut. */
export function describeEntry(entry: LedgerEntry, io: CliIo): string {
  const colours = coloursFor(io);
  const { seq, hash, kind, at, callId, tool, body } = entry;
  const title = colours.bold(`${kind} ${seq}`);
  const facts: Record<string, Json | undefined> = { time: shownTime(at), call: callId, tool, ...body, hash };
  const lines = Object.entries(facts)
    .filter(([name, value]) => value !== undefined && !shownAbove.has(name))
    .map(([name, value]) => `  ${name.padEnd(12)} ${indented(shownValue(value as Json))}`);
  return `${title}\n${lines.join("\n")}\n`;
}

const shownAbove = new Set(["callId", "at", "kind", "seq"]);

function shownValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function indented(text: string): string {
  return visible(text, { keepNewlines: true })
    .trimEnd()
    .replaceAll("\n", `\n${" ".repeat(15)}`);
}

/** Local time, to the second. */
export function shownTime(at: number): string {
  const time = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

export function shownMs(ms: number): string {
  return ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms < 10_000
      ? `${Math.round(ms)} ms`
      : `${Math.round(ms / 1000)} s`;
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function verdictColour(verdict: string, colours: Colours): (text: string) => string {
  if (verdict === "deny" || verdict === "unknown") return colours.red;
  if (verdict === "ask" || verdict === "note") return colours.yellow;
  return verdict === "allow" ? colours.green : colours.dim;
}
