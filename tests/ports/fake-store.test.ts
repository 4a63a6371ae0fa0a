import { describe, expect, it } from "vitest";
import { createGate, defineTool } from "../../src/index.ts";
import { giveToken, revokeTokens } from "../../src/surfaces/http/tokens/give-token.ts";
import { createTokenCheck } from "../../src/surfaces/http/tokens/token-check.ts";
import { approvalDeskContract } from "../contract/approval-desk.ts";
import { grantStoreContract } from "../contract/grant-store.ts";
import { limitStoreContract } from "../contract/limit-store.ts";
import { storeContract } from "../contract/store.ts";
import { createFakeApprovals } from "./fake-approvals.ts";
import { createFakeGrants, createFakeLimits, createFakeStore } from "./fake-store.ts";

approvalDeskContract("a fake store", createFakeApprovals);
grantStoreContract("a fake store", createFakeGrants);
limitStoreContract("a fake store", createFakeLimits);
storeContract("a fake store", async () => {
  const store = createFakeStore();
  return { store, other: undefined, close: () => store.close() };
});

/** A gate whose store is the fake one, and a tool that writes. */
async function createWorld() {
  const store = createFakeStore();
  const ran: unknown[] = [];
  const save = defineTool({
    id: "notes.save",
    description: "Saves a note.",
    permission: "write",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: (args) => {
      ran.push((args as { text: string }).text);
      return "saved";
    },
  });
  const isAsk = { type: "argument", field: "text", operator: "equals", value: "ask" } as const;
  const gate = await createGate({
    tools: [save],
    store,
    approver: "desk",
    policies: [
      { name: "ask", tools: "notes.save", action: "ask", conditions: [isAsk] },
      { name: "all", tools: "*", action: "approve", priority: -1 },
    ],
    limits: [{ name: "few", tools: "*", max: 3, windowMs: 60_000 }],
  });
  return { store, gate, save, ran };
}

const refused = (code: string) => ({ ok: false, error: { code } });

describe("a store from outside of toolgate", () => {
  it("records a call that a gate runs, from its intent to its end", async () => {
    const { store, gate, save, ran } = await createWorld();
    const outcome = await gate.call(save, { text: "a" }, { sessionId: "s" });
    expect(outcome).toMatchObject({ ok: true, value: "saved" });
    expect(ran).toEqual(["a"]);
    const { entries } = await store.ledger.query({ session: "s", kinds: ["intent", "completion"] });
    expect(entries.map(({ kind }) => kind)).toEqual(["completion", "intent"]);
    await gate.close();
  });

  it("counts for the gate's limits", async () => {
    const { gate, save } = await createWorld();
    const ends = [];
    for (const text of ["a", "b", "c", "d"]) ends.push(await gate.call(save, { text }));
    expect(ends.map(({ ok }) => ok)).toEqual([true, true, true, false]);
    expect(ends[3]).toMatchObject({ error: { code: "rate_limited" } });
    await gate.close();
  });

  it("holds the question until somebody answers, and keeps the grant that remains", async () => {
    const { store, gate, save, ran } = await createWorld();
    const calling = gate.call(save, { text: "ask" }, { sessionId: "s" });
    await expect.poll(async () => (await store.approvals.waiting()).length).toBe(1);
    const [waiting] = await store.approvals.waiting();
    const yes = { decision: "approve", by: "ann", scope: "session" } as const;
    await store.approvals.answer(waiting?.request.id ?? "", yes);
    expect(await calling).toMatchObject({ ok: true });
    expect(await store.grants.list()).toMatchObject([{ scope: "session", by: "ann" }]);
    // The grant answers instead of a person.
    expect(await gate.call(save, { text: "ask" }, { sessionId: "s" })).toMatchObject({ ok: true });
    expect(ran).toEqual(["ask", "ask"]);
    await gate.close();
  });

  it("keeps a session in plan mode for every gate that uses it", async () => {
    const { store, gate, save, ran } = await createWorld();
    const policies = [{ name: "all", tools: "*", action: "approve" } as const];
    const second = await createGate({ tools: [save], store, policies });
    await gate.setMode("s", "plan");
    for (const one of [gate, second])
      expect(await one.call(save, { text: "a" }, { sessionId: "s" })).toMatchObject(refused("plan_mode"));
    await second.setMode("s", "act");
    expect(await gate.call(save, { text: "a" }, { sessionId: "s" })).toMatchObject({ ok: true });
    expect(ran).toEqual(["a"]);
    await Promise.all([gate.close(), second.close()]);
  });

  it("that cannot write stops the call before it runs", async () => {
    const { store, gate, save, ran } = await createWorld();
    store.fail();
    expect(await gate.call(save, { text: "a" })).toMatchObject(refused("ledger_failed"));
    expect(ran).toEqual([]);
    await gate.close();
  });

  it("holds the tokens that a server checks, also where it answers later", async () => {
    const { tokens } = createFakeStore();
    const check = createTokenCheck({ tokens });
    const { token } = await giveToken(tokens, { name: "ci", rights: ["call"] });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    expect((await check.find(token))?.caller.id).toBe("ci");
    await turn();
    await revokeTokens(tokens, ["ci"]);
    expect(await check.find(token)).toBeUndefined();
  });
});
