// What a durable record costs: calls with intent and completion next to plain batched inserts of the same rows, and what a read tool waits for its record.

import { hash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { input, recordCall, recordedTool } from "./ledger/recorded-call.mjs";
import { bar, median, round3, table } from "./measure.mjs";

const inFlight = 64;
const callsPerRound = 6_000;
const rounds = 9;
const longRounds = 20;
const readsPerRound = 400;
/** At least 0.4 of the rate: at most 2.5 times the time. */
const maxTimes = 2.5;
const maxAddedUs = 100;

export async function run() {
  const { createGate, defineTool, openStore } = await import("../dist/index.js");
  const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-ledger-"));
  const store = await openStore({ stateFolder: join(folder, "state") });
  const tool = (id, permission) => recordedTool(defineTool, id, permission);
  const options = {
    tools: [tool("bench.write", "write"), tool("bench.read", "read")],
    policies: [{ name: "yes", tools: "*", action: "approve" }],
    enable: { enableAll: true },
  };
  const durable = await createGate({ ...options, store });
  const memory = await createGate(options);
  const raw = openRaw(join(folder, "raw.sqlite"));
  try {
    const dispatch = async (gate, name) => {
      const outcome = await gate.dispatch({ tool: name, input });
      if (!outcome.ok) throw new Error(outcome.error.message);
    };
    const subjects = {
      "gate, durable ledger": () => manyCalls(() => dispatch(durable, "bench.write"), store.ledger),
      "ledger alone": () =>
        manyCalls(() => recordCall(store.ledger, `call_${prefix}_${calls++}`), store.ledger),
      "raw inserts, same rows": () => raw.insert(callsPerRound),
    };
    const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
    const reads = { durable: [], memory: [] };
    for (const call of Object.values(subjects)) await call();
    for (let index = 0; index < 2_000; index++) {
      await dispatch(durable, "bench.read");
      await dispatch(memory, "bench.read");
    }
    for (let round = 0; round < rounds; round++) {
      for (const [name, call] of Object.entries(subjects)) {
        const start = performance.now();
        await call();
        times[name].push(((performance.now() - start) * 1_000) / callsPerRound);
      }
      for (const [name, gate] of Object.entries({ durable, memory })) {
        const some = [];
        for (let index = 0; index < readsPerRound; index++) {
          const start = performance.now();
          await dispatch(gate, "bench.read");
          some.push((performance.now() - start) * 1_000);
        }
        reads[name].push(median(some));
      }
    }
    // Without a pause, so that the database's log must be copied back in between, which it is otherwise in quiet moments.
    const longStart = performance.now();
    for (let round = 0; round < longRounds; round++) await subjects["ledger alone"]();
    const longUs = ((performance.now() - longStart) * 1_000) / (callsPerRound * longRounds);
    const verified = await store.ledger.verify();
    if (!verified.ok) throw new Error(`The ledger does not verify: ${verified.problems[0].message}`);
    const base = times["raw inserts, same rows"];
    const ratios = (name) => spread(times[name].map((value, round) => value / base[round]));
    const rows = Object.entries(times).map(([name, us]) => ({
      name,
      usPerCall: round3(median(us)),
      callsPerSecond: Math.round(1e6 / median(us)),
      ofRawRate: round3(1 / ratios(name).value),
    }));
    const added = spread(reads.durable.map((value, round) => value - reads.memory[round]));
    console.log(
      `${inFlight} calls in flight, each an intent and a completion; ${verified.rows} rows, all verified. One core writes, one calls.\n`,
    );
    console.log(
      table(
        ["", "us a call", "calls/s", "of raw rate"],
        rows.map((row) => [row.name, `${row.usPerCall}`, `${row.callsPerSecond}`, `${row.ofRawRate}`]),
      ),
    );
    console.log(
      `\n${callsPerRound * longRounds} calls of the ledger alone without a pause: ${round3(longUs)} us a call, ${round3(median(base) / longUs)} of the raw rate.`,
    );
    console.log(
      `A read tool, one call after the other: ${round3(median(reads.durable))} us durable, ${round3(median(reads.memory))} us in memory, ${round3(added.value)} us added.`,
    );
    return {
      rows: [
        ...rows,
        { name: "ledger alone, without a pause", usPerCall: round3(longUs) },
        { name: "read tool", durableUs: round3(median(reads.durable)), addedUs: round3(added.value) },
      ],
      bars: [
        bar(
          "time of intent and completion, times raw inserts (2.5 is 0.4 of the rate)",
          ratios("ledger alone"),
          maxTimes,
        ),
        bar("microseconds added to a read tool, median", added, maxAddedUs),
      ],
    };
  } finally {
    await durable.close();
    await memory.close();
    await store.close();
    raw.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Always `inFlight` at once, the next as soon as one has ended. */
async function manyCalls(call, ledger) {
  let next = 0;
  const lane = async () => {
    while (next < callsPerRound) await call(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  // Until everything is in the chain, not only acknowledged.
  await ledger.show(0);
}

const prefix = randomBytes(9).toString("base64url");
let calls = 0;

/** The same columns, indexes and bytes, in transactions of as many rows as there are calls in flight; nothing parsed, redacted, hashed or signed. */
function openRaw(file) {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE ledger (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, body TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, recorded_at INTEGER NOT NULL, call_id TEXT, tool TEXT,
      caller TEXT, session_id TEXT, verdict TEXT, code TEXT, duration_ms REAL) STRICT;
    CREATE INDEX by_call ON ledger (call_id);`);
  const insert = database.prepare("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const digest = hash("sha256", "row", "hex");
  const facts = {
    at: Date.now(),
    caller: "local",
    input,
    recordedAt: Date.now(),
    row: "intent",
    tool: "bench.write",
    v: 1,
  };
  const bodies = {
    intent: JSON.stringify({ ...facts, callId: `call_${prefix}_00`, permission: "write", process: prefix }),
    completion: JSON.stringify({
      ...facts,
      askedFor: "bench.write",
      callId: `call_${prefix}_00`,
      cwd: "/work",
      durationMs: 0.1,
      kind: "call",
      mode: "act",
      ok: true,
      result: "done: 3 lines",
      surface: "library",
      verdict: "allow",
    }),
  };
  let seq = 0;
  return {
    insert(count) {
      for (let done = 0; done < count; done += inFlight) {
        for (const kind of ["intent", "completion"]) {
          database.exec("BEGIN IMMEDIATE");
          for (let index = 0; index < inFlight; index++) {
            seq += 1;
            insert.run(
              seq,
              digest,
              bodies[kind],
              kind,
              Date.now(),
              Date.now(),
              `call_${prefix}_${seq}`,
              "bench.write",
              "local",
              null,
              kind === "intent" ? null : "allow",
              null,
              0.1,
            );
          }
          database.exec("COMMIT");
        }
      }
    },
    close: () => database.close(),
  };
}

function spread(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share) => sorted[Math.round((sorted.length - 1) * share)];
  return { value: median(values), low: at(0.25), high: at(0.75) };
}
