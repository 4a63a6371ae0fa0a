import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/open/open-store.ts";

/** How often a call that waits in one process is answered in another. */
const rounds = 50;

it("an answer in one process resumes the call that waits in another in under 100 ms", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-latency-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("./waiting-process.ts", import.meta.url)), folder, String(rounds)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  await using store = await openStore({ stateFolder: folder });
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
  times.sort((a, b) => a - b);
  const [median = 0, worst = 0] = [times[Math.floor(rounds / 2)], times.at(-1)];
  process.stdout.write(
    `answer -> resumed in another process, ${rounds} rounds: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms\n`,
  );
  expect(median).toBeLessThan(100);
}, 60_000);
