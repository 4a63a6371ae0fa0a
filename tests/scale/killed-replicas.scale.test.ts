import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { judge, type Kill, type LedgerCount } from "./chaos/judge.ts";
import { readNotes, sharedNow } from "./chaos/notes.ts";
import { describeOwnPostgres } from "./describe-postgres.ts";
import { ask, startPostgres, type TestPostgres } from "./start-postgres.ts";

const file = (name: string) => fileURLToPath(new URL(`./chaos/${name}`, import.meta.url));
const names = ["a", "b", "c", "d"];
const rounds = Number(process.env.TOOLGATE_SCALE_ROUNDS ?? 6);
/** Further rounds until so many minutes are over. */
const minutes = Number(process.env.TOOLGATE_SCALE_MINUTES ?? 0);
/** A long run is not a busier one: the ledger is verified after every round. */
const paceMs = minutes > 0 || rounds > 20 ? 500 : 10;
/** For each core, by the median of all rounds. The replicas and their database alone are less. */
const mostLoad = 3;
const skewsMs = [0, 300_000, 0, -300_000];

describeOwnPostgres("four replicas under load", () => {
  let postgres: TestPostgres;
  const folder = mkdtempSync(join(tmpdir(), "toolgate-killed-"));
  const replicas = new Map<string, ChildProcess>();
  const kills: Kill[] = [];
  let isRight = false;
  /** What was done to them, besides. */
  const done = { restarts: 0, listeners: 0, skewed: 0 };
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(async () => {
    for (const child of replicas.values()) child.kill("SIGKILL");
    await postgres.close();
    if (isRight) rmSync(folder, { recursive: true, force: true });
    else process.stderr.write(`What the replicas noted is kept in ${folder}\n`);
  });

  const kill = (name: string) => {
    const child = replicas.get(name);
    if (child?.pid === undefined || child.exitCode !== null) return;
    kills.push({ pid: child.pid, ms: sharedNow() });
    child.kill("SIGKILL");
  };
  const start = (name: string, url: string, skewMs: number) => {
    kill(name);
    if (skewMs !== 0) done.skewed++;
    const argv = ["--import", file("skewed-clock.ts"), file("replica.ts"), url, folder, name, String(paceMs)];
    const env = { ...process.env, TOOLGATE_TEST_CLOCK_MS: String(skewMs) };
    replicas.set(name, spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit"], env }));
  };

  it("lose nothing and do nothing twice while they are killed, clocks differ, listeners end and the database crashes", {
    timeout: 300_000 + rounds * 40_000 + minutes * 60_000,
    retry: 0,
  }, async () => {
    const url = await postgres.createDatabase();
    await using observer = await openStore({ stateFolder: join(folder, "observer"), postgres: { url } });
    for (const [index, name] of names.entries()) start(name, url, skewsMs[index] ?? 0);
    const written = async () =>
      Number((await ask(url, "SELECT seq FROM toolgate.ledger_head").catch(() => []))[0]?.seq ?? 0);
    const until = Date.now() + minutes * 60_000;
    let round = 0;
    let verified = 0;
    const loads: number[] = [];
    while (round < rounds || Date.now() < until) {
      round++;
      const before = await written();
      await expect.poll(written, { timeout: 180_000 }).toBeGreaterThan(before + 50);
      start(names[round % names.length] ?? "a", url, skewsMs[Math.floor(round / 3) % skewsMs.length] ?? 0);
      if (round % 3 === 0) {
        await postgres.control.stop(round % 6 === 0 ? "fast" : "immediate");
        await postgres.control.start();
        done.restarts++;
      }
      done.listeners += (await ask(url, endListeners)).length;
      await sleep(1_000);
      expect(await observer.ledger.verify(), `round ${round}`).toMatchObject({ ok: true, problems: [] });
      verified++;
      loads.push((loadavg()[0] ?? 0) / availableParallelism());
    }
    const working = () => new Set(readNotes(folder).map(({ pid }) => pid));
    for (const { pid } of replicas.values())
      await expect.poll(() => working().has(pid ?? 0), { timeout: 60_000, interval: 500 }).toBe(true);
    await Promise.all([...replicas.values()].map(end));
    expect(await observer.ledger.verify()).toMatchObject({ ok: true, problems: [] });
    // What the killed ones had begun is told.
    await expect.poll(() => observer.ledger.running(), { timeout: 60_000 }).toEqual([]);
    const load = loads.toSorted((one, two) => one - two)[Math.floor(loads.length / 2)] ?? 0;
    const { wrong, facts } = judge(folder, await readKept(url), kills);
    process.stderr.write(
      `${JSON.stringify({ rounds: round, verified, load, kills: kills.length, ...done, ...facts, ...(await countChain(url)) })}\n`,
    );
    const problems = Object.entries(wrong).filter(([, found]) =>
      typeof found === "number" ? found > 0 : found.length > 0,
    );
    isRight = problems.length === 0;
    expect(problems).toEqual([]);
    expect(facts.succeeded).toBeGreaterThan(100);
    expect(facts.answeredAndRun).toBeGreaterThan(10);
    expect(await countChain(url)).toEqual({ gaps: 0, forks: 0 });
    for (const [what, times] of Object.entries(done)) expect(times, what).toBeGreaterThan(0);
    expect(verified).toBe(round);
    if (minutes < 30) return;
    expect(facts.answeredAndRun).toBeGreaterThanOrEqual(1_000);
    // Where others use the processors, too, only a bell that is not heard is found: that takes a second.
    expect(facts.p50Ms).toBeLessThan(load <= mostLoad ? 50 : 500);
  });
});

const endListeners =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(LISTEN|SELECT pg_notify)' AND pid <> pg_backend_pid()";

/** By the rows themselves, not by what verifies them. */
async function countChain(url: string) {
  const [row] = await ask(
    url,
    `SELECT (SELECT seq FROM toolgate.ledger_head)::int - (SELECT count(*) FROM toolgate.ledger)::int AS gaps,
       (SELECT count(*) - count(DISTINCT prev) FROM toolgate.ledger_block)::int AS forks`,
  );
  return row;
}

/** In order: what runs ends, what is open is told. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, "exit");
  child.kill("SIGTERM");
  const [code, signal] = await over;
  expect([code, signal]).toEqual([0, null]);
}

async function readKept(url: string) {
  const rows = await ask(
    url,
    `SELECT call_id AS "callId", CASE WHEN kind = 'completion' AND code IS NOT NULL THEN 'refusal' ELSE kind END AS kind,
       count(*)::int AS times, count(body::json ->> 'corrects')::int AS correcting
     FROM toolgate.ledger WHERE call_id IS NOT NULL GROUP BY 1, 2`,
  );
  const answered = await ask(
    url,
    "SELECT call_id AS id FROM toolgate.approvals WHERE answered_at IS NOT NULL",
  );
  return {
    rows: rows as unknown as LedgerCount[],
    answered: new Set(answered.map(({ id }) => String(id))),
  };
}
