/** What every store must do, part by part, in one process and between two. Adding a kind of store begins here. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApprovalRecord } from "../../src/core/ports/approval-store.ts";
import type { Store } from "../../src/core/ports/store.ts";
import { approvalRequest, binding } from "../unit/stores/sqlite/approval-request.ts";
import { modeStoreContract } from "./mode-store.ts";
import { pinStoreContract } from "./pin-store.ts";
import { grantQuery, intent, record, userGrant } from "./samples.ts";
import { sessionStoreContract } from "./session-store.ts";
import { taskStoreContract } from "./task-store.ts";
import { tokenStoreContract } from "./token-store.ts";

export interface StoreWorld {
  readonly store: Store;
  /** The same store once more, as another process has it. Undefined: it cannot be shared. */
  readonly other: Store | undefined;
  close(): Promise<void>;
}

const callsOf = (entries: readonly { readonly callId: string | undefined }[]) =>
  entries.map(({ callId }) => callId);

export function storeContract(name: string, open: () => Promise<StoreWorld>): void {
  let world: StoreWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());
  let last = 0;
  const run = Math.random().toString(36).slice(2, 8);
  const next = () => `n${run}-${++last}`;

  pinStoreContract(name, () => ({ pins: world.store.pins, other: world.other?.pins }));
  tokenStoreContract(name, () => ({ tokens: world.store.tokens, other: world.other?.tokens }));
  modeStoreContract(name, () => world.store.modes);
  sessionStoreContract(name, () => ({ sessions: world.store.sessions, other: world.other?.sessions }));
  taskStoreContract(name, () => ({ tasks: world.store.tasks, other: world.other?.tasks }));

  describe(`the ledger of a store in ${name}`, () => {
    it("shows a call from its intent to its end", async () => {
      const { ledger } = world.store;
      const id = next();
      await ledger.open(intent(id));
      expect(callsOf(await ledger.running())).toContain(id);
      await ledger.close(record(id, { sessionId: id, toolUseId: `use-${id}` }));
      expect(callsOf(await ledger.running())).not.toContain(id);
      const kinds = (await ledger.show(id)).map(({ kind }) => kind);
      expect(kinds).toEqual(["intent", "completion"]);
      const [first] = await ledger.show(id);
      expect(await ledger.show(first?.seq ?? 0)).toEqual([first]);
      expect(callsOf(await ledger.show(`use-${id}`))).toContain(id);
    });

    it("finds by what a filter names, page by page, in both directions", async () => {
      const { ledger } = world.store;
      const session = next();
      const ids = [next(), next(), next()];
      for (const id of ids) await ledger.close(record(id, { sessionId: session }));
      const newest = await ledger.query({ session }, { limit: 2 });
      expect(callsOf(newest.entries)).toEqual([ids[2], ids[1]]);
      const rest = await ledger.query({ session }, { limit: 2, after: newest.next });
      expect(callsOf(rest.entries)).toEqual([ids[0]]);
      expect(callsOf((await ledger.query({ session }, { order: "oldest" })).entries)).toEqual(ids);
      expect((await ledger.query({ session, verdict: "deny" })).entries).toEqual([]);
      expect((await ledger.query({ session, tool: "x.*" })).entries).toHaveLength(3);
      expect((await ledger.query({ session, tool: "y.*" })).entries).toEqual([]);
    });

    it("counts calls by tool, caller and code", async () => {
      const { ledger } = world.store;
      const tool = `t.${next()}`;
      await ledger.close(record(next(), { tool }));
      await ledger.close(record(next(), { tool, ok: false, verdict: "deny", code: "policy_denied" }));
      const stats = await ledger.stats({ tool });
      expect(stats).toMatchObject({ calls: 2, byCode: [{ name: "policy_denied", count: 1 }] });
      expect(stats.byTool).toMatchObject([{ name: tool, count: 2, refused: 1 }]);
    });

    it("counts calls over time and by rule, as they come in, and finds as before afterwards", async () => {
      const { ledger } = world.store;
      const tool = `t.${next()}`;
      const since = Date.now() - 10_000;
      const span = { since, until: since + 20_000 };
      const rule = { kind: "policy", name: "no-push", source: { file: "/r.yaml", line: 3 } } as const;
      const refused = { ok: false, verdict: "deny", code: "policy_denied", rule } as const;
      const ids = [next(), next(), next(), next()] as const;
      await ledger.close(record(ids[0], { tool, at: since + 1, durationMs: 5 }));
      await ledger.close(record(ids[1], { tool, at: since + 2, ok: false, code: "tool_failed" }));
      await ledger.close(record(ids[2], { tool, at: since + 10_001, ...refused }));
      const { buckets, bucketMs, complete } = await ledger.histogram({ tool }, { ...span, buckets: 2 });
      expect([bucketMs, complete]).toEqual([10_000, true]);
      expect(buckets).toMatchObject([
        { at: since, allow: 2, failed: 1, deny: 0 },
        { at: since + 10_000, allow: 0, failed: 0, deny: 1 },
      ]);
      await ledger.close(record(ids[3], { tool, at: since + 10_002, ...refused }));
      const counted = await ledger.ruleCounts({ tool }, { ...span, byCode: true });
      const noPush = { name: "no-push", source: { line: 3 } };
      expect(counted.rules.filter(({ code }) => code === "policy_denied")).toMatchObject([
        { rule: noPush, count: 2, deny: 2, allow: 0, lastAt: since + 10_002 },
      ]);
      const none = await ledger.ruleCounts({ tool: `${tool}.none` }, { ...span, byCode: false });
      expect(none.rules).toEqual([]);
      const page = await ledger.query({ tool, verdict: "deny" }, { limit: 1 });
      expect(callsOf(page.entries)).toEqual([ids[3]]);
      const rest = await ledger.query({ tool, verdict: "deny" }, { limit: 5, after: page.next });
      expect(callsOf(rest.entries)).toEqual([ids[2]]);
      const oldest = await ledger.query({ tool }, { limit: 10, order: "oldest" });
      expect(callsOf(oldest.entries)).toEqual(ids);
    });

    it("takes a note, and of a state only what is new", async () => {
      const { ledger } = world.store;
      const state = next();
      const note = {
        code: "file_trusted",
        caller: state,
        surface: "cli",
        message: "m",
        at: Date.now(),
      } as const;
      for (const text of ["", "a", "a", "b"]) await ledger.note(note, { name: state, text });
      await ledger.note(note);
      const { entries } = await ledger.query({ caller: state, kinds: ["note"] });
      expect(entries).toHaveLength(3);
    });

    it("is followed until the signal aborts", async () => {
      const { ledger } = world.store;
      const session = next();
      const ending = new AbortController();
      const heard: (string | undefined)[] = [];
      const from = (await ledger.query()).entries[0]?.seq ?? 0;
      const following = (async () => {
        const followed = ledger.follow({ filter: { session }, after: from, signal: ending.signal });
        for await (const { callId } of followed) if (heard.push(callId) === 2) ending.abort();
      })();
      const ids = [next(), next()];
      for (const id of ids)
        await (world.other ?? world.store).ledger.close(record(id, { sessionId: session }));
      await following;
      expect(heard).toEqual(ids);
    });

    it("is exported whole, signed and verified", async () => {
      const { ledger } = world.store;
      const id = next();
      await ledger.close(record(id));
      expect(await ledger.takeSpool()).toEqual({ taken: 0 });
      await ledger.checkpoint();
      const verification = await ledger.verify();
      expect(verification).toMatchObject({ ok: true, problems: [] });
      expect(verification.sealedSeq).toBeGreaterThan(0);
      const lines: { type: string; seq?: number; body?: { callId?: string } }[] = [];
      for await (const line of ledger.export()) lines.push(JSON.parse(line));
      const rows = lines.filter(({ type }) => type === "row");
      expect(lines[0]?.type).toBe("ledger");
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => (rows[0]?.seq ?? 0) + index));
      expect(rows.map(({ body }) => body?.callId)).toContain(id);
    });

    it("keeps what is not old enough, and says that it can be written", async () => {
      const { ledger } = world.store;
      expect(await ledger.removeBefore(0)).toMatchObject({ removed: 0 });
      await ledger.tryOut();
    });
  });

  describe(`approvals of a store in ${name}`, () => {
    it("are shown while they wait, and found afterwards", async () => {
      const { approvals } = world.store;
      const id = next();
      let heard = 0;
      const stop = (world.other ?? world.store).approvals.onChange(() => heard++);
      await approvals.open(approvalRequest(id));
      const waiting = (await approvals.waiting()).find(({ request }) => request.id === id);
      expect(waiting).toMatchObject({ state: "pending", redactions: 0, answer: undefined });
      await approvals.answer(id, { decision: "deny", by: "ann", reason: "no" });
      expect((await approvals.waiting()).map(({ request }) => request.id)).not.toContain(id);
      expect(await approvals.find(id)).toMatchObject([{ state: "denied", answer: { by: "ann" } }]);
      expect(await approvals.find(`${id}-none`)).toEqual([]);
      await expect.poll(() => heard).toBeGreaterThan(0);
      await approvals.open(approvalRequest(`${id}-given-up`));
      heard = 0;
      await approvals.withdraw(`${id}-given-up`);
      await expect.poll(() => heard).toBeGreaterThan(0);
      stop();
    });

    it("are counted by how they ended, and shown to whoever is asked the like again", async () => {
      const { approvals } = world.store;
      const since = Date.now();
      const [yes, no, open, gone] = [next(), next(), next(), next()];
      const before = await approvals.tally(since - 1);
      for (const id of [yes, no, open, gone])
        await approvals.open(
          approvalRequest(id, { toolId: "counted.tool", sessionId: id, createdAt: since }),
        );
      await approvals.answer(yes, { decision: "approve", by: "ann" });
      await approvals.answer(no, { decision: "deny", by: "ann", reason: "not on Friday" });
      await approvals.withdraw(gone);
      const answered = (records: readonly ApprovalRecord[]) =>
        records.map(({ request, answer }) => `${request.id} ${answer?.decision}`);
      const past = await approvals.past({ tool: "counted.tool" });
      expect(answered(past)).toEqual([`${gone} undefined`, `${no} deny`, `${yes} approve`]);
      expect(await approvals.past({ tool: "counted.tool", limit: 1 })).toHaveLength(1);
      expect(await approvals.past({ tool: "no.such" })).toEqual([]);
      const records = await approvals.records([yes, no, "no-such-id"]);
      expect(answered(records).sort()).toEqual([`${yes} approve`, `${no} deny`].sort());
      expect(records.every((one) => !("sealedInput" in one))).toBe(true);
      expect(await approvals.records([])).toEqual([]);
      const counted = await approvals.tally(since - 1);
      const names = ["asked", "open", "approved", "denied", "expired", "withdrawn"] as const;
      expect(names.map((of) => counted[of] - before[of])).toEqual([4, 1, 1, 1, 0, 1]);
      expect(counted.medianMs).toBeGreaterThanOrEqual(0);
      expect(counted.p95Ms).toBeGreaterThanOrEqual(counted.medianMs ?? 0);
      await approvals.withdraw(open);
    });

    it("hold no secret that their input had", async () => {
      const { approvals } = world.store;
      const id = next();
      const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
      await approvals.open(approvalRequest(id, { input: { note: `with ${secret}` } }));
      const [found] = await approvals.find(id);
      expect(JSON.stringify(found)).not.toContain(secret);
      expect(found?.redactions).toBe(1);
      await approvals.withdraw(id);
      expect(await approvals.find(id)).toMatchObject([{ state: "withdrawn" }]);
    });

    it("end as claimed and done", async () => {
      const { approvals } = world.store;
      const id = next();
      await approvals.open(approvalRequest(id));
      await approvals.answer(id, { decision: "approve", by: "ann" });
      expect(await approvals.claim(id, binding)).toBe(true);
      expect(await approvals.find(id)).toMatchObject([{ state: "claimed" }]);
      await approvals.done(id);
      expect(await approvals.find(id)).toMatchObject([{ state: "done" }]);
    });
  });

  describe(`a store in ${name}`, () => {
    it("knows the processes that use it, this one among them", async () => {
      const { processes } = world.store;
      expect(await processes.living()).toContain(processes.id);
    });

    it("takes secrets out of text, and has no anchor that fails", () => {
      const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
      expect(world.store.redactText(`a ${secret} b`)).not.toContain(secret);
      expect(world.store.failingAnchors()).toEqual([]);
    });

    it("agrees with another process about calls, answers, grants, limits and who is there", async ({
      skip,
    }) => {
      const { store, other } = world;
      if (other === undefined) return skip("it cannot be shared");
      const id = next();
      await store.ledger.open(intent(id));
      await expect.poll(async () => callsOf(await other.ledger.running())).toContain(id);
      await store.ledger.close(record(id));

      await store.approvals.open(approvalRequest(id));
      const waiting = store.approvals.wait(id);
      expect(await other.approvals.answer(id, { decision: "approve", by: "ann" })).toEqual({ ok: true });
      expect(await waiting).toMatchObject({ state: "approved" });
      // Only where the call waits can the answer be used.
      expect(await other.approvals.claim(id, binding)).toBe(false);
      expect(await store.approvals.claim(id, binding)).toBe(true);

      await store.grants.add(userGrant({ id, toolId: id }));
      const asked = grantQuery({ toolId: id, now: Date.now() });
      expect(await other.grants.find(asked)).toMatchObject({ id });
      expect((await other.grants.list()).map((one) => one.id)).toContain(id);
      expect(await other.grants.revoke(id, "bob")).toBe(true);
      expect(await store.grants.find(asked)).toBeUndefined();

      const claims = [{ limit: id, who: "w", window: { max: 5, windowMs: 60_000 }, concurrent: undefined }];
      const now = Date.now();
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).limits.take(claims, now, false)),
      );
      expect(taken.filter(({ ok }) => ok)).toHaveLength(5);

      expect(other.processes.id).not.toBe(store.processes.id);
      expect(await store.processes.living()).toContain(other.processes.id);
    });

    // The last one: it ends the other process.
    it("goes on when another process lets go of it", async ({ skip }) => {
      const { store, other } = world;
      if (other === undefined) return skip("it cannot be shared");
      const id = next();
      await other.approvals.open(approvalRequest(id));
      await other.close();
      expect(await store.processes.living()).not.toContain(other.processes.id);
      expect(await store.approvals.find(id)).toMatchObject([{ state: "withdrawn" }]);
      await store.ledger.tryOut();
      expect(await store.ledger.verify()).toMatchObject({ ok: true });
    });
  });
}
