/** Random histories of approvals against a model: nothing may run without exactly one yes to exactly that. */
import fc from "fast-check";
import { expect } from "vitest";
import type { ApprovalBinding, ApprovalDesk } from "../../src/core/call/approval.ts";
import type { JsonObject } from "../../src/core/input/json.ts";
import { hashInput } from "../../src/stores/port/hash-input.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/index.ts";
import { approvalRequest } from "../unit/stores/sqlite/approval-request.ts";

interface Expected {
  state: "pending" | "approved" | "over";
  readonly session: string | undefined;
  readonly expiresAt: number;
  winner: string | undefined;
  /** What a claim must name. */
  binding: ApprovalBinding;
}

type Step =
  | { readonly do: "open"; readonly session: string | undefined; readonly lastsMs: number }
  | {
      readonly do: "answer";
      readonly of: number;
      readonly by: string;
      readonly yes: boolean;
      readonly edit: boolean;
    }
  | { readonly do: "race"; readonly of: number; readonly first: boolean; readonly second: boolean }
  | { readonly do: "claim"; readonly of: number; readonly change: Change }
  | { readonly do: "claim twice"; readonly of: number }
  | { readonly do: "forge" }
  | { readonly do: "withdraw" | "done"; readonly of: number }
  | { readonly do: "pass"; readonly ms: number };

const changes = [
  "key order",
  "one byte",
  "caller",
  "tool",
  "definition",
  "rules",
  "meaning",
  "other input",
] as const;
type Change = "nothing" | (typeof changes)[number];

const asked: JsonObject = { path: "a.txt", content: "hello", n: 1 };
const edited: JsonObject = { path: "b.txt", content: "hello", n: 1 };

/** Mostly the first ones, so that several steps meet the same approval. */
const which = fc.oneof(fc.nat(1), fc.nat(8));
const often = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const step: fc.Arbitrary<Step> = fc.oneof(
  often(
    3,
    fc.record({
      do: fc.constant("open" as const),
      session: fc.constantFrom(undefined, "s", "t"),
      lastsMs: fc.constantFrom(1, 50, 5_000, 5_000),
    }),
  ),
  often(
    4,
    fc.record({
      do: fc.constant("answer" as const),
      of: which,
      by: fc.constantFrom("ann", "ann", "bob", "agent"),
      yes: fc.constantFrom(true, true, false),
      edit: fc.boolean(),
    }),
  ),
  fc.record({ do: fc.constant("race" as const), of: which, first: fc.boolean(), second: fc.boolean() }),
  often(
    4,
    fc.record({
      do: fc.constant("claim" as const),
      of: which,
      change: fc.constantFrom<Change>("nothing", "nothing", ...changes),
    }),
  ),
  fc.record({ do: fc.constant("claim twice" as const), of: which }),
  fc.record({ do: fc.constant("forge" as const) }),
  fc.record({ do: fc.constantFrom("withdraw" as const, "done" as const), of: which }),
  fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1, 10, 49, 50, 1_000) }),
);

/** How many claims succeeded and how many were refused over all histories. */
export interface Tally {
  ran: number;
  refused: number;
}

export async function checkApprovalStates(
  createDesk: (clock: FakeClock) => ApprovalDesk,
  numRuns: number,
): Promise<Tally> {
  const tally: Tally = { ran: 0, refused: 0 };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25, size: "max" }), async (steps) => {
      const clock = createFakeClock();
      const desk = createDesk(clock);
      const history = new History(desk, clock, `${++run}-`, tally);
      for (const session of ["s", undefined]) await history.take({ do: "open", session, lastsMs: 5_000 });
      for (const one of steps) await history.take(one);
      await desk.close();
    }),
    { numRuns },
  );
  return tally;
}

class History {
  readonly #desk: ApprovalDesk;
  readonly #clock: FakeClock;
  readonly #prefix: string;
  readonly #tally: Tally;
  readonly #expected: Expected[] = [];

  constructor(desk: ApprovalDesk, clock: FakeClock, prefix: string, tally: Tally) {
    this.#desk = desk;
    this.#clock = clock;
    this.#prefix = prefix;
    this.#tally = tally;
  }

  async take(step: Step): Promise<void> {
    if (step.do === "open") return this.#open(step.session, step.lastsMs);
    if (step.do === "pass") return this.#clock.advance(step.ms);
    if (step.do === "forge") return this.#forge();
    const at = step.of % (this.#expected.length + 1);
    const id = this.#id(at);
    const one = this.#expected[at];
    if (one === undefined) return this.#unknown(id);
    if (one.state === "pending" && one.expiresAt <= this.#clock.now()) one.state = "over";
    if (step.do === "answer") await this.#answer(id, one, step);
    else if (step.do === "race") await this.#race(id, one, [step.first, step.second]);
    else if (step.do === "claim") await this.#claim(id, one, step.change);
    else if (step.do === "claim twice") await this.#claimTwice(id, one);
    else if (step.do === "done") await this.#desk.done(id);
    else {
      await this.#desk.withdraw(id);
      one.state = "over";
    }
  }

  async #open(session: string | undefined, lastsMs: number): Promise<void> {
    const createdAt = this.#clock.now();
    const binding = { ...plainBinding, inputHash: hashInput(asked) ?? "" };
    const expiresAt = createdAt + lastsMs;
    const id = this.#id(this.#expected.length);
    const opened = await this.#desk.open(
      approvalRequest(id, { ...binding, input: asked, sessionId: session, createdAt, expiresAt }),
    );
    expect(opened).toBe(true);
    this.#expected.push({ state: "pending", session, expiresAt, winner: undefined, binding });
  }

