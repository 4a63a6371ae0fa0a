// A process that calls tools through a gate with a durable store, and dies at a named place. The survivor runs the same calls and never dies.

import { appendFileSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { createGate } = await import("../../dist/gate/create-gate.js");
const { defineTool } = await import("../../dist/core/tool/tool.js");
const { openSqlite } = await import("../../dist/stores/sqlite/open-sqlite.js");
const { createSqliteLedger } = await import("../../dist/stores/sqlite/ledger/sqlite-ledger.js");
const { createSqliteApprovals } = await import("../../dist/stores/sqlite/approvals/sqlite-approvals.js");
const { createSqliteGrants } = await import("../../dist/stores/sqlite/grants/sqlite-grants.js");
const { createSqliteLimits } = await import("../../dist/stores/sqlite/limits/sqlite-limits.js");
const { createSystemClock } = await import("../../dist/gate/system.js");

const { folder, name, point, at, survives } = JSON.parse(process.argv[2]);
const effects = openSync(join(folder, "effects.log"), "a");
const acks = openSync(join(folder, "acks.log"), "a");
const state = join(folder, "state");

const workerPoints = [
  ...["transaction-written", "transaction-committed", "answered", "checkpoint-written"],
  ...["spool-taken", "store-opening", "store-closing"],
];
const client = await openSqlite({
  stateFolder: state,
  areaOptions: { faults: { point, at } },
  modules: workerPoints.includes(point) ? [new URL("./faults.mjs", import.meta.url)] : [],
});
const ledger = createSqliteLedger(client);
const approvals = createSqliteApprovals(client, { clock: createSystemClock() });

let hits = 0;
function hit(here) {
  if (here === point && ++hits === at) process.kill(process.pid, "SIGKILL");
}

/** The real ports, with places to die before, in and after each use. */
const dyingLedger = {
  async open(intent) {
    hit("before-intent");
    const opening = ledger.open(intent);
    hit("intent-asked");
    await opening;
    hit("intent-acknowledged");
  },
  async close(record) {
    hit("before-completion");
    const closing = ledger.close(record);
    // Messages leave at the end of this turn: die when this one has left.
    if (point === "completion-sent") setImmediate(() => hit("completion-sent"));
    await closing;
    hit("completion-acknowledged");
  },
};
const dyingApprovals = {
  ...approvals,
  async open(request) {
    const opened = await approvals.open(request);
    hit("approval-asked");
    return opened;
  },
  async claim(id, binding) {
    const claimed = await approvals.claim(id, binding);
    if (claimed) hit("approval-claimed");
    return claimed;
  },
};

const tool = (id, permission, run) =>
  defineTool({ id, description: "For the crash test.", permission, input: { type: "object" }, run });
const effect = (_, { callId }) => {
  hit("before-effect");
  writeSync(effects, `${callId}\n`);
  hit("after-effect");
  return "done";
};
const gate = await createGate({
  tools: [
    tool("crash.free", "write", effect),
    tool("crash.asked", "write", effect),
    tool("crash.read", "read", () => "read"),
  ],
  policies: [
    { name: "free", tools: ["crash.free", "crash.read"], action: "approve" },
    { name: "asked", tools: "crash.asked", action: "ask" },
    { name: "denied", tools: "crash.denied", action: "deny" },
  ],
  enable: { enableAll: true },
  approver: "desk",
  defaultCaller: { id: name, capabilities: ["*"] },
  ledger: dyingLedger,
  approvalDesk: dyingApprovals,
  grantStore: createSqliteGrants(client),
  limitStore: createSqliteLimits(client),
});

async function call(id) {
  const outcome = await gate.dispatch({ tool: id, input: { by: name } });
  if (outcome.ok || outcome.error.code === "unknown_tool")
    writeSync(acks, `${outcome.callId} ${outcome.ok ? id : "refused"}\n`);
  else writeSync(acks, `error ${JSON.stringify(outcome.error.message)}\n`);
}

if (survives) await survive();
else await live();

async function live() {
  if (point === "spool-taken") {
    for (let index = 0; index < 30; index++)
      appendFileSync(join(folder, "spooled.log"), `${name}-${index}\n`);
    const day = new Date().toISOString().slice(0, 10);
    const check = {
      v: 1,
      event: "check",
      at: Date.now(),
      tool: "Bash",
      input: {},
      verdict: "allow",
      ok: true,
    };
    const lines = Array.from({ length: 30 }, (_, index) =>
      JSON.stringify({ ...check, callId: `${name}-${index}` }),
    );
    appendFileSync(join(state, "spool", `${day}.jsonl`), `${lines.join("\n")}\n`);
    await ledger.takeSpool();
  }
  const lanes = ["crash.free", "crash.asked", "crash.read", "crash.missing"].map(async (id) => {
    for (let index = 0; index < 6; index++) await call(id);
  });
  if (point === "checkpoint-written")
    for (let index = 0; index < 6; index++) {
      await sleep(1);
      await ledger.checkpoint();
    }
  await Promise.all(lanes);
  await gate.close();
  await client.close();
  // Nothing killed it: the round shows nothing, and says so.
  process.exit(7);
}

/** Calls, and answers what others ask, until its input ends. */
async function survive() {
  let over = false;
  process.stdin.on("end", () => {
    over = true;
  });
  process.stdin.resume();
  const answering = new Set();
  const look = async () => {
    for (const { id, caller } of await approvals.pending()) {
      if (answering.has(id) || caller === name) continue;
      answering.add(id);
      await approvals.answer(id, { decision: "approve", by: name });
    }
  };
  const stop = approvals.onChange(() => void look());
  process.stdout.write("ready\n");
  while (!over) {
    await call("crash.free");
    await look();
    await sleep(15);
  }
  stop();
  await gate.close();
  await client.close();
}
