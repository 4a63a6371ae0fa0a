/** Writes to a shared store until it is killed, and notes what was acknowledged. Arguments: URL, folder, name. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore, type Store } from "../../src/open/open-store.ts";
import { intent, record } from "../contract/samples.ts";

/** Shared by all of them, and much less than they ask for. */
export const limit = {
  limit: "shared",
  who: "all",
  window: { max: 40, windowMs: 3_600_000 },
  concurrent: undefined,
};

const [url = "", folder = "", name = ""] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) await work(await openPatiently());

async function openPatiently(): Promise<Store> {
  for (;;) {
    try {
      return await openStore({ stateFolder: join(folder, name), postgres: { url } });
    } catch {
      await sleep(200);
    }
  }
}

/** One line each, after the promise resolved: `intent ID`, `completion ID`, `passed ID`. */
async function work({ ledger, limits }: Store): Promise<void> {
  const note = (line: string) => appendFileSync(join(folder, `acknowledged-${name}`), `${line}\n`);
  let calls = 0;
  const writers = Array.from({ length: 4 }, async () => {
    for (;;) {
      const id = `${name}-${process.pid}-${++calls}`;
      try {
        await ledger.open(intent(id));
        note(`intent ${id}`);
        if (calls % 10 === 0 && (await limits.take([limit], Date.now(), false)).ok) note(`passed ${id}`);
        await ledger.close(record(id));
        note(`completion ${id}`);
      } catch {
        await sleep(30);
      }
      await sleep(8);
    }
  });
  await Promise.all(writers);
}
