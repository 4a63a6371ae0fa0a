/** What every approval desk must do: answered once, used once, and only for exactly what was approved. */
import { describe, expect, it } from "vitest";
import type { ApprovalAnswer, ApprovalDesk, ApprovalRequest } from "../../src/core/call/approval.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/index.ts";
import { approvalRequest, binding } from "../unit/stores/sqlite/approval-request.ts";

export interface DeskOptions {
  readonly clock: FakeClock;
  readonly hashInput: (input: unknown) => string | undefined;
  readonly rejectOthers?: boolean;
  readonly maxPending?: number;
}

const hashInput = (input: unknown) =>
  typeof input === "symbol" ? undefined : `hash of ${JSON.stringify(input)}`;
const refused = (code: string) => ({ ok: false, code });

export function approvalDeskContract(
  name: string,
  create: (options: DeskOptions) => ApprovalDesk | Promise<ApprovalDesk>,
): void {
  async function createDesk(options: Partial<DeskOptions> = {}, clock = createFakeClock()) {
    const desk = await create({ clock, hashInput, ...options });
    const meaning = { paths: [{ path: "/workspace/a", inside: true }], programs: [] };
    const open = async (id: string, parts: Partial<ApprovalRequest> = {}) => {
      const times = { createdAt: clock.now(), expiresAt: clock.now() + 1_000 };
      return desk.open(approvalRequest(id, { sessionId: "s", meaning, ...times, ...parts }));
    };
    const approve = (id: string, more: Partial<ApprovalAnswer> = {}) =>
      desk.answer(id, { decision: "approve", by: "ann", ...more });
    const deny = (id: string, more: Partial<ApprovalAnswer> = {}) =>
      desk.answer(id, { decision: "deny", by: "ann", ...more });
    const waiting = async () => (await desk.pending()).map(({ id }) => id);
    return { desk, clock, open, approve, deny, waiting };
  }

  /** A desk with these requests, all alike. */
  async function deskWith(...ids: string[]) {
    const made = await createDesk();
    for (const id of ids) await made.open(id);
    return made;
  }

  describe(`the approval desk in ${name}`, () => {
    it("shows what waits until it is answered", async () => {
      const { approve, waiting } = await deskWith("a", "b");
      expect(await waiting()).toEqual(["a", "b"]);
      await approve("a");
      expect(await waiting()).toEqual(["b"]);
    });

    it("keeps which agent asks", async () => {
      const { desk, open } = await createDesk();
      const agent = { name: "someone", version: "1.2", tool: "their_shell", subAgent: { id: "7" } };
      await open("a", { agent });
      await open("b");
      expect((await desk.pending()).map(({ agent: kept }) => kept)).toEqual([agent, undefined]);
    });

    it("hands the answer to the one who waits", async () => {
      const { desk, approve } = await deskWith("a");
      const end = desk.wait("a");
      expect(await approve("a", { scope: "session" })).toEqual({ ok: true });
      expect(await end).toMatchObject({ state: "approved", answer: { by: "ann", scope: "session" } });
    });

    it.each(["approve", "deny"] as const)(
      "takes one answer, and tells whoever comes second who won: %s",
      async (decision) => {
        const { desk, approve, deny } = await deskWith("a");
        await desk.answer("a", { decision, by: "ann" });
        const told = { winner: { by: "ann", decision }, message: expect.stringContaining("ann") };
        for (const again of [approve, deny])
          expect(await again("a", { by: "bob" })).toMatchObject({ ...refused("already_answered"), ...told });
        expect(await desk.claim("a", binding)).toBe(decision === "approve");
      },
    );

    it("lets one of many answers that race win, and tells all others the same winner", async () => {
      const { desk, approve, deny } = await deskWith("a");
      const end = desk.wait("a");
      const people = ["ann", "bob", "cy", "di"];
      const results = await Promise.all(
        people.map(async (by, index) => (index % 2 === 0 ? approve : deny)("a", { by })),
      );
      const winners = people.filter((_, index) => results[index]?.ok);
      expect(winners).toHaveLength(1);
      expect(await end).toMatchObject({ answer: { by: winners[0] } });
      for (const result of results) if (!result.ok) expect(result.winner?.by).toBe(winners[0]);
    });

    it("is claimed once it is approved, by one of many claims that race", async () => {
      const { desk, approve } = await deskWith("a");
      expect(await desk.claim("a", binding)).toBe(false);
      await approve("a");
      const claims = await Promise.all([1, 2, 3, 4].map(async () => desk.claim("a", binding)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      await desk.done("a");
      expect(await desk.claim("a", binding)).toBe(false);
    });

    it("holds only under the same rules, where the claim names them", async () => {
      const { desk, approve } = await deskWith("a", "b");
      for (const id of ["a", "b"]) await approve(id);
      expect(await desk.claim("a", { ...binding, policyVersion: 2 })).toBe(false);
      expect(await desk.claim("b", { ...binding, policyVersion: 1 })).toBe(true);
    });

    it("hands an edited input over as it was given", async () => {
      const { desk, approve } = await deskWith("a");
      const end = desk.wait("a");
      const input = { token: "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", list: [1, null, "ü"] };
      await approve("a", { input });
      expect(await end).toMatchObject({ state: "approved", answer: { input } });
    });

    it.each(["caller", "toolId", "definitionHash", "inputHash"] as const)(
      "is void for another %s, also for a second try",
      async (field) => {
        const { desk, approve } = await deskWith("a");
        await approve("a");
        expect(await desk.claim("a", { ...binding, [field]: "other" })).toBe(false);
        expect(await desk.claim("a", binding)).toBe(false);
      },
    );

    it("binds an edited input by its own hash", async () => {
      const { desk, approve } = await deskWith("a", "b");
      for (const id of ["a", "b"]) await approve(id, { input: { n: 2 } });
      expect(await desk.claim("a", binding)).toBe(false);
      expect(await desk.claim("b", { ...binding, inputHash: hashInput({ n: 2 }) ?? "" })).toBe(true);
    });

    it("lets nobody answer their own request", async () => {
      const { approve, deny, waiting } = await deskWith("a");
      for (const answer of [approve, deny])
        expect(await answer("a", { by: "agent" })).toMatchObject(refused("self_approval"));
      expect(await waiting()).toHaveLength(1);
    });

    it.each([
      ["nobody gives", { by: "" }],
      ["says neither yes nor no", { decision: "maybe" }],
      ["has an unknown scope", { scope: "forever" }],
      ["covers something else", { covers: "everything" }],
      ["has already expired", { scope: "user", expiresInMs: 0 }],
      ["carries an input that is no data", { input: Symbol("no") }],
    ])("refuses an answer that %s, and the request goes on waiting", async (_, answer) => {
      const { approve, waiting } = await deskWith("a");
      expect(await approve("a", answer as never)).toMatchObject(refused("bad_answer"));
      expect(await waiting()).toHaveLength(1);
    });

    it("knows no request that was never opened", async () => {
      const { desk, approve } = await createDesk();
      expect(await approve("constructor")).toMatchObject(refused("unknown"));
      expect(await desk.claim("__proto__", binding)).toBe(false);
      await desk.withdraw("nothing");
    });

    it("lets a request expire, and no sooner", async () => {
      const { desk, clock, approve, waiting } = await deskWith("a");
      const end = desk.wait("a");
      await clock.advance(999);
      expect(await waiting()).toHaveLength(1);
      await clock.advance(1);
      expect(await end).toEqual({ state: "expired" });
      expect(await approve("a")).toMatchObject(refused("expired"));
      expect(await waiting()).toEqual([]);
      expect(await desk.claim("a", binding)).toBe(false);
    });

    it.each([
      ["forward", 3_600_000],
      ["back", -3_600_000],
    ])("takes an answer exactly as long as the call waits, also when the date moves %s", async (_, ms) => {
      const fake = createFakeClock();
      let shift = 0;
      const clock: FakeClock = { ...fake, now: () => fake.now() + shift, waitingTimers: 0 };
      const { desk, open, approve, waiting } = await createDesk({ clock }, clock);
      for (const id of ["a", "b", "c"]) await open(id, { caller: `agent-${id}` });
      const [first, second, third] = ["a", "b", "c"].map((id) => desk.wait(id));
      await clock.advance(500);
      shift = ms;
      expect(await waiting()).toEqual(["a", "b", "c"]);
      expect(await approve("a")).toEqual({ ok: true });
      expect(await first).toMatchObject({ state: "approved" });
      await clock.advance(499);
      expect(await approve("b")).toEqual({ ok: true });
      expect(await second).toMatchObject({ state: "approved" });
      await clock.advance(1);
      expect(await third).toEqual({ state: "expired" });
      expect(await approve("c")).toMatchObject(refused("expired"));
      shift = -ms;
      expect(await approve("c")).toMatchObject(refused("expired"));
      expect(await waiting()).toEqual([]);
    });

    it("withdraws what the caller gave up", async () => {
      const { desk, approve, waiting } = await deskWith("a");
      const end = desk.wait("a");
      await desk.withdraw("a");
      expect(await end).toEqual({ state: "withdrawn" });
      expect(await approve("a")).toMatchObject(refused("withdrawn"));
      expect(await waiting()).toEqual([]);
    });

    it("withdraws an approval that was not used", async () => {
      const { desk, approve } = await deskWith("a");
      await approve("a");
      await desk.withdraw("a");
      expect(await desk.claim("a", binding)).toBe(false);
    });

    it("rejects with a denial what else waits in the same session of the same caller, and nothing else", async () => {
      const { desk, open, deny, waiting } = await deskWith("a", "same");
      await open("other-session", { sessionId: "t" });
      await open("other-caller", { caller: "agent-2" });
      await open("no-session", { sessionId: undefined });
      const same = desk.wait("same");
      await deny("a", { reason: "no" });
      expect(await same).toMatchObject({ state: "denied", becauseOf: "a", answer: { reason: "no" } });
      expect(await waiting()).toEqual(["other-session", "other-caller", "no-session"]);
    });

    it("rejects nothing along with a call that belongs to no session", async () => {
      const { open, deny, waiting } = await createDesk();
      for (const id of ["a", "b"]) await open(id, { sessionId: undefined });
      await deny("a");
      expect(await waiting()).toHaveLength(1);
    });

    it("rejects only the one when told so", async () => {
      const { open, deny, waiting } = await createDesk({ rejectOthers: false });
      for (const id of ["a", "b"]) await open(id);
      await deny("a");
      expect(await waiting()).toEqual(["b"]);
    });

    it("leaves an approval that is not used yet alone when another is denied", async () => {
      const { desk, approve, deny } = await deskWith("a", "b");
      await approve("a");
      await deny("b");
      expect(await desk.claim("a", binding)).toBe(true);
    });

    it("takes no more requests than it can hold, and more again when some are answered", async () => {
      const { open, deny, waiting } = await createDesk({ maxPending: 2 });
      expect([await open("a"), await open("b"), await open("c")]).toEqual([true, true, false]);
      expect(await waiting()).toHaveLength(2);
      await deny("a");
      expect(await open("d")).toBe(true);
    });

    it("keeps a quarter of its places from a caller that has taken all others", async () => {
      const { open } = await createDesk({ maxPending: 4 });
      for (const id of ["a", "b", "c"]) expect(await open(id)).toBe(true);
      expect(await open("d")).toBe(false);
      expect(await open("e", { caller: "other" })).toBe(true);
      expect(await open("f", { caller: "third" })).toBe(false);
    });

    it("ends everything that waits when it closes", async () => {
      const { desk, clock, waiting } = await deskWith("a");
      const end = desk.wait("a");
      await desk.close();
      expect(await end).toEqual({ state: "withdrawn" });
      expect(await waiting()).toEqual([]);
      expect(clock.waitingTimers).toBe(0);
    });
  });
}
