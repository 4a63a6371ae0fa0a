import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { announceWatcher, isWatchedElsewhere } from "../../../../src/surfaces/serve/watchers.ts";

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-watchers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("somebody watches as long as a process says so", () => {
  const state = stateFolder();
  expect(isWatchedElsewhere(state)).toBe(false);
  {
    using _ = announceWatcher(state);
    expect(isWatchedElsewhere(state)).toBe(true);
  }
  expect(isWatchedElsewhere(state)).toBe(false);
});

it("what a watcher that was killed left behind does not count, and is gone", () => {
  const state = stateFolder();
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  mkdirSync(join(state, "watchers"));
  writeFileSync(join(state, "watchers", String(pid)), "");
  expect(isWatchedElsewhere(state)).toBe(false);
  expect(readdirSync(join(state, "watchers"))).toEqual([]);
});

it("what killed watchers left behind is gone when the next one starts, and what living ones have stays", () => {
  const state = stateFolder();
  mkdirSync(join(state, "watchers"));
  // The living one comes first in the folder.
  writeFileSync(join(state, "watchers", "1"), "");
  for (const _ of [1, 2]) {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(join(state, "watchers", String(pid)), "");
  }
  using _ = announceWatcher(state);
  expect(readdirSync(join(state, "watchers")).sort()).toEqual(["1", String(process.pid)].sort());
});

it.runIf(process.platform === "linux")("another process with the pid of a dead watcher is no watcher", () => {
  const state = stateFolder();
  mkdirSync(join(state, "watchers"));
  writeFileSync(join(state, "watchers", String(process.pid)), "1");
  expect(isWatchedElsewhere(state)).toBe(false);
});
