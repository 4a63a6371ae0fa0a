// Calls per second that one PostgreSQL carries: one replica and four, next to SQLite and to bare batched inserts of the same rows.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBinaries, whyNoBinaries } from "../tests/scale/postgres-binaries.ts";
import { startPostgres } from "../tests/scale/start-postgres.ts";
import { bar, median, quantile, round3, table } from "./measure.mjs";

const inFlight = 64;
/** At least 0.4 of the rate: at most 2.5 times the time. */
const maxTimes = 2.5;
const subjects = [
  { name: "bare inserts, 1 process", mode: "bare", processes: 1 },
  { name: "bare inserts, 4 processes", mode: "bare", processes: 4 },
  { name: "ledger, 1 replica", mode: "ledger", processes: 1, base: "bare inserts, 1 process" },
  { name: "ledger, 4 replicas", mode: "ledger", processes: 4, base: "bare inserts, 4 processes" },
  { name: "whole gate, 1 replica", mode: "gate", processes: 1, base: "bare inserts, 1 process" },
  { name: "whole gate, 4 replicas", mode: "gate", processes: 4, base: "bare inserts, 4 processes" },
  { name: "SQLite: whole gate, 1 process", mode: "gate", processes: 1, sqlite: true },
  { name: "SQLite: whole gate, 4 processes", mode: "gate", processes: 4, sqlite: true },
];

export async function run({ quick }) {
  if (findBinaries() === undefined)
    throw Object.assign(new Error(`PostgreSQL: ${whyNoBinaries}.`), { code: "WRONG_USE" });
  const rounds = quick ? 3 : 9;
  const calls = quick ? 1_000 : 4_000;
  const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-scale-"));
  const postgres = await startPostgres();
  const started = [];
  try {
    const url = await postgres.createDatabase();
    const measured = [];
    for (const subject of subjects) {
      const replicas = await startAll(subject, { url, folder });
      started.push(...replicas);
      measured.push({ ...subject, replicas, perSecond: [], p50Ms: [], p99Ms: [] });
      await measure(measured.at(-1), Math.min(calls, 2_000));
    }
    for (let round = 0; round < rounds; round++)
      for (const one of measured) {
        const { perSecond, p50Ms, p99Ms } = await measure(one, calls);
        one.perSecond.push(perSecond);
        one.p50Ms.push(p50Ms);
        one.p99Ms.push(p99Ms);
      }
    await verify(started);
    return report(measured);
  } finally {
    for (const child of started) child.disconnect();
    await Promise.all(started.map((child) => child.exitCode ?? once(child, "exit")));
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startAll({ mode, processes, sqlite = false }, { url, folder }) {
  const program = fileURLToPath(new URL("./scale/replica.mjs", import.meta.url));
  const children = [];
  for (let index = 0; index < processes; index++) {
    // Replicas are machines of their own; processes that share SQLite share a folder.
    const state = join(folder, sqlite ? `sqlite-${processes}` : `${mode}-${processes}-${index}`);
    const child = fork(program, [mode, state, String(inFlight), ...(sqlite ? [] : [url])]);
    await message(child);
    children.push(child);
  }
  return children;
}

/** All at once; the rate is that of all together, until the last of them has ended. */
async function measure({ replicas }, calls) {
  const each = Math.ceil(calls / replicas.length);
  const startedAt = performance.now();
  const answers = await Promise.all(
    replicas.map((child) => {
      child.send({ calls: each });
      return message(child);
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const took = answers.flatMap(({ tookMs }) => tookMs);
  return {
    perSecond: (each * replicas.length) / seconds,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
  };
}

async function verify(children) {
  for (const child of children) {
    child.send({ verify: true });
    const { problem } = await message(child);
    if (problem !== undefined) throw new Error(`The ledger does not verify: ${problem}`);
  }
}

function report(measured) {
  const byName = new Map(measured.map((one) => [one.name, one]));
  const times = (one, base) => spread(base.perSecond.map((rate, round) => rate / one.perSecond[round]));
  const rows = measured.map((one) => {
    const base = byName.get(one.base);
    return {
      name: one.name,
      callsPerSecond: Math.round(median(one.perSecond)),
      p50Ms: round3(median(one.p50Ms)),
      p99Ms: round3(median(one.p99Ms)),
      ...(base && { ofBare: round3(1 / times(one, base).value) }),
    };
  });
  const growth = (name) =>
    round3(1 / times(byName.get(`${name}, 4 replicas`), byName.get(`${name}, 1 replica`)).value);
  console.log(`Each call is an intent and a completion; every process has ${inFlight} calls in flight.\n`);
  console.log(
    table(
      ["", "calls/s", "p50 ms", "p99 ms", "of bare"],
      rows.map((row) => [
        row.name,
        `${row.callsPerSecond}`,
        `${row.p50Ms}`,
        `${row.p99Ms}`,
        `${row.ofBare ?? ""}`,
      ]),
    ),
  );
  const grows = { name: "from 1 replica to 4", ledger: growth("ledger"), gate: growth("whole gate") };
  console.log(`\nFrom one replica to four: ${grows.ledger} times the calls (ledger), ${grows.gate} (gate).`);
  const bars = ["ledger, 1 replica", "ledger, 4 replicas"].map((name) => {
    const one = byName.get(name);
    return bar(
      `time of ${name}, times bare inserts (2.5 is 0.4 of the rate)`,
      times(one, byName.get(one.base)),
      maxTimes,
    );
  });
  return { rows: [...rows, grows], bars };
}

function spread(values) {
  return { value: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

async function message(child) {
  const [told] = await once(child, "message");
  return told;
}
