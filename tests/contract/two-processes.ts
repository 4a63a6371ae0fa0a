/** What holds of a store while two real processes write to it: nothing is lost, nothing counts twice. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Store } from "../../src/core/ports/store.ts";
import { type BusyReport, limit, times } from "./busy-process.ts";

const program = fileURLToPath(new URL("./busy-process.ts", import.meta.url));
const run = promisify(execFile);

/** `module` exports `open(place)`, which every process calls for itself. */
export function twoProcessesContract(
  name: string,
  module: URL,
  start: () => Promise<{ readonly place: string; open(): Promise<Store> }>,
): void {
  it(`a store in ${name} keeps what two processes write at the same time`, { timeout: 60_000 }, async () => {
    const { place, open } = await start();
    const names = ["one", "two"];
    const reports = await Promise.all(
      names.map(async (own) => {
        const { stdout } = await run(process.execPath, [program, module.href, place, own]);
        return JSON.parse(stdout) as BusyReport;
      }),
    );
    const all = names.flatMap((own) => Array.from({ length: times }, (_, index) => `${own}-${index}`)).sort();
    await using store = await open();
    expect(reports.filter(({ isFirst }) => isFirst)).toHaveLength(1);
    const first = await store.pins.accepted("first");
    expect(first?.tools.map((tool) => tool.name)).toEqual([
      names[reports.findIndex(({ isFirst }) => isFirst)],
    ]);
    const pins = await store.pins.accepted("many");
    expect(pins?.tools.map((tool) => tool.name).sort()).toEqual(all);
    expect((await store.tokens.list()).tokens.map((token) => token.name).sort()).toEqual(all);
    expect(reports.reduce((sum, { passed }) => sum + passed, 0)).toBe(limit.window.max);
    const { entries } = await store.ledger.query({ session: "busy" }, { limit: 1_000 });
    expect(entries.map(({ callId }) => callId).sort()).toEqual(all);
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
    const living = await store.processes.living();
    expect(living).toEqual([store.processes.id]);
    expect(new Set(reports.map((report) => report.process)).size).toBe(2);
  });
}
