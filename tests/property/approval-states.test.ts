import { describe, expect, it } from "vitest";
import type { ApprovalDesk, ApprovalRequest } from "../../src/core/call/approval.ts";
import { createMemoryApprovals } from "../../src/stores/memory/memory-approvals.ts";
import { hashInput } from "../../src/stores/port/hash-input.ts";
import { createSqliteApprovals } from "../../src/stores/sqlite/approvals/sqlite-approvals.ts";
import type { FakeClock } from "../../src/testing/index.ts";
import { sharedStore } from "../unit/stores/sqlite/temporary-store.ts";
import { checkApprovalStates } from "./approval-states.ts";

const inMemory = (clock: FakeClock) => createMemoryApprovals({ clock, hashInput });

describe("nothing runs without a matching approval, whatever happens to it", () => {
  const store = sharedStore(["approvals"]);

  it("in memory", async () => {
    const { ran, refused } = await checkApprovalStates(inMemory, 1_500);
    expect(ran).toBeGreaterThan(200);
    expect(refused).toBeGreaterThan(2_000);
  });

  it("in SQLite", async () => {
    const { ran, refused } = await checkApprovalStates(
      (clock) => createSqliteApprovals(store(), { clock }),
      60,
    );
    expect(ran).toBeGreaterThan(5);
    expect(refused).toBeGreaterThan(100);
  });
});

/** Desks with a mistake that somebody could make. */
const broken: Readonly<Record<string, (desk: ApprovalDesk) => Partial<ApprovalDesk>>> = {
  "takes a yes for any input": (desk) => {
    const asked = new Map<string, ApprovalRequest>();
    return {
      open: (request) => {
        asked.set(request.id, request);
        return desk.open(request);
      },
      claim: (id, binding) =>
        desk.claim(id, { ...binding, inputHash: asked.get(id)?.inputHash ?? binding.inputHash }),
    };
  },
  "lets an approval be used twice": (desk) => {
    const used = new Set<string>();
    return {
      claim: async (id, binding) => {
        if (await desk.claim(id, binding)) used.add(id);
        return used.has(id);
      },
    };
  },
  "lets the one who asks answer": (desk) => ({
    answer: (id, answer) =>
      desk.answer(id, { ...answer, by: answer.by === "agent" ? "agent's friend" : answer.by }),
  }),
  "forgets whom it was given to": (desk) => ({
    claim: (id, binding) => desk.claim(id, { ...binding, caller: "agent" }),
  }),
  "lets an expired question be answered": (desk) => ({
    open: (request) => desk.open({ ...request, expiresAt: request.expiresAt + 100 }),
  }),
  "keeps an approval that was taken back": () => ({ withdraw: () => {} }),
};

it.each(Object.entries(broken))("the check above notices a desk that %s", async (_, breakIt) => {
  const create = (clock: FakeClock): ApprovalDesk => {
    const desk = inMemory(clock);
    return { ...desk, ...breakIt(desk) };
  };
  await expect(checkApprovalStates(create, 3_000)).rejects.toThrow();
});
