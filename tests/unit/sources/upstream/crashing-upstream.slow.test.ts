import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { call, isRunning, scripted, startsIn, told, why } from "./scripted-upstream.ts";

describe("an upstream that does not stay up", () => {
  it("that is killed fails its calls at once and is started again with the next, others unharmed", async () => {
    const [upstream, other] = [scripted(), scripted()];
    const otherPid = await call(other, "pid");
    const pid = Number(await call(upstream, "pid"));
    const hanging = [why(upstream, "hang"), why(upstream, "hang")];
    process.kill(pid, "SIGKILL");
    for (const one of hanging) expect(await one).toMatch(/^unavailable .*"scripted" was ended by SIGKILL/s);
    expect(Number(await call(upstream, "pid"))).not.toBe(pid);
    expect(upstream.health()).toMatchObject({ state: "ready", restarts: 1 });
    expect(await call(other, "pid")).toBe(otherPid);
  });

  it("that crashes at every start is tried less and less, and calls are refused at once in between", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted(["crash", `log=${log}`, "stderr=cannot open the database"]);
    const words = /^unavailable .*exited with code 3\. Its last words: cannot open the database/s;
    for (let tries = 0; tries < 3; tries++) expect(await why(upstream, "echo")).toMatch(words);
    expect(upstream.health()).toMatchObject({ state: "failing" });
    for (const one of await Promise.all([why(upstream, "echo"), why(upstream, "echo")]))
      expect(one).toMatch(/^unavailable /);
    expect(await why(upstream, "echo")).toMatch(/^unavailable /);
    const lastError = expect.stringContaining("code 3");
    expect(upstream.health()).toMatchObject({ state: "open-circuit", lastError });
    expect(startsIn(log)).toHaveLength(5);
    const later =
      /cannot open the database\. It is tried again in \d+ s at the earliest; `toolgate upstreams restart scripted`/;
    for (let tries = 0; tries < 50; tries++) expect(await why(upstream, "echo")).toMatch(later);
    expect(startsIn(log)).toHaveLength(5);
    await upstream.restart();
    expect(upstream.health().state).toBe("stopped");
    expect(await why(upstream, "echo")).toContain("code 3");
    expect(startsIn(log)).toHaveLength(6);
  });

  it("that crashes with every call opens the circuit too", async () => {
    const upstream = scripted();
    for (let tries = 0; upstream.health().state !== "open-circuit"; tries++) {
      expect(tries).toBeLessThan(10);
      expect(await why(upstream, "exit", { code: 4 })).toMatch(/^unavailable /);
    }
    expect(await why(upstream, "echo")).toMatch(/^unavailable /);
  });

  it("that does not get ready in time is ended, and says how to wait longer", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted(["mute", `log=${log}`], { startTimeoutMs: 300 });
    expect(await why(upstream, "echo")).toMatch(/^timed_out .*start_timeout_ms/s);
    await upstream.close();
    expect(startsIn(log).map(isRunning)).not.toContain(true);
  });

  it("that starts slowly is waited for, but not longer than the call has time", async () => {
    const upstream = scripted(["slow=400"]);
    const impatient = why(upstream, "echo", {}, { timeoutMs: 100 });
    const patient = told(upstream, "echo", { a: 1 });
    expect(await impatient).toMatch(/^timed_out .*starting/s);
    expect(await patient).toEqual({ a: 1 });
    expect(upstream.health().restarts).toBe(0);
  });

  it("that never gets ready does not hold up a close or a restart", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted(["mute", `log=${log}`], { startTimeoutMs: 60_000 });
    for (const [starts, end] of [
      [1, () => upstream.restart()],
      [2, () => upstream.close()],
    ] as const) {
      const waiting = why(upstream, "echo");
      await expect.poll(() => startsIn(log)).toHaveLength(starts);
      await end();
      expect(await waiting).toMatch(/^unavailable /);
      if (starts === 1) expect(upstream.health().state).toBe("stopped");
    }
    expect(startsIn(log).map(isRunning)).toEqual([false, false]);
  });

  it("that is frozen fails its calls in time, is found out by a ping and started again, others unharmed", async () => {
    const [upstream, other] = [scripted([], { timeoutMs: 1_000 }), scripted()];
    const otherPid = await call(other, "pid");
    for (const one of await Promise.all([why(upstream, "freeze"), why(upstream, "freeze")]))
      expect(one).toMatch(/^(?:timed_out|unavailable) .*"scripted"/s);
    await expect.poll(() => upstream.health().state).toBe("failing");
    expect(upstream.health().lastError).toContain("no longer answers");
    expect(await told(upstream, "echo", { a: 1 }, { timeoutMs: 5_000 })).toEqual({ a: 1 });
    expect(await call(other, "pid")).toBe(otherPid);
    expect(other.health().restarts).toBe(0);
  });
});
