import { describe, expect, it } from "vitest";
import { useApprovalsWorld } from "./approvals-world.ts";

const world = useApprovalsWorld();
const { callAndWait, approvals, written } = world;

describe("an approval between processes", () => {
  it("that is given in one lets the call in the other run; given twice, one wins and the other is told", async () => {
    const call = await callAndWait("a.txt", "hello");
    expect(written("a.txt")).toBeUndefined();
    const [one, two] = await Promise.all([approvals("approve", call.id), approvals("approve", call.id)]);
    expect([one.code, two.code].sort()).toEqual([0, 1]);
    const [won, lost] = one.code === 0 ? [one, two] : [two, one];
    expect(won.out).toMatch(/^Approved once: fs\.write for local/);
    expect(lost.err).toMatch(/was approved by .+ already; this answer changes nothing\.\n$/);
    expect((await call.end).code).toBe(0);
    expect(written("a.txt")).toBe("hello");
    expect((await approvals("list")).out).toBe("Nothing waits for an answer.\n");
  });
});
