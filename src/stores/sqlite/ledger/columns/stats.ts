/** The counts of `stats` over columns: by verdict, tool, caller, code and day. */
import type { LedgerStats } from "../../../../core/ports/ledger-reader.ts";
import type { StoreContext } from "../../area.ts";
import { columnsOf, kinds, verdicts } from "./columns.ts";
import { type Counting, each } from "./count-columns.ts";
import type { Names } from "./names.ts";

const shown = 50;
/** The latest of them; more change nothing that one sees. */
const mostTimes = 10_000;
const dayMs = 86_400_000;

interface ToolCount {
  count: number;
  refused: number;
  seen: number;
  readonly times: number[];
}

export function statsOf(store: StoreContext, counting: Counting): LedgerStats {
  const columns = columnsOf(store);
  const byVerdict = new Map<string, number>();
  const byTool = new Map<number, ToolCount>();
  const byCaller = new Map<number, number>();
  const byCode = new Map<number, number>();
  const byDay = new Map<number, number>();
  let [calls, unknown] = [0, 0];
  each(columns, counting, (chunk, place) => {
    if (kinds[chunk.kind[place] as number] !== "completion") {
      unknown++;
      return;
    }
    calls++;
    const verdict = verdicts[(chunk.verdict[place] as number) - 1];
    if (verdict !== undefined) add(byVerdict, verdict);
    add(byCaller, chunk.caller[place] as number);
    add(byCode, chunk.code[place] as number);
    add(byDay, Math.floor((chunk.at[place] as number) / dayMs));
    const tool = chunk.tool[place] as number;
    const one = byTool.get(tool) ?? { count: 0, refused: 0, seen: 0, times: [] };
    byTool.set(tool, one);
    one.count++;
    if (verdict === "deny") one.refused++;
    const durationMs = chunk.durationMs[place] as number;
    if (!Number.isNaN(durationMs)) one.times[one.seen++ % mostTimes] = durationMs;
  });
  return {
    calls,
    unknown,
    byVerdict: sorted([...byVerdict].map(([name, count]) => ({ name, count }))),
    byTool: sorted(
      [...byTool].flatMap(([id, { count, refused, times }]) => {
        const name = columns.tools.textOf(id);
        return name === undefined ? [] : [{ name, count, refused, medianMs: median(times) }];
      }),
    ).slice(0, shown),
    byCaller: named(byCaller, columns.callers),
    byCode: named(byCode, columns.codes),
    byDay: [...byDay]
      .sort(([one], [other]) => one - other)
      .map(([day, count]) => ({ name: new Date(day * dayMs).toISOString().slice(0, 10), count })),
  };
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function named(counts: ReadonlyMap<number, number>, names: Names) {
  const found = [...counts].flatMap(([id, count]) => {
    const name = names.textOf(id);
    return name === undefined ? [] : [{ name, count }];
  });
  return sorted(found).slice(0, shown);
}

function sorted<One extends { readonly name: string; readonly count: number }>(counts: One[]): One[] {
  return counts.sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

/** The lower of the two in the middle, to the microsecond in which it was recorded. */
function median(times: number[]): number | undefined {
  if (times.length === 0) return undefined;
  times.sort((one, other) => one - other);
  return Math.round((times[Math.ceil(times.length / 2) - 1] as number) * 1_000) / 1_000;
}
