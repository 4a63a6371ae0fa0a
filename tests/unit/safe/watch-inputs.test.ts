import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createInputWatch } from "../../../src/safe/watch-inputs.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-watch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function tellsWithin(ms: number, inputs: readonly string[], since: number | undefined, act = () => {}) {
  using watch = createInputWatch(inputs, () => {}, since);
  const patience = AbortSignal.timeout(ms);
  act();
  await watch.nextChange(patience);
  return !patience.aborted;
}

it("a change between reading the files and watching them is told", async () => {
  const file = join(place(), "toolgate.yaml");
  writeFileSync(file, "version: 1\n");
  await sleep(20);
  const readAt = Date.now();
  expect(await tellsWithin(300, [file], readAt)).toBe(false);
  await sleep(20);
  writeFileSync(file, "version: 1\nroutes: {}\n");
  expect(await tellsWithin(2_000, [file], readAt)).toBe(true);
});

it("a file that has come into being meanwhile is told, too", async () => {
  const folder = place();
  const file = join(folder, "toolgate.yaml");
  const readAt = Date.now() - 10;
  writeFileSync(file, "version: 1\n");
  expect(await tellsWithin(2_000, [file], readAt)).toBe(true);
});

it("without a time only what comes later counts", async () => {
  const file = join(place(), "toolgate.yaml");
  writeFileSync(file, "version: 1\n");
  await sleep(20);
  expect(await tellsWithin(300, [file], undefined)).toBe(false);
  expect(await tellsWithin(2_000, [file], undefined, () => writeFileSync(file, "version: 1 \n"))).toBe(true);
});
