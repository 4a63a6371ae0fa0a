/** `toolgate audit tail|query|show|stats`: what the ledger holds. */
import type { LedgerEntry, LedgerFilter } from "../../../../core/ports/ledger-reader.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { openOwnStore } from "../../open/own-store.ts";
import {
  type CliIo,
  exitCodes,
  explainNoEnd,
  fail,
  jsonLine,
  type ListOptions,
  printJson,
  printList,
} from "../../terminal/io.ts";
import { formatTable } from "../../terminal/table.ts";
import { describeEntry, entriesTable, entryLine, shownMs } from "./describe-entry.ts";
import { type FilterOptions, readFilter } from "./filter.ts";

type AuditOptions = FilterOptions & ListOptions;

interface TailOptions extends AuditOptions {
  readonly lines?: string | undefined;
  readonly follow?: boolean | undefined;
}

export async function runAuditTail(options: TailOptions, io: CliIo): Promise<number> {
  const lines = wholeNumber(options.lines ?? "10", 0, 1_000);
  if (lines === undefined) return fail("--lines takes a number from 0 to 1000.", io);
  const endless = options.follow === true ? explainNoEnd(options, "-f") : undefined;
  if (endless !== undefined) return fail(endless, io);
  const read = readFilter(options, Date.now());
  if (!read.ok) return fail(read.message, io);
  await using store = await openOwnStore(io);
  const filter = withNotes(read.filter);
  const last = lines === 0 ? [] : (await store.ledger.query(filter, { limit: lines })).entries;
  const entries = last.toReversed();
  if (!printList(entries, options, io)) io.out(describeLast(entries, options, io));
  if (options.follow !== true) return exitCodes.ok;
  const after = entries.at(-1)?.seq ?? (await newestSeq(store));
  for await (const entry of store.ledger.follow({ filter, after, signal: io.signal }))
    io.out(options.ndjson === true ? jsonLine(entry) : entryLine(entry, io));
  return exitCodes.ok;
}

/** More lines may follow: then the columns cannot be fitted to those that are here. */
function describeLast(entries: readonly LedgerEntry[], { follow }: TailOptions, io: CliIo): string {
  if (follow === true) return entries.map((one) => entryLine(one, io)).join("");
  return entries.length === 0 ? "There are no such records.\n" : entriesTable(entries, io);
}

/** Notes too: they say who changed what the gate lets pass. */
function withNotes(filter: LedgerFilter): LedgerFilter {
  return { ...filter, kinds: filter.kinds ?? ["completion", "unknown", "note"] };
}

async function newestSeq({ ledger }: Awaited<ReturnType<typeof openOwnStore>>): Promise<number | undefined> {
  const kinds = ["intent", "completion", "unknown", "end", "note"] as const;
  return (await ledger.query({ kinds }, { limit: 1 })).entries[0]?.seq;
}

interface QueryOptions extends AuditOptions {
  readonly limit?: string | undefined;
  readonly after?: string | undefined;
  readonly oldest?: boolean | undefined;
}

export async function runAuditQuery(options: QueryOptions, io: CliIo): Promise<number> {
  const limit = wholeNumber(options.limit ?? "50", 1, 1_000);
  if (limit === undefined) return fail("--limit takes a number from 1 to 1000.", io);
  const after =
    options.after === undefined ? undefined : wholeNumber(options.after, 0, Number.MAX_SAFE_INTEGER);
  if (options.after !== undefined && after === undefined)
    return fail("--after takes the number of a record.", io);
  const read = readFilter(options, Date.now());
  if (!read.ok) return fail(read.message, io);
  await using store = await openOwnStore(io);
  const order = options.oldest === true ? ("oldest" as const) : ("newest" as const);
  const { entries, next } = await store.ledger.query(withNotes(read.filter), { limit, order, after });
  if (!printList(entries, options, io))
    io.out(entries.length === 0 ? "There are no such records.\n" : entriesTable(entries, io));
  if (next !== undefined) io.err(`There are more: add --after ${next}.\n`);
  return exitCodes.ok;
}

export async function runAuditShow(
  { call: id, ...options }: ListOptions & { readonly call: string },
  io: CliIo,
): Promise<number> {
  await using store = await openOwnStore(io);
  const entries = await store.ledger.show(/^\d+$/.test(id) ? Number(id) : id);
  if (entries.length === 0) {
    const where = "toolgate audit query lists calls by number, and with --json by id";
    return fail(`There is no record of a call "${visible(id)}"; ${where}.`, io);
  }
  if (!printList(entries, options, io)) io.out(entries.map((one) => describeEntry(one, io)).join("\n"));
  return exitCodes.ok;
}

export async function runAuditStats(options: AuditOptions, io: CliIo): Promise<number> {
  const read = readFilter(options, Date.now());
  if (!read.ok) return fail(read.message, io);
  await using store = await openOwnStore(io);
  const stats = await store.ledger.stats(read.filter);
  if (options.json === true) return printJson(stats, io);
  if (stats.calls === 0) {
    io.out("There are no such records.\n");
    return exitCodes.ok;
  }
  const counts = (list: readonly { name: string; count: number }[]) =>
    list.map(({ name, count }) => `${visible(name)} ${count}`).join(", ");
  const unknown = stats.unknown === 0 ? "" : `; of ${stats.unknown} nobody knows how they ended`;
  io.out(`${plural(stats.calls, "call")}: ${counts(stats.byVerdict)}${unknown}\n\n`);
  const rows = stats.byTool.map(({ name, count, refused, medianMs }) => [
    name,
    String(count),
    String(refused),
    medianMs === undefined ? "" : shownMs(medianMs),
  ]);
  io.out(formatTable(["TOOL", "CALLS", "REFUSED", "MEDIAN"], rows, io));
  if (stats.byCode.length > 0) io.out(`\nRefused or failed: ${counts(stats.byCode)}\n`);
  io.out(`Callers: ${counts(stats.byCaller)}\nDays: ${counts(stats.byDay)}\n`);
  return exitCodes.ok;
}

export function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}
