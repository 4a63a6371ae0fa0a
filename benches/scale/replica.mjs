// One process of the benchmark: calls through a gate, a ledger alone, or bare inserts. Arguments: mode, state folder,
// calls in flight, and the URL of a database where records are kept there.

import { randomBytes } from "node:crypto";
import { createGate, defineTool, openStore } from "../../dist/index.js";
import { input, recordCall, recordedTool } from "../ledger/recorded-call.mjs";
import { openBare } from "./bare.mjs";

const [mode, stateFolder, inFlight, url] = process.argv.slice(2);
const prefix = randomBytes(9).toString("base64url");
let made = 0;

const { call, verify, close } = mode === "bare" ? await openBare(url) : await openOurs();

process.on("message", async ({ calls, verify: isAsked }) => {
  if (isAsked) return process.send({ problem: await verify() });
  const tookMs = [];
  let next = 0;
  const lane = async () => {
    while (next++ < calls) {
      const startedAt = performance.now();
      await call(`call_${prefix}_${++made}`);
      tookMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, lane));
  process.send({ tookMs });
});
process.once("disconnect", close);
process.send("ready");

async function openOurs() {
  const store = await openStore({ stateFolder, ...(url && { postgres: { url } }) });
  const gate = await createGate({
    store,
    tools: [recordedTool(defineTool, "bench.write", "write")],
    policies: [{ name: "yes", tools: "*", action: "approve" }],
    enable: { enableAll: true },
  });
  return {
    async call(callId) {
      if (mode === "ledger") return recordCall(store.ledger, callId);
      const outcome = await gate.dispatch({ tool: "bench.write", input });
      if (!outcome.ok) throw new Error(outcome.error.message);
    },
    async verify() {
      const { ok, problems } = await store.ledger.verify();
      return ok ? undefined : problems[0].message;
    },
    async close() {
      await gate.close();
      await store.close();
    },
  };
}
