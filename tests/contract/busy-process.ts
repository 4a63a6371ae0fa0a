/** Does much to a store that another process uses, too; says what came of it in one line of JSON. Arguments: module, place, name. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../src/core/ports/store.ts";
import { acceptedPin, record, tokenRecord } from "./samples.ts";

export const times = 15;
export const limit = {
  limit: "shared",
  who: "all",
  window: { max: 20, windowMs: 600_000 },
  concurrent: undefined,
};

export interface BusyReport {
  readonly process: string;
  /** Its own first sight counts. */
  readonly isFirst: boolean;
  /** How many of its calls the limit let pass. */
  readonly passed: number;
}

const [module = "", place = "", name = ""] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) await work();

async function work(): Promise<void> {
  const { open } = (await import(module)) as { readonly open: (place: string) => Promise<Store> };
  const store = await open(place);
  const { ledger, limits, pins, tokens, processes } = store;
  // Not before both are at it, or the other has begun.
  while ((await processes.living()).length < 2 && (await pins.accepted("first")) === undefined)
    await sleep(5);
  const isFirst = (await pins.acceptFirst("first", { tools: [acceptedPin(name)] })) === undefined;
  let passed = 0;
  for (let index = 0; index < times; index++) {
    const own = `${name}-${index}`;
    await tokens.change((now) => slowly({ tokens: [...now, tokenRecord(own)], result: undefined }));
    await pins.change("many", (now) => slowly({ tools: [...now.tools, acceptedPin(own)] }));
    if ((await limits.take([limit], Date.now(), false)).ok) passed++;
    await ledger.close(record(own, { sessionId: "busy" }));
  }
  const report: BusyReport = { process: processes.id, isFirst, passed };
  await store.close();
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Between what was read and what is written: long enough that the other process gets in between, if it can. */
function slowly<Change>(change: Change): Change {
  const until = performance.now() + 3;
  while (performance.now() < until);
  return change;
}
