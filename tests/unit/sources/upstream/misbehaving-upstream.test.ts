import { describe, expect, it } from "vitest";
import { because } from "../stopped.ts";
import { call, isRunning, scripted } from "./scripted-upstream.ts";

describe("an upstream that misbehaves", () => {
  it("that prints stray lines is understood all the same; the first is told to whoever runs toolgate", async () => {
    const notes: string[] = [];
    const upstream = scripted(["banner"], {}, { note: (text) => notes.push(text) });
    expect(await call(upstream, "garbage", { lines: 300 })).toBe("after the garbage");
    expect(notes[0]).toContain("Starting the server...");
  });

  it("that prints nothing but stray lines is ended", async () => {
    const upstream = scripted();
    await expect(call(upstream, "garbage", { lines: 1_500 })).rejects.toMatchObject(
      because("unavailable", "no message of the protocol"),
    );
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
  });

  it("that sends a longer message than allowed is ended, whether or not the line ever ends", async () => {
    const upstream = scripted([], { maxMessageBytes: 100_000 });
    expect((await call(upstream, "huge", { bytes: 90_000 })).length).toBe(90_000);
    for (const [tool, args] of [
      ["huge", { bytes: 100_001 }],
      ["endless", {}],
    ] as const)
      await expect(call(upstream, tool, args)).rejects.toMatchObject(
        because("unavailable", "more than 100000 bytes"),
      );
  });

  it("that talks without end is ended", async () => {
    const [upstream, other] = [scripted(), scripted()];
    await call(other, "echo");
    const flooded = expect(call(upstream, "flood")).rejects.toMatchObject(
      because("unavailable", "that nobody asked for"),
    );
    expect(await call(other, "echo", { a: 1 })).toBe('{"a":1}');
    await flooded;
  });

  it("that no longer reads fails its calls", async () => {
    const upstream = scripted();
    const pid = Number(await call(upstream, "pid"));
    expect(await call(upstream, "deaf")).toBe("deaf");
    await expect(call(upstream, "echo")).rejects.toMatchObject(because("unavailable", "closed its input"));
    await upstream.close();
    expect(isRunning(pid)).toBe(false);
  });

  it("never shows a secret of its settings in what it said last", async () => {
    const upstream = scripted(
      ["crash", "stderr=login failed for hunter2-hunter2 with ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
      { env: { SERVICE_LOGIN: "hunter2-hunter2" } },
    );
    const error = await call(upstream, "echo").catch((reason: Error) => reason.message);
    expect(error).toContain("login failed");
    expect(error).not.toContain("hunter2");
    expect(error).not.toContain("ghp_abc");
  });
});
