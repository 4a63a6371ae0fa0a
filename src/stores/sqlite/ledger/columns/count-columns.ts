/** Counts over columns: by time, and by rule. */
import type {
  LedgerFilter,
  LedgerHistogram,
  LedgerRuleCount,
  LedgerRuleCounts,
} from "../../../../core/ports/ledger-reader.ts";
import { matchesName } from "../../../../core/tool/tool-pattern.ts";
import type { StoreContext } from "../../area.ts";
import { type Chunk, type Columns, columnsOf, kinds, placeOf, verdicts } from "./columns.ts";

export interface Counting {
  readonly filter: LedgerFilter;
  readonly since: number;
  /** Not included. */
  readonly until: number;
  /** Records that also fit what columns do not hold. Undefined: all. */
  readonly only?: Float64Array | undefined;
}

/** How many durations of one bucket are sorted; more of them change nothing that one sees. */
const mostTimes = 2_000;

export function histogram(
  store: StoreContext,
  { buckets, ...counting }: Counting & { readonly buckets: number },
): Omit<LedgerHistogram, "complete"> {
  const { since, until } = counting;
  const bucketMs = Math.max(1, (until - since) / buckets);
  const counts = Array.from({ length: buckets }, (_, index) => ({
    at: since + index * bucketMs,
    ...{ allow: 0, ask: 0, deny: 0, abstain: 0, failed: 0, unknown: 0 },
  }));
  const times = counts.map(() => ({ seen: 0, kept: [] as number[] }));
  const columns = columnsOf(store);
  const scanned = each(columns, counting, (chunk, place) => {
    const index = Math.min(buckets - 1, Math.floor(((chunk.at[place] as number) - since) / bucketMs));
    const bucket = counts[index];
    const time = times[index];
    if (bucket === undefined || time === undefined) return;
    if (kinds[chunk.kind[place] as number] === "unknown") bucket.unknown++;
    const verdict = verdicts[(chunk.verdict[place] as number) - 1];
    if (verdict === undefined) return;
    bucket[verdict]++;
    if (verdict === "allow" && chunk.code[place] !== 0) bucket.failed++;
    const durationMs = chunk.durationMs[place] as number;
    if (Number.isNaN(durationMs)) return;
    time.kept[time.seen++ % mostTimes] = durationMs;
  });
  return {
    since,
    until,
    bucketMs,
    scanned,
    buckets: counts.map((bucket, index) => ({ ...bucket, ...percentiles(times[index]?.kept ?? []) })),
  };
}

function percentiles(kept: number[]): { readonly p50Ms?: number; readonly p95Ms?: number } {
  if (kept.length === 0) return {};
  kept.sort((one, other) => one - other);
  const part = (share: number) => round(kept[Math.ceil(kept.length * share) - 1] ?? 0);
  return { p50Ms: part(0.5), p95Ms: part(0.95) };
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

export function countRules(
  store: StoreContext,
  { byCode, ...counting }: Counting & { readonly byCode: boolean },
): Omit<LedgerRuleCounts, "complete"> {
  const columns = columnsOf(store);
  const found = new Map<number, Omit<LedgerRuleCount, "rule" | "code"> & Counted>();
  const records = each(columns, counting, (chunk, place) => {
    const rule = chunk.rule[place] as number;
    const code = byCode ? (chunk.code[place] as number) : 0;
    if (rule === 0 && code === 0) return;
    const key = rule * 65_536 + code;
    const one = found.get(key) ?? { rule, code, count: 0, lastAt: 0, allow: 0, ask: 0, deny: 0 };
    found.set(key, one);
    one.count++;
    one.lastAt = Math.max(one.lastAt, chunk.at[place] as number);
    if (chunk.asked[place] === 1) one.ask++;
    else if (chunk.verdict[place] === 3) one.deny++;
    else one.allow++;
  });
  const rules = [...found.values()]
    .sort((one, other) => other.count - one.count)
    .map(({ rule, code, ...counts }) => ({
      rule: columns.rules.ruleOf(rule),
      code: columns.codes.textOf(code),
      ...counts,
    }));
  return { rules, records };
}

interface Counted {
  readonly rule: number;
  readonly code: number;
  count: number;
  lastAt: number;
  allow: number;
  ask: number;
  deny: number;
}

export interface Finding {
  readonly filter: LedgerFilter;
  /** From this record on, in this direction. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** Undefined: the filter asks for what columns do not hold. */
export function findInColumns(columns: Columns, { filter, from, to, limit }: Finding): number[] | undefined {
  const { text, toolUseId, notCalls, since = Number.NEGATIVE_INFINITY } = filter;
  if (text !== undefined || toolUseId !== undefined || notCalls !== undefined) return undefined;
  const fits = compile(columns, { filter, since, until: filter.until ?? Number.POSITIVE_INFINITY });
  const step = from <= to ? 1 : -1;
  const found: number[] = [];
  for (let seq = from; step > 0 ? seq <= to : seq >= to; seq += step) {
    if (!fits(columns.chunkOf(seq), placeOf(seq))) continue;
    found.push(seq);
    if (found.length === limit) break;
  }
  return found;
}

/** Looks at every record that fits. Returns how many were looked at. */
export function each(
  columns: Columns,
  counting: Counting,
  take: (chunk: Chunk, place: number) => void,
): number {
  const { only } = counting;
  const fits = compile(columns, counting);
  if (only !== undefined) {
    for (const seq of only) {
      if (seq < columns.first || seq >= columns.end) continue;
      const chunk = columns.chunkOf(seq);
      if (fits(chunk, placeOf(seq))) take(chunk, placeOf(seq));
    }
    return only.length;
  }
  let chunk: Chunk | undefined;
  for (let seq = columns.first; seq < columns.end; seq++) {
    const place = placeOf(seq);
    if (chunk === undefined || place === 0) chunk = columns.chunkOf(seq);
    if (fits(chunk, place)) take(chunk, place);
  }
  return columns.end - columns.first;
}

function compile(
  columns: Columns,
  { filter, since, until }: Counting,
): (chunk: Chunk, at: number) => boolean {
  const { tool, caller, session, verdict, code } = filter;
  const wanted = new Set((filter.kinds ?? ["completion", "unknown"]).map((kind) => kinds.indexOf(kind)));
  const tools = tool === undefined ? undefined : columns.tools.idsWhere((name) => matchesName(tool, name));
  // What nobody has ever had is in no record.
  const idOf = (names: Columns["callers"], text: string | undefined) =>
    text === undefined ? undefined : (names.find(text) ?? -1);
  const callerId = idOf(columns.callers, caller);
  const sessionId = idOf(columns.sessions, session);
  const codeId = idOf(columns.codes, code);
  const verdictId = verdict === undefined ? undefined : verdicts.indexOf(verdict) + 1;
  return (chunk, place) => {
    const at = chunk.at[place] as number;
    return (
      at >= since &&
      at < until &&
      wanted.has(chunk.kind[place] as number) &&
      (verdictId === undefined || chunk.verdict[place] === verdictId) &&
      (callerId === undefined || chunk.caller[place] === callerId) &&
      (sessionId === undefined || chunk.session[place] === sessionId) &&
      (codeId === undefined || chunk.code[place] === codeId) &&
      (tools === undefined || tools.has(chunk.tool[place] as number))
    );
  };
}
