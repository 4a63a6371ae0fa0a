/** A hook process that hangs: agents run the call when they have waited long enough, so the script ends it before. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFastHookWorld, type FastHookWorld } from "../../../../fast-hook-world.ts";

const call = { sessionId: "s-1", cwd: "/", toolName: "bash", toolArgs: { command: "ls" } };

/** Stands for node. */
function standIn(world: FastHookWorld, body: string): string {
  const file = join(world.base, "slow");
  writeFileSync(file, `#!/bin/bash\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Processes that carry the world's home in their environment. */
function leftOf(world: FastHookWorld): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${world.home}`);
      } catch {
        return false;
      }
    });
}

describe.skipIf(process.platform !== "linux")("a hook process", () => {
  it("that hangs is killed before the agent gives up, and says so", async () => {
    const world = createFastHookWorld();
    const node = standIn(world, "cat >/dev/null; exec /bin/sleep 600");
    const end = await world.ask(call, { args: ["copilot", node, "4"] });
    expect(end).toMatchObject({ out: "", err: expect.stringContaining("did not answer in time") });
    // A shell's line sees a signal, and says `|| exit 2`.
    expect(end.code).not.toBe(0);
    await expect.poll(() => leftOf(world), { timeout: 10_000 }).toEqual([]);
  });

  it("that hangs with more on its standard input than fits into a variable is killed, too", async () => {
    const world = createFastHookWorld();
    const node = standIn(world, "exec /bin/sleep 600");
    const large = { ...call, toolArgs: { command: "x".repeat(300_000) } };
    const end = await world.ask(large, { args: ["grok", node, "4"] });
    expect(end.code).not.toBe(0);
    expect(end.err).toContain("did not answer in time");
  });

  it("that hangs after others were waited for has only the rest of the time", async () => {
    const world = createFastHookWorld();
    const node = standIn(world, "exec /bin/sleep 600");
    const began = performance.now();
    const end = await world.ask(call, { args: ["copilot", node, "14"], endAfterMs: 8_000 });
    expect(end.err).toContain("did not answer in time");
    // After 12 seconds; with all of its own time it would be 20.
    expect(performance.now() - began).toBeLessThan(17_000);
  });

  it("that answers is heard, and nobody is left to watch it", async () => {
    const world = createFastHookWorld();
    const node = standIn(world, "cat >/dev/null; echo '{\"a\":1}'; echo why >&2; exit 2");
    expect(await world.ask(call, { args: ["copilot", node, "300"] })).toEqual({
      code: 2,
      out: '{"a":1}\n',
      err: "why\n",
    });
    await expect.poll(() => leftOf(world), { timeout: 10_000 }).toEqual([]);
  });
});
