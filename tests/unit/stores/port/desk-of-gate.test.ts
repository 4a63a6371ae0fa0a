import { describe, expect, it } from "vitest";
import { createMemoryApprovals } from "../../../../src/stores/memory/memory-approvals.ts";
import { deskOfGate } from "../../../../src/stores/port/desk-of-gate.ts";
import { hashInput } from "../../../../src/stores/port/hash-input.ts";
import { createFakeClock } from "../../../../src/testing/index.ts";
import { approvalDeskContract } from "../../../contract/approval-desk.ts";
import { approvalRequest } from "../sqlite/approval-request.ts";

approvalDeskContract("memory, shared by gates", (options) => deskOfGate(createMemoryApprovals(options)));

describe("a desk that several gates share", () => {
  it("ends a gate's own questions when that gate closes, and takes no new ones from it", async () => {
    const shared = createMemoryApprovals({ clock: createFakeClock(Date.now()), hashInput });
    const [one, two] = [deskOfGate(shared), deskOfGate(shared)];
    await one.open(approvalRequest("a"));
    await two.open(approvalRequest("b"));
    const waiting = one.wait("a");
    await one.close();
    expect(await waiting).toEqual({ state: "withdrawn" });
    expect((await two.pending()).map(({ id }) => id)).toEqual(["b"]);
    expect(await one.open(approvalRequest("c"))).toBe(false);
    expect(await two.open(approvalRequest("d"))).toBe(true);
  });

  it("ends a question that was being opened while the gate closed", async () => {
    const shared = createMemoryApprovals({ clock: createFakeClock(Date.now()), hashInput });
    const { promise: opened, resolve: finishOpening } = Promise.withResolvers<void>();
    const slow = {
      ...shared,
      open: async (request: Parameters<typeof shared.open>[0]) => {
        await opened;
        return shared.open(request);
      },
    };
    const desk = deskOfGate(slow);
    const opening = desk.open(approvalRequest("a"));
    await desk.close();
    finishOpening();
    expect(await opening).toBe(true);
    expect(await desk.wait("a")).toEqual({ state: "withdrawn" });
    expect(await shared.pending()).toEqual([]);
  });
});
