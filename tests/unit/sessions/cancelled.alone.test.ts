/** Agents that do not want to end: two hundred sessions are cancelled at any moment, and nothing is left of them. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { startPipeProcess } from "../../../src/safe/process/pipe-process.ts";
import { readProcess } from "../../../src/safe/process/process-table.ts";
import type { Runner } from "../../../src/sessions/runner.ts";
import { folder, sessionsWorld } from "./sessions-world.ts";

const deaf =
  "trap '' INT TERM HUP; echo $$; (trap '' TERM; exec sleep 600) & echo $!; while :; do sleep 600; done";

/** An agent with a child; both ignore every polite signal. */
function deafRunner(pids: number[]): Runner {
  return {
    name: "deaf",
    title: "Ignores signals",
    offers: ["gate"],
    async open() {
      const agent = await startPipeProcess({
        command: "/bin/sh",
        args: ["-c", deaf],
        cwd: folder,
        killGraceMs: 200,
        onStdout: (chunk) => void pids.push(...String(chunk).trim().split("\n").map(Number)),
        onStderr: () => {},
      });
      if (!agent.started) throw new Error(agent.message);
      return {
        // Never ends by itself, also not when it is told to.
        turn: () => new Promise(() => {}),
        close: async () => void (await agent.kill()),
      };
    },
  };
}

it("an agent that ignores SIGTERM, and its turn, are gone within ten seconds", async () => {
  const pids: number[] = [];
  const { sessions, start } = await sessionsWorld(deafRunner(pids), { cancelGraceMs: 1_000 });
  const id = await start();
  await expect.poll(() => pids.length).toBe(2);
  const before = performance.now();
  await sessions.cancel(id, "ann");
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(pids.map((pid) => readProcess(pid))).toEqual([undefined, undefined]);
  expect(await sessions.get(id)).toMatchObject({ state: "ended", end: "cancelled" });
});

it("two hundred sessions that are cancelled at any moment leave no process and nothing that waits", async () => {
  const pids: number[] = [];
  const limits = { cancelGraceMs: 50, maxRunning: 12, maxPerOwner: 1_000 };
  const { sessions, start } = await sessionsWorld(deafRunner(pids), limits);
  let left = 200;
  const lane = async () => {
    while (left-- > 0) {
      const id = await start({ mode: "plan" });
      await sleep(Math.random() * 150);
      await sessions.cancel(id, "ann");
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  const alive = pids.filter((pid) => readProcess(pid) !== undefined);
  expect(alive).toEqual([]);
  expect(pids.length).toBeGreaterThan(50);
  const states = ["queued", "starting", "running", "waiting", "idle"] as const;
  expect((await sessions.list({ states })).sessions).toEqual([]);
});
