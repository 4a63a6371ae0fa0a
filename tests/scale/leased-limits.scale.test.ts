import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore, type Store } from "../../src/open/open-store.ts";
import { describePostgres } from "./describe-postgres.ts";
import { mostWithin } from "./most-within.ts";
import { ask, createDatabase } from "./start-postgres.ts";

const windowMs = 10_000;
const hungry = fileURLToPath(new URL("./hungry-process.ts", import.meta.url));

describePostgres("limits that many processes ask for all the time", () => {
  let url: string;
  let stores: Store[];
  const folder = mkdtempSync(join(tmpdir(), "toolgate-leases-"));
  beforeAll(async () => {
    url = await createDatabase();
    stores = [];
    for (const name of ["a", "b", "c", "d"])
      stores.push(await openStore({ stateFolder: join(folder, name), postgres: { url } }));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);
  const claim = (limit: string, max: number) => ({
    limit,
    who: "all",
    window: { max, windowMs },
    concurrent: undefined,
  });
  /** Asks until then; the times at which a call passed. */
  const hunger = async (store: Store, limit: string, max: number, untilMs: number) => {
    const passed: number[] = [];
    for (const end = performance.now() + untilMs; performance.now() < end; ) {
      const before = performance.now();
      const at = Date.now();
      // Counted when it is asked for, whenever the answer comes.
      if ((await store.limits.take([claim(limit, max)], at, false)).ok) passed.push(at);
      // A pace that comes near the maximum of one window in a few seconds.
      await sleep(Math.max(0, 8 - (performance.now() - before)));
    }
    return passed;
  };

  it.for([200, 700, 1_500])(
    "never pass more than %i in any window, whoever asks",
    { timeout: 120_000 },
    async (max) => {
      const limit = `l${max}`;
      const passed = (
        await Promise.all(stores.map((store) => hunger(store, limit, max, windowMs + 4_000)))
      ).flat();
      // A chunk is taken a moment after its first call asked.
      const most = mostWithin(passed, windowMs - 100);
      process.stderr.write(
        `at most ${max} in ${windowMs} ms: ${passed.length} passed, at most ${most} in a window\n`,
      );
      expect(most).toBeLessThanOrEqual(max);
      expect(most).toBeGreaterThan(Math.min(max, passed.length) * 0.5);
      // A chunk is one row, where each call by itself would be one.
      const [row] = await ask(
        url,
        "SELECT max(calls)::int AS chunk FROM toolgate.limit_calls WHERE limit_name = $1",
        [limit],
      );
      expect(Number(row?.chunk)).toBeGreaterThan(1);
    },
  );

  it("give back what is not spent: the maximum is free again when the window has passed", {
    timeout: 120_000,
  }, async () => {
    const max = 400;
    const argv = [hungry, url, join(folder, "killed"), "dead", String(max), String(windowMs)];
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    await sleep(windowMs + 1_500);
    let passed = 0;
    for (let asked = 0; asked < max + 20; asked += 20) {
      const answers = Array.from({ length: 20 }, () =>
        (stores[0] as Store).limits.take([claim("dead", max)], Date.now(), false),
      );
      passed += (await Promise.all(answers)).filter(({ ok }) => ok).length;
    }
    expect(passed).toBeLessThanOrEqual(max);
    expect(passed).toBeGreaterThan(max * 0.9);
  });
});
