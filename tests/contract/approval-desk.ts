/** What every approval desk must do: answered once, used once, and only for exactly what was approved. */
import { describe, expect, it } from "vitest";
import type { ApprovalDesk, ApprovalRequest } from "../../src/core/call/approval.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/index.ts";

export interface DeskOptions {
  readonly clock: FakeClock;
  readonly hashInput: (input: unknown) => string | undefined;
  readonly rejectOthers?: boolean;
  readonly maxPending?: number;
}

export function approvalDeskContract(
  name: string,
  create: (options: DeskOptions) => ApprovalDesk | Promise<ApprovalDesk>,
): void {
  const binding = {
    caller: "agent",
    toolId: "x.run",
    definitionHash: "def",
    inputHash: "in",
    meaningHash: "here",
  };
  const hashInput = (input: unknown) =>
    typeof input === "symbol" ? undefined : `hash of ${JSON.stringify(input)}`;

  async function createDesk(options: Partial<DeskOptions> = {}, clock = createFakeClock()) {
    const desk = await create({ clock, hashInput, ...options });
    const open = async (id: string, parts: Partial<ApprovalRequest> = {}) => {
      const now = clock.now();
      const facts = {
        callId: "call",
        sessionId: "s",
        toolUseId: undefined,
        project: "/workspace",
        title: "t",
        description: "d",
        input: {},
        meaning: { paths: [{ path: "/workspace/a", inside: true }], programs: [] },
      };
      return desk.open({
        id,
        ...binding,
        ...facts,
        policyVersion: 1,
        reason: "r",
        rule: undefined,
        createdAt: now,
        expiresAt: now + 1_000,
        ...parts,
      });
    };
    return { desk, clock, open };
  }

  describe(`the approval desk in ${name}`, () => {
    it("shows what waits until it is answered", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      await open("b");
      expect((await desk.pending()).map(({ id }) => id)).toEqual(["a", "b"]);
      await desk.answer("a", { decision: "approve", by: "ann" });
      expect((await desk.pending()).map(({ id }) => id)).toEqual(["b"]);
    });

    it("keeps which agent asks", async () => {
      const { desk, open } = await createDesk();
      const agent = { name: "someone", version: "1.2", tool: "their_shell", subAgent: { id: "7" } };
      await open("a", { agent });
      await open("b");
      expect((await desk.pending()).map(({ agent: kept }) => kept)).toEqual([agent, undefined]);
    });

    it("hands the answer to the one who waits", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      const waiting = desk.wait("a");
      expect(await desk.answer("a", { decision: "approve", by: "ann", scope: "session" })).toEqual({
        ok: true,
      });
      expect(await waiting).toMatchObject({ state: "approved", answer: { by: "ann", scope: "session" } });
    });

    it("takes one answer and no second", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      await open("b", { sessionId: "other" });
      await desk.answer("a", { decision: "approve", by: "ann" });
      await desk.answer("b", { decision: "deny", by: "ann" });
      expect(await desk.answer("a", { decision: "deny", by: "bob" })).toMatchObject({
        ok: false,
        code: "already_answered",
      });
      expect((await desk.answer("b", { decision: "approve", by: "bob" })).ok).toBe(false);
      expect(await desk.claim("b", binding)).toBe(false);
    });

    it.each(["approve", "deny"] as const)("tells whoever comes second who won: %s", async (decision) => {
      const { desk, open } = await createDesk();
      await open("a");
      await desk.answer("a", { decision, by: "ann" });
      const second = await desk.answer("a", { decision: "approve", by: "bob" });
      expect(second).toMatchObject({
        ok: false,
        code: "already_answered",
        winner: { by: "ann", decision },
        message: expect.stringContaining("ann"),
      });
    });

    it("lets one of many answers that race win, and tells all others the same winner", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      const waiting = desk.wait("a");
      const people = ["ann", "bob", "cy", "di"];
      const results = await Promise.all(
        people.map(async (by, index) =>
          desk.answer("a", { decision: index % 2 === 0 ? "approve" : "deny", by }),
        ),
      );
      const winners = people.filter((_, index) => results[index]?.ok);
      expect(winners).toHaveLength(1);
      expect(await waiting).toMatchObject({ answer: { by: winners[0] } });
      for (const result of results) if (!result.ok) expect(result.winner?.by).toBe(winners[0]);
    });

    it("is claimed by one of many claims that race", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      await desk.answer("a", { decision: "approve", by: "ann" });
      const claims = await Promise.all([1, 2, 3, 4].map(async () => desk.claim("a", binding)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      await desk.done("a");
      expect(await desk.claim("a", binding)).toBe(false);
    });

    it("holds only under the same rules, where the claim names them", async () => {
      const { desk, open } = await createDesk();
      for (const id of ["a", "b"]) {
        await open(id);
        await desk.answer(id, { decision: "approve", by: "ann" });
      }
      expect(await desk.claim("a", { ...binding, policyVersion: 2 })).toBe(false);
      expect(await desk.claim("b", { ...binding, policyVersion: 1 })).toBe(true);
    });

    it("hands an edited input over as it was given", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      const waiting = desk.wait("a");
      const input = { token: "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", list: [1, null, "ü"] };
      await desk.answer("a", { decision: "approve", by: "ann", input });
      expect(await waiting).toMatchObject({ state: "approved", answer: { input } });
    });

    it("is claimed once, by exactly what was approved", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      expect(await desk.claim("a", binding)).toBe(false);
      await desk.answer("a", { decision: "approve", by: "ann" });
      expect(await desk.claim("a", binding)).toBe(true);
      expect(await desk.claim("a", binding)).toBe(false);
    });

    it.each(["caller", "toolId", "definitionHash", "inputHash"] as const)(
      "is void for another %s, also for a second try",
      async (field) => {
        const { desk, open } = await createDesk();
        await open("a");
        await desk.answer("a", { decision: "approve", by: "ann" });
        expect(await desk.claim("a", { ...binding, [field]: "other" })).toBe(false);
        expect(await desk.claim("a", binding)).toBe(false);
      },
    );

    it("binds an edited input by its own hash", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      await open("b");
      await desk.answer("a", { decision: "approve", by: "ann", input: { n: 2 } });
      await desk.answer("b", { decision: "approve", by: "ann", input: { n: 2 } });
      expect(await desk.claim("a", binding)).toBe(false);
      expect(await desk.claim("b", { ...binding, inputHash: hashInput({ n: 2 }) ?? "" })).toBe(true);
    });

    it("lets nobody answer their own request", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      for (const decision of ["approve", "deny"] as const) {
        expect(await desk.answer("a", { decision, by: "agent" })).toMatchObject({
          ok: false,
          code: "self_approval",
        });
      }
      expect(await desk.pending()).toHaveLength(1);
    });

    it.each([
      ["nobody gives", { decision: "approve", by: "" }],
      ["says neither yes nor no", { decision: "maybe", by: "ann" }],
      ["has an unknown scope", { decision: "approve", by: "ann", scope: "forever" }],
      ["covers something else", { decision: "approve", by: "ann", covers: "everything" }],
      ["has already expired", { decision: "approve", by: "ann", scope: "user", expiresInMs: 0 }],
      ["carries an input that is no data", { decision: "approve", by: "ann", input: Symbol("no") }],
    ])("refuses an answer that %s, and the request goes on waiting", async (_, answer) => {
      const { desk, open } = await createDesk();
      await open("a");
      expect(await desk.answer("a", answer as never)).toMatchObject({ ok: false, code: "bad_answer" });
      expect(await desk.pending()).toHaveLength(1);
    });

    it("knows no request that was never opened", async () => {
      const { desk } = await createDesk();
      expect(await desk.answer("constructor", { decision: "approve", by: "ann" })).toMatchObject({
        ok: false,
        code: "unknown",
      });
      expect(await desk.claim("__proto__", binding)).toBe(false);
      await desk.withdraw("nothing");
    });

    it("lets a request expire, and no sooner", async () => {
      const { desk, clock, open } = await createDesk();
      await open("a");
      const waiting = desk.wait("a");
      await clock.advance(999);
      expect(await desk.pending()).toHaveLength(1);
      await clock.advance(1);
      expect(await waiting).toEqual({ state: "expired" });
      expect(await desk.answer("a", { decision: "approve", by: "ann" })).toMatchObject({
        ok: false,
        code: "expired",
      });
      expect(await desk.pending()).toEqual([]);
      expect(await desk.claim("a", binding)).toBe(false);
    });

    it.each([
      ["forward", 3_600_000],
      ["back", -3_600_000],
    ])("takes an answer exactly as long as the call waits, also when the date moves %s", async (_, ms) => {
      const fake = createFakeClock();
      let shift = 0;
      const clock: FakeClock = { ...fake, now: () => fake.now() + shift, waitingTimers: 0 };
      const { desk, open } = await createDesk({ clock }, clock);
      const approve = (id: string) => desk.answer(id, { decision: "approve", by: "ann" });
      for (const id of ["a", "b", "c"]) await open(id, { caller: `agent-${id}` });
      const [first, second, third] = ["a", "b", "c"].map((id) => desk.wait(id));
      await clock.advance(500);
      shift = ms;
      expect((await desk.pending()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
      expect(await approve("a")).toEqual({ ok: true });
      expect(await first).toMatchObject({ state: "approved" });
      await clock.advance(499);
      expect(await approve("b")).toEqual({ ok: true });
      expect(await second).toMatchObject({ state: "approved" });
      await clock.advance(1);
      expect(await third).toEqual({ state: "expired" });
      expect(await approve("c")).toMatchObject({ ok: false, code: "expired" });
      shift = -ms;
      expect(await approve("c")).toMatchObject({ ok: false, code: "expired" });
      expect(await desk.pending()).toEqual([]);
    });

    it("withdraws what the caller gave up", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      const waiting = desk.wait("a");
      await desk.withdraw("a");
      expect(await waiting).toEqual({ state: "withdrawn" });
      expect(await desk.answer("a", { decision: "approve", by: "ann" })).toMatchObject({
        ok: false,
        code: "withdrawn",
      });
      expect(await desk.pending()).toEqual([]);
    });

    it("withdraws an approval that was not used", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      await desk.answer("a", { decision: "approve", by: "ann" });
      await desk.withdraw("a");
      expect(await desk.claim("a", binding)).toBe(false);
    });

    it("rejects with a denial what else waits in the same session of the same caller, and nothing else", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      await open("same");
      await open("other-session", { sessionId: "t" });
      await open("other-caller", { caller: "agent-2" });
      await open("no-session", { sessionId: undefined });
      const same = desk.wait("same");
      await desk.answer("a", { decision: "deny", by: "ann", reason: "no" });
      expect(await same).toMatchObject({ state: "denied", becauseOf: "a", answer: { reason: "no" } });
      expect((await desk.pending()).map(({ id }) => id)).toEqual([
        "other-session",
        "other-caller",
        "no-session",
      ]);
    });

    it("rejects nothing along with a call that belongs to no session", async () => {
      const { desk, open } = await createDesk();
      await open("a", { sessionId: undefined });
      await open("b", { sessionId: undefined });
      await desk.answer("a", { decision: "deny", by: "ann" });
      expect(await desk.pending()).toHaveLength(1);
    });

    it("rejects only the one when told so", async () => {
      const { desk, open } = await createDesk({ rejectOthers: false });
      await open("a");
      await open("b");
      await desk.answer("a", { decision: "deny", by: "ann" });
      expect((await desk.pending()).map(({ id }) => id)).toEqual(["b"]);
    });

    it("leaves an approval that is not used yet alone when another is denied", async () => {
      const { desk, open } = await createDesk();
      await open("a");
      await open("b");
      await desk.answer("a", { decision: "approve", by: "ann" });
      await desk.answer("b", { decision: "deny", by: "ann" });
      expect(await desk.claim("a", binding)).toBe(true);
    });

    it("takes no more requests than it can hold, and more again when some are answered", async () => {
      const { desk, open } = await createDesk({ maxPending: 2 });
      expect([await open("a"), await open("b"), await open("c")]).toEqual([true, true, false]);
      expect(await desk.pending()).toHaveLength(2);
      await desk.answer("a", { decision: "deny", by: "ann" });
      expect(await open("d")).toBe(true);
    });

    it("keeps a quarter of its places from a caller that has taken all others", async () => {
      const { open } = await createDesk({ maxPending: 4 });
      expect([await open("a"), await open("b"), await open("c"), await open("d")]).toEqual([
        true,
        true,
        true,
        false,
      ]);
      expect(await open("e", { caller: "other" })).toBe(true);
      expect(await open("f", { caller: "third" })).toBe(false);
    });

    it("ends everything that waits when it closes", async () => {
      const { desk, clock, open } = await createDesk();
      await open("a");
      const waiting = desk.wait("a");
      await desk.close();
      expect(await waiting).toEqual({ state: "withdrawn" });
      expect(await desk.pending()).toEqual([]);
      expect(clock.waitingTimers).toBe(0);
    });
  });
}
