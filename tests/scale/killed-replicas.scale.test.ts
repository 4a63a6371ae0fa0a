import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { ask, findPostgres, startPostgres, type TestPostgres, whyNoPostgres } from "./start-postgres.ts";
import { limit } from "./writing-replica.ts";

const own = findPostgres()?.startsWith("postgres") === false;
const program = fileURLToPath(new URL("./writing-replica.ts", import.meta.url));
const names = ["a", "b", "c", "d"];
/** TOOLGATE_SCALE_ROUNDS=300 is half an hour. */
const rounds = Number(process.env.TOOLGATE_SCALE_ROUNDS ?? 5);

describe.skipIf(!own)(
  `four replicas under load (skipped: ${whyNoPostgres}, or it is not ours to stop)`,
  () => {
    let postgres: TestPostgres;
    const folder = mkdtempSync(join(tmpdir(), "toolgate-killed-"));
    const replicas = new Map<string, ChildProcess>();
    beforeAll(async () => {
      postgres = await startPostgres();
    }, 60_000);
    afterAll(async () => {
      for (const child of replicas.values()) child.kill("SIGKILL");
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it("lose nothing and do nothing twice while they are killed, listeners end and the database crashes", {
      timeout: 120_000 + rounds * 30_000,
    }, async () => {
      const url = await postgres.createDatabase();
      const start = (name: string) => {
        replicas.get(name)?.kill("SIGKILL");
        replicas.set(name, spawn(process.execPath, [program, url, folder, name], { stdio: "ignore" }));
      };
      names.forEach(start);
      const written = async () =>
        Number((await ask(url, "SELECT seq FROM toolgate.ledger_head").catch(() => []))[0]?.seq ?? 0);
      for (let round = 1; round <= rounds; round++) {
        const before = await written();
        await expect.poll(written, { timeout: 30_000 }).toBeGreaterThan(before + 100);
        start(names[round % names.length] ?? "a");
        if (round % 3 === 0) {
          await postgres.control?.stop("immediate");
          await postgres.control?.start();
        }
        await ask(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND pid <> pg_backend_pid()",
        );
        await sleep(1_000);
      }
      for (const child of replicas.values()) child.kill("SIGKILL");
      await sleep(500);

      await using store = await openStore({ stateFolder: join(folder, "a"), postgres: { url } });
      expect(await store.ledger.verify()).toMatchObject({ ok: true, problems: [] });
      const rows = await ask(
        url,
        "SELECT kind || ' ' || call_id AS name, count(*)::int AS times FROM toolgate.ledger WHERE call_id IS NOT NULL GROUP BY 1",
      );
      const times = new Map(rows.map((row) => [row.name, row.times]));
      const lines = readdirSync(folder)
        .filter((name) => name.startsWith("acknowledged-"))
        .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
      const passed = lines.filter((line) => line.startsWith("passed "));
      const acknowledged = lines.filter((line) => !line.startsWith("passed "));
      expect(acknowledged.length).toBeGreaterThan(300);
      expect(acknowledged.filter((line) => !times.has(line))).toEqual([]);
      expect(rows.filter((row) => row.times !== 1)).toEqual([]);
      expect(passed.length).toBeLessThanOrEqual(limit.window.max);
      // What the killed ones had begun is told, once, and never together with an end.
      expect(await store.ledger.running()).toEqual([]);
      const both = await ask(
        url,
        "SELECT call_id FROM toolgate.ledger WHERE kind IN ('completion', 'unknown') GROUP BY 1 HAVING count(*) > 1",
      );
      expect(both).toEqual([]);
    });
  },
);
