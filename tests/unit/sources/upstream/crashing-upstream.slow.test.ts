import { describe, expect, it } from "vitest";
import { because } from "../stopped.ts";
import { call, isRunning, scripted, startsIn, temporaryFolder } from "./scripted-upstream.ts";

describe("an upstream that does not stay up", () => {
  it("that is killed fails its calls at once and is started again with the next, others unharmed", async () => {
    const [upstream, other] = [scripted(), scripted()];
    const otherPid = await call(other, "pid");
    const pid = Number(await call(upstream, "pid"));
    const hanging = [call(upstream, "hang"), call(upstream, "hang")];
    process.kill(pid, "SIGKILL");
    for (const one of hanging)
      await expect(one).rejects.toMatchObject(because("unavailable", '"scripted" was ended by SIGKILL'));
    expect(Number(await call(upstream, "pid"))).not.toBe(pid);
    expect(upstream.health()).toMatchObject({ state: "ready", restarts: 1 });
    expect(await call(other, "pid")).toBe(otherPid);
  });

  it("that crashes at every start is tried less and less, and calls are refused at once in between", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted(["crash", `log=${log}`, "stderr=cannot open the database"]);
    for (let tries = 0; tries < 3; tries++)
      await expect(call(upstream, "echo")).rejects.toMatchObject(
        because("unavailable", /exited with code 3\. Its last words: cannot open the database/),
      );
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
          /cannot open the database\. It is tried again in \d+ s at the earliest; `toolgate upstreams restart scripted`/,
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
    await expect(call(upstream, "echo")).rejects.toMatchObject(because("timed_out", "start_timeout_ms"));
    await upstream.close();
    expect(startsIn(log).map(isRunning)).toEqual([false]);
  });

  it("that starts slowly is waited for, but not longer than the call has time", async () => {
    const upstream = scripted(["slow=400"]);
    const impatient = call(upstream, "echo", {}, { timeoutMs: 100 });
    const patient = call(upstream, "echo", { a: 1 });
    await expect(impatient).rejects.toMatchObject(because("timed_out", "starting"));
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
});
