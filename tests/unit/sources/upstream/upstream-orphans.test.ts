import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isRunning } from "./scripted-upstream.ts";

describe("processes of upstreams", () => {
  it("end with toolgate, also when it is killed with -9 and they do not want to", async () => {
    const here = dirname(fileURLToPath(import.meta.url));
    const owner = spawn(process.execPath, [join(here, "owner-of-upstream.ts")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pids = await new Promise<number[]>((resolve) =>
      owner.stdout.once("data", (data: Buffer) => resolve(data.toString().trim().split(" ").map(Number))),
    );
    expect(pids).toHaveLength(2);
    expect(pids.map(isRunning)).toEqual([true, true]);
    owner.kill("SIGKILL");
    for (let waited = 0; pids.some(isRunning) && waited < 80; waited++) await sleep(50);
    expect(pids.map(isRunning)).toEqual([false, false]);
  });
});
