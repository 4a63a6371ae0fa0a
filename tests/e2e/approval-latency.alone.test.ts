import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { createCliWorld } from "./cli-process.ts";
import { measureLateness, median } from "./machine-lateness.ts";

/** How often a call that waits in one process is answered in another. */
const rounds = 50;
const waiting = fileURLToPath(new URL("./waiting-process.ts", import.meta.url));

it("an answer in one process resumes the call that waits in another in under 100 ms", async () => {
  const world = createCliWorld();
  onTestFinished(() => world.close());
  const child = spawn(process.execPath, [waiting, world.state, String(rounds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await using store = await openStore({ stateFolder: world.state });
  using lateness = measureLateness();
  const times: number[] = [];
  let answeredAt = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, value = ""] = line.split(" ");
    if (what === "resumed") times.push(Number(value) - answeredAt);
    if (what !== "asked") continue;
    // The bell of the question itself must be over: it would hide a bell that the answer did not ring.
    await new Promise((resolve) => setTimeout(resolve, 30));
    answeredAt = performance.timeOrigin + performance.now();
    expect(await store.approvals.answer(value, { decision: "approve", by: "ann" })).toEqual({ ok: true });
  }
  expect(times).toHaveLength(rounds);
  const [usual, late] = [median(times), lateness.medianMs()];
  console.log(
    `answer -> resumed in another process, ${rounds} rounds: median ${usual.toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms; timers came ${late.toFixed(1)} ms late`,
  );
  // Some turns of two processes lie between the answer and the call: each is as late as a timer.
  expect(usual).toBeLessThan(100 + 10 * late);
});
