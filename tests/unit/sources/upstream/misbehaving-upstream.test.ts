import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, isRunning, scripted, told, why } from "./scripted-upstream.ts";

describe("an upstream that misbehaves", () => {
  it("that prints stray lines is understood all the same; the first is told to whoever runs toolgate", async () => {
    const notes: string[] = [];
    const upstream = scripted(["banner"], {}, { note: (text) => notes.push(text) });
    expect(await call(upstream, "garbage", { lines: 300 })).toBe("after the garbage");
    expect(notes[0]).toContain("Starting the server...");
  });

  it("that prints nothing but stray lines is ended", async () => {
    const upstream = scripted();
    const said = await why(upstream, "garbage", { lines: 1_500 });
    expect(said).toMatch(/^unavailable .*no message of the protocol/s);
    expect(await told(upstream, "echo", { a: 1 })).toEqual({ a: 1 });
  });

  it("that sends a longer message than allowed is ended, whether or not the line ever ends", async () => {
    const upstream = scripted([], { maxMessageBytes: 100_000 });
    expect((await call(upstream, "huge", { bytes: 90_000 })).length).toBe(90_000);
    for (const tool of ["huge", "endless"])
      expect(await why(upstream, tool, { bytes: 100_001 })).toMatch(/^unavailable .*more than 100000 bytes/s);
  });

  it("that talks without end is ended", async () => {
    const [upstream, other] = [scripted(), scripted()];
    await call(other, "echo");
    const flooded = why(upstream, "flood");
    expect(await told(other, "echo", { a: 1 })).toEqual({ a: 1 });
    expect(await flooded).toMatch(/^unavailable .*that nobody asked for/s);
  });

  it("that no longer reads fails its calls", async () => {
    const upstream = scripted();
    const pid = Number(await call(upstream, "pid"));
    expect(await call(upstream, "deaf")).toBe("deaf");
    expect(await why(upstream, "echo")).toMatch(/^unavailable .*closed its input/s);
    await upstream.close();
    expect(isRunning(pid)).toBe(false);
  });

  it("never shows a secret of its settings in what it said last", async () => {
    const words = "login failed for hunter2-hunter2 with ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const upstream = scripted(["crash", `stderr=${words}`], { env: { SERVICE_LOGIN: "hunter2-hunter2" } });
    const error = await why(upstream, "echo");
    expect(error).toContain("login failed");
    expect(error).not.toMatch(/hunter2|ghp_abc/);
  });

  it("ends with toolgate, also when that is killed with -9 and the server does not want to", async () => {
    const owner = spawn(process.execPath, [join(import.meta.dirname, "owner-of-upstream.ts")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pids = await new Promise<number[]>((resolve) =>
      owner.stdout.once("data", (data: Buffer) => resolve(data.toString().trim().split(" ").map(Number))),
    );
    expect(pids.map(isRunning)).toEqual([true, true]);
    owner.kill("SIGKILL");
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
  });
});