  async #answer(id: string, one: Expected, step: Step & { do: "answer" }): Promise<void> {
    const { by, yes, edit } = step;
    const result = await this.#desk.answer(id, {
      decision: yes ? "approve" : "deny",
      by,
      ...(yes && edit && { input: edited }),
    });
    const counts = one.state === "pending" && by !== "agent";
    expect(result.ok).toBe(counts);
    if (!result.ok && one.winner !== undefined) expect(result.winner?.by).toBe(one.winner);
    if (counts) this.#answered(one, by, yes, edit ? edited : asked);
  }

  #answered(one: Expected, by: string, yes: boolean, input: JsonObject): void {
    one.winner = by;
    one.state = yes ? "approved" : "over";
    one.binding = { ...one.binding, inputHash: hashInput(input) ?? "" };
    if (yes || one.session === undefined) return;
    for (const other of this.#expected) {
      if (other.state !== "pending" || other.session !== one.session || other.expiresAt <= this.#clock.now())
        continue;
      other.state = "over";
      other.winner = by;
    }
  }

  async #race(id: string, one: Expected, yes: readonly [boolean, boolean]): Promise<void> {
    const people = ["ann", "bob"] as const;
    const results = await Promise.all(
      people.map(async (by, index) =>
        this.#desk.answer(id, { decision: yes[index] ? "approve" : "deny", by }),
      ),
    );
    const winners = people.filter((_, index) => results[index]?.ok);
    expect(winners).toHaveLength(one.state === "pending" ? 1 : 0);
    const [winner] = winners;
    if (winner !== undefined) this.#answered(one, winner, yes[people.indexOf(winner)] ?? false, asked);
  }

  async #claim(id: string, one: Expected, change: Change): Promise<void> {
    const isSame = change === "nothing" || change === "key order";
    const claimed = await this.#desk.claim(id, changed(one.binding, change));
    expect(claimed).toBe(one.state === "approved" && isSame);
    this.#count(claimed);
    // Used up, also by a claim that did not fit.
    if (one.state === "approved") one.state = "over";
  }

  async #claimTwice(id: string, one: Expected): Promise<void> {
    const claims = await Promise.all([1, 2].map(async () => this.#desk.claim(id, one.binding)));
    expect(claims.filter(Boolean)).toHaveLength(one.state === "approved" ? 1 : 0);
    for (const claimed of claims) this.#count(claimed);
    if (one.state === "approved") one.state = "over";
  }

  /** Ids that were never given out, some that mean something to JavaScript or SQL. */
  async #forge(): Promise<void> {
    for (const id of ["", "__proto__", "%", "1' OR '1'='1", `${this.#prefix}99`]) await this.#unknown(id);
  }

  async #unknown(id: string): Promise<void> {
    const answered = await this.#desk.answer(id, { decision: "approve", by: "ann" });
    expect(answered).toMatchObject({ code: "unknown" });
    expect(await this.#desk.claim(id, { ...plainBinding, inputHash: hashInput(asked) ?? "" })).toBe(false);
    this.#count(false);
  }

  #count(claimed: boolean): void {
    if (claimed) this.#tally.ran++;
    else this.#tally.refused++;
  }

  #id(index: number): string {
    return `${this.#prefix}${index}`;
  }
}

const plainBinding = { caller: "agent", toolId: "fs.write", definitionHash: "def", meaningHash: "here" };

function changed(binding: ApprovalBinding, change: Change): ApprovalBinding {
  const input = binding.inputHash === hashInput(edited) ? edited : asked;
  if (change === "key order")
    return { ...binding, inputHash: hashInput(Object.fromEntries(Object.entries(input).reverse())) ?? "" };
  if (change === "one byte")
    return { ...binding, inputHash: hashInput({ ...input, content: "hellp" }) ?? "" };
  if (change === "other input")
    return { ...binding, inputHash: hashInput(input === asked ? edited : asked) ?? "" };
  if (change === "caller") return { ...binding, caller: "agent " };
  if (change === "tool") return { ...binding, toolId: "fs.Write" };
  if (change === "meaning") return { ...binding, meaningHash: "elsewhere" };
  if (change === "definition") return { ...binding, definitionHash: "deg" };
  return change === "rules" ? { ...binding, policyVersion: 2 } : binding;
}
