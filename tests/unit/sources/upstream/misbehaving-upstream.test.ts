import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { call, isRunning, scripted, startsIn, temporaryFolder } from "./scripted-upstream.ts";

describe("an upstream that misbehaves", () => {
  it("that is killed fails its calls at once and is started again with the next, others unharmed", async () => {
    const [upstream, other] = [scripted(), scripted()];
    const otherPid = await call(other, "pid");
    const pid = Number(await call(upstream, "pid"));
    const hanging = [call(upstream, "hang"), call(upstream, "hang")];
    process.kill(pid, "SIGKILL");
    for (const one of hanging)
      await expect(one).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining('"scripted" was ended by SIGKILL'),
      });
    expect(Number(await call(upstream, "pid"))).not.toBe(pid);
    expect(upstream.health()).toMatchObject({ state: "ready", restarts: 1 });
    expect(await call(other, "pid")).toBe(otherPid);
  });

  it("that crashes at every start is tried less and less, and calls are refused at once in between", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted(["crash", `log=${log}`, "stderr=cannot open the database"]);
    for (let tries = 0; tries < 3; tries++)
      await expect(call(upstream, "echo")).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/exited with code 3\. Its last words: cannot open the database/),
      });
    expect(upstream.health()).toMatchObject({ state: "failing" });
    await Promise.all(
      [1, 2].map(() => expect(call(upstream, "echo")).rejects.toMatchObject({ code: "unavailable" })),
    );
    await expect(call(upstream, "echo")).rejects.toMatchObject({ code: "unavailable" });
    expect(upstream.health()).toMatchObject({
      state: "open-circuit",
      lastError: expect.stringContaining("code 3"),
    });
    const starts = startsIn(log).length;
    expect(starts).toBe(5);
    for (let tries = 0; tries < 50; tries++)
      await expect(call(upstream, "echo")).rejects.toMatchObject({
        message: expect.stringMatching(
          /tried again in \d+ s at the earliest; `toolgate upstreams restart scripted`/,
        ),
      });
    expect(startsIn(log)).toHaveLength(starts);
    await upstream.restart();
    expect(upstream.health().state).toBe("stopped");
    await expect(call(upstream, "echo")).rejects.toMatchObject({
      message: expect.stringContaining("code 3"),
    });
    expect(startsIn(log)).toHaveLength(starts + 1);
  });

  it("that crashes with every call opens the circuit too", async () => {
    const upstream = scripted();
    for (let tries = 0; upstream.health().state !== "open-circuit"; tries++) {
      expect(tries).toBeLessThan(10);
      await expect(call(upstream, "exit", { code: 4 })).rejects.toMatchObject({ code: "unavailable" });
    }
    await expect(call(upstream, "echo")).rejects.toMatchObject({ code: "unavailable" });
  });

  it("that does not get ready in time is ended, and says how to wait longer", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted(["mute", `log=${log}`], { startTimeoutMs: 300 });
    await expect(call(upstream, "echo")).rejects.toMatchObject({
      code: "timed_out",
      message: expect.stringContaining("start_timeout_ms"),
    });
    await upstream.close();
    expect(startsIn(log).map(isRunning)).toEqual([false]);
  });

  it("that starts slowly is waited for, but not longer than the call has time", async () => {
    const upstream = scripted(["slow=400"]);
    const impatient = call(upstream, "echo", {}, { timeoutMs: 100 });
    const patient = call(upstream, "echo", { a: 1 });
    await expect(impatient).rejects.toMatchObject({
      code: "timed_out",
      message: expect.stringContaining("starting"),
    });
    expect(await patient).toBe('{"a":1}');
    expect(upstream.health().restarts).toBe(0);
  });

  it("that never gets ready does not hold up a close or a restart", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted(["mute", `log=${log}`], { startTimeoutMs: 60_000 });
    const first = call(upstream, "echo");
    await expect.poll(() => startsIn(log)).toHaveLength(1);
    await Promise.all([upstream.restart(), expect(first).rejects.toMatchObject({ code: "unavailable" })]);
    expect(upstream.health().state).toBe("stopped");
    const second = call(upstream, "echo");
    await expect.poll(() => startsIn(log)).toHaveLength(2);
    await Promise.all([upstream.close(), expect(second).rejects.toMatchObject({ code: "unavailable" })]);
    expect(startsIn(log).map(isRunning)).toEqual([false, false]);
  });

  it("that prints stray lines is understood all the same; the first is told to whoever runs toolgate", async () => {
    const notes: string[] = [];
    const upstream = scripted(["banner"], {}, { note: (text) => notes.push(text) });
    expect(await call(upstream, "garbage", { lines: 300 })).toBe("after the garbage");
    expect(notes[0]).toContain("Starting the server...");
  });

  it("that prints nothing but stray lines is ended", async () => {
    const upstream = scripted();
    await expect(call(upstream, "garbage", { lines: 1_500 })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("no message of the protocol"),
    });
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
  });

  it("that sends a longer message than allowed is ended, whether or not the line ever ends", async () => {
    const upstream = scripted([], { maxMessageBytes: 100_000 });
    expect((await call(upstream, "huge", { bytes: 90_000 })).length).toBe(90_000);
    for (const [tool, args] of [
      ["huge", { bytes: 100_001 }],
      ["endless", {}],
    ] as const)
      await expect(call(upstream, tool, args)).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("more than 100000 bytes"),
      });
  });

  it("that no longer reads fails its calls", async () => {
    const upstream = scripted();
    const pid = Number(await call(upstream, "pid"));
    expect(await call(upstream, "deaf")).toBe("deaf");
    await expect(call(upstream, "echo")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("closed its input"),
    });
    await upstream.close();
    expect(isRunning(pid)).toBe(false);
  });

  it("never shows a secret of its settings in what it said last", async () => {
    const upstream = scripted(
      ["crash", "stderr=login failed for hunter2-hunter2 with ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
      {
        env: { SERVICE_LOGIN: "hunter2-hunter2" },
      },
    );
    const error = await call(upstream, "echo").catch((reason: Error) => reason.message);
    expect(error).toContain("login failed");
    expect(error).not.toContain("hunter2");
    expect(error).not.toContain("ghp_abc");
  });
});

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
