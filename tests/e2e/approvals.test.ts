import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-process.ts";
import { type WaitingCall, writeAndWait } from "./waiting-call.ts";

// Several processes start in each test.
vi.setConfig({ testTimeout: 60_000 });

let world: CliWorld;
let calls: WaitingCall[] = [];
beforeEach(() => {
  world = createCliWorld();
  calls = [];
});
afterEach(() => {
  for (const { child } of calls) child.kill("SIGKILL");
  world.close();
});

async function callAndWait(path: string, content: string): Promise<WaitingCall> {
  const call = await writeAndWait(world, path, content);
  calls.push(call);
  return call;
}

const approvals = (...argv: readonly string[]) => world.run(["approvals", ...argv]);
const written = (name: string) => {
  const file = join(world.project, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};

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
