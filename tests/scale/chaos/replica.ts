/**
 * One gate of several on a shared database: calls tools, asks for approval, answers what others asked, and notes all of
 * it, until it is killed or told to end. Arguments: URL, folder, name, milliseconds between the calls of a lane.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "../../../src/core/tool/tool.ts";
import type { Gate } from "../../../src/gate/gate.ts";
import { createGate } from "../../../src/open/create-gate.ts";
import { openStore, type Store } from "../../../src/open/open-store.ts";
import { busy, limits } from "./limits.ts";
import { createNotes, sharedNow } from "./notes.ts";

const [url = "", folder = "", name = "", pace = "10"] = process.argv.slice(2);
const paceMs = Number(pace);
const note = createNotes(folder, name);
let isOver = false;
process.once("SIGTERM", () => {
  isOver = true;
});

const tool = (id: string, effectMs = 0) =>
  defineTool({
    id,
    description: "Has an effect that must not happen twice.",
    permission: "write",
    input: {
      type: "object",
      properties: { asked: { type: "number" } },
      required: ["asked"],
      additionalProperties: false,
    },
    async run(input, { callId }) {
      const { asked } = input as { readonly asked: number };
      note({ what: "begin", callId, tool: id, asked });
      if (effectMs > 0) await sleep(effectMs);
      note({ what: "end", callId, tool: id });
      return "done";
    },
  });

const { store, gate } = await openPatiently();
const answering = answerOthers(store);
const lanes = ["write", "write", "few", "some", "held", "held", "asked", "asked"].map(async (which) => {
  while (!isOver) {
    const outcome = await gate.dispatch({
      tool: `chaos.${which}`,
      input: { asked: sharedNow() },
      sessionId: `${name}-${process.pid}`,
    });
    const { callId } = outcome;
    note({
      what: "outcome",
      callId,
      tool: `chaos.${which}`,
      code: outcome.ok ? undefined : outcome.error.code,
    });
    await sleep(paceMs);
  }
});
const asking = askForLeases(store);
// Questions that nobody answers any more are withdrawn with the gate.
await Promise.race([Promise.all(lanes), untilOver().then(() => sleep(3_000))]);
await gate.close();
await Promise.all([...lanes, answering, asking]);
await store.close();

async function untilOver(): Promise<void> {
  while (!isOver) await sleep(50);
}

/** Neither starts while the database is away. */
async function openPatiently(): Promise<{ store: Store; gate: Gate }> {
  for (;;) {
    let store: Store | undefined;
    try {
      store = await openStore({ stateFolder: join(folder, name), postgres: { url } });
      return { store, gate: await open(store) };
    } catch {
      await store?.close().catch(() => {});
      await sleep(200);
    }
  }
}

function open(store: Store): Promise<Gate> {
  return createGate({
    store,
    builtin: false,
    tools: [
      tool("chaos.write"),
      tool("chaos.few"),
      tool("chaos.some"),
      tool("chaos.held", 20),
      tool("chaos.asked"),
    ],
    policies: [
      { name: "ask", tools: "chaos.asked", action: "ask", priority: 1 },
      { name: "yes", tools: "*", action: "approve" },
    ],
    limits,
    approver: "desk",
  });
}

/** So often that it leases. Noted before it is asked for: a chunk counts as used later than any use. */
async function askForLeases({ limits: leased }: Store): Promise<void> {
  const claim = { limit: "busy", who: "all", window: busy, concurrent: undefined };
  while (!isOver) {
    const ms = sharedNow();
    const answer = await Promise.resolve(leased.take([claim], Date.now(), false)).catch(() => undefined);
    if (answer?.ok === true)
      note({ what: "begin", callId: `${name}-${process.pid}-${ms}`, tool: "busy", ms, asked: ms });
    await sleep(answer?.ok === true ? 25 : 1_000);
  }
}

/** Never its own: whoever answers is another replica than the one that waits. */
async function answerOthers({ approvals }: Store): Promise<void> {
  let woken = Promise.withResolvers<void>();
  approvals.onChange(() => woken.resolve());
  while (!isOver) {
    await Promise.race([woken.promise, sleep(1_000)]);
    woken = Promise.withResolvers<void>();
    const waiting = await approvals.waiting().catch(() => []);
    const ofOthers = waiting.filter(({ request }) => request.sessionId?.startsWith(`${name}-`) === false);
    await Promise.all(
      ofOthers.map(async ({ request: { id, callId, sessionId } }) => {
        const ms = sharedNow();
        try {
          const { ok } = await approvals.answer(id, { decision: "approve", by: "ann" });
          if (ok)
            note({
              what: "answered",
              callId,
              tool: "chaos.asked",
              ms,
              asker: Number(sessionId?.split("-")[1]),
            });
        } catch {
          // Nobody was told that it was answered.
        }
      }),
    );
  }
}
