import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileLock } from "../../../../src/safe/files/file-lock.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-alone-"));
  lock = join(folder, "not/there/yet.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("work that is done alone", () => {
  it("waits until the other one is done, and leaves nothing behind", async () => {
    mkdirSync(lock, { recursive: true });
    let isDone = false;
    const work = withFileLock(lock, () => {
      isDone = true;
    });
    await sleep(100);
    expect(isDone).toBe(false);
    rmSync(lock, { recursive: true });
    await work;
    expect(isDone).toBe(true);
    expect(existsSync(lock)).toBe(false);
  });

  it("leaves nothing behind when it fails", async () => {
    const failing = withFileLock(lock, () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(existsSync(lock)).toBe(false);
  });

  it.each([
    ["long ago", -60_000],
    ["before the clock was set back", 60_000],
  ])("does not wait for one who died %s", async (_when, ms) => {
    mkdirSync(lock, { recursive: true });
    const at = new Date(Date.now() + ms);
    utimesSync(lock, at, at);
    expect(await withFileLock(lock, () => "done")).toBe("done");
  });
});
