import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PostgresContext } from "../../src/stores/postgres/context.ts";
import { createPostgresLimits, type PostgresLimits } from "../../src/stores/postgres/limits.ts";
import { openContext } from "../../src/stores/postgres/open-context.ts";
import { describePostgres } from "./describe-postgres.ts";
import { mostWithin } from "./most-within.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { ask, createDatabase } from "./start-postgres.ts";

const hungry = fileURLToPath(new URL("./hungry-process.ts", import.meta.url));
const askedInASecond = 60;
const minute = { max: 1_200, windowMs: 60_000 };
const hour = { max: 60_000, windowMs: 3_600_000 };

/** Time is given with each call, so hours pass as fast as the database answers. */
describePostgres("leased limits on four replicas", () => {
  let url: string;
  let contexts: PostgresContext[];
  let replicas: PostgresLimits[];
  const folder = scratchFolder();
  beforeAll(async () => {
    url = await createDatabase();
    contexts = [];
    for (const name of ["a", "b", "c", "d"])
      contexts.push((await openContext({ url }, { stateFolder: join(folder, name) })).context);
    replicas = contexts.map(createPostgresLimits);
  }, 60_000);
  afterAll(async () => {
    for (const limits of replicas) await limits.close();
    for (const { bells, db } of contexts) {
      await bells.close();
      await db.close();
    }
  }, 60_000);

  interface Asking {
    readonly limit: string;
    readonly window: { readonly max: number; readonly windowMs: number };
    /** When this second begins. */
    readonly at: number;
  }
  /** The times at which calls passed. A replica that is refused asks no more in this second. */
  const askInSecond = async (limits: PostgresLimits, { limit, window, at }: Asking): Promise<number[]> => {
    const passed: number[] = [];
    for (let count = 0; count < askedInASecond; count++) {
      const now = at + Math.floor((count * 1_000) / askedInASecond);
      const claim = { limit, who: "all", window, concurrent: undefined };
      if (!(await limits.take([claim], now, false)).ok) break;
      passed.push(now);
    }
    return passed;
  };
  const chunks = async (limit: string) => {
    const [row] = await ask(
      url,
      "SELECT max(calls)::int AS most, sum(calls)::int AS counted FROM toolgate.limit_calls WHERE limit_name = $1",
      [limit],
    );
    return { most: Number(row?.most), counted: Number(row?.counted) };
  };

  /** What all replicas pass in the second with this number. */
  const secondOf =
    (limit: string, window: Asking["window"], start = Math.floor(Date.now() / 1_000) * 1_000) =>
    async (number: number) => {
      const asking = { limit, window, at: start + number * 1_000 };
      return (await Promise.all(replicas.map((limits) => askInSecond(limits, asking)))).flat();
    };

  it.for([200, 700, 1_500])(
    "never pass more than %i in any ten seconds, whoever asks",
    { timeout: 120_000 },
    async (max) => {
      const window = { max, windowMs: 10_000 };
      const claim = { limit: `ten-${max}`, who: "all", window, concurrent: undefined };
      const passed: number[] = [];
      // In such a short window it counts that all have the same time: for three windows, all ask sixty times a second.
      for (let asked = 0, start = Date.now(); asked < 30 * askedInASecond; asked++) {
        const now = start + Math.floor((asked * 1_000) / askedInASecond);
        const answers = await Promise.all(replicas.map((limits) => limits.take([claim], now, false)));
        passed.push(...answers.filter(({ ok }) => ok).map(() => now));
      }
      expect(mostWithin(passed, window.windowMs)).toBeLessThanOrEqual(max);
      expect(passed.length).toBeGreaterThan(max * 2.5);
      // A chunk is one row, where each call by itself would be one.
      expect((await chunks(`ten-${max}`)).most).toBeGreaterThan(1);
    },
  );

  it.for([
    ["minute", minute],
    ["hour", hour],
  ] as const)(
    "never pass more than the maximum in any %s, and nearly all of it",
    {
      timeout: 240_000,
    },
    async ([name, window]) => {
      const second = secondOf(name, window);
      const passed: number[] = [];
      const spend = Math.ceil(window.max / (replicas.length * askedInASecond)) + 20;
      for (let number = 0; number < spend; number++) passed.push(...(await second(number)));
      expect((await chunks(name)).most).toBeGreaterThan(1);
      const first = passed.length;
      expect(first).toBeLessThanOrEqual(window.max);
      expect(first).toBeGreaterThan(window.max * 0.9);
      // In the middle nothing is free but what was given back; at the end the first ones leave one after the other.
      const seconds = window.windowMs / 1_000;
      for (const from of [Math.floor(seconds / 2), seconds - 3])
        for (let number = from; number < from + 12; number++) passed.push(...(await second(number)));
      for (let number = 2 * seconds; number < 2 * seconds + spend; number++)
        passed.push(...(await second(number)));
      expect(passed.length).toBeGreaterThan(first + window.max * 0.9);
      expect(mostWithin(passed, window.windowMs)).toBeLessThanOrEqual(window.max);
      process.stderr.write(
        `${window.max} a ${name}: ${first} in the first one, at most ${mostWithin(passed, window.windowMs)} in any\n`,
      );
    },
  );

  it.for([
    ["minute", minute],
    ["hour", hour],
  ] as const)(
    "lose at most a twentieth with a replica that is killed, and only for a %s and a second",
    {
      timeout: 120_000,
    },
    async ([name, window]) => {
      const limit = `dead-${name}`;
      const home = join(folder, limit);
      const argv = [hungry, url, home, limit, String(window.max), String(window.windowMs)];
      const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      const { most, counted } = await chunks(limit);
      expect(most).toBeGreaterThan(1);
      const used = statSync(join(home, "passed")).size;
      expect(counted - used).toBeLessThanOrEqual(window.max / 20);
      const spend = async (from: number) => {
        let passed = 0;
        const second = secondOf(limit, window, from);
        for (let number = 0; number < 600; number++) {
          const some = (await second(number)).length;
          passed += some;
          if (some === 0) break;
        }
        return passed;
      };
      const [last] = await ask(url, "SELECT max(at) AS at FROM toolgate.limit_calls WHERE limit_name = $1", [
        limit,
      ]);
      const free = Number(last?.at) + window.windowMs;
      expect(free).toBeLessThanOrEqual(Date.now() + window.windowMs + 1_001);
      const passed = await spend(free);
      expect(passed).toBeGreaterThanOrEqual(window.max * 0.95);
      expect(passed).toBeLessThanOrEqual(window.max);
    },
  );
});
