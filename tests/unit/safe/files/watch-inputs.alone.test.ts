import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createInputWatch, type WatchOptions } from "../../../../src/safe/files/watch-inputs.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-watch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Whether it tells of something before the time is over. What must be told is waited for as long as a busy machine needs. */
async function tells(inputs: readonly string[], options: WatchOptions, act = () => {}, withinMs = 60_000) {
  using watch = createInputWatch(inputs, () => {}, options);
  const patience = AbortSignal.timeout(withinMs);
  act();
  await watch.nextChange(patience);
  return !patience.aborted;
}
const nothing = () => {};

it("a change between reading the files and watching them is told", async () => {
  const file = join(place(), "toolgate.yaml");
  writeFileSync(file, "version: 1\n");
  await sleep(20);
  const readAt = Date.now();
  expect(await tells([file], { since: readAt }, nothing, 300)).toBe(false);
  await sleep(20);
  writeFileSync(file, "version: 1\nroutes: {}\n");
  expect(await tells([file], { since: readAt })).toBe(true);
});

it("a file that has come into being meanwhile is told, too", async () => {
  const file = join(place(), "toolgate.yaml");
  const readAt = Date.now() - 10;
  writeFileSync(file, "version: 1\n");
  expect(await tells([file], { since: readAt })).toBe(true);
});

it("without a time only what comes later counts", async () => {
  const file = join(place(), "toolgate.yaml");
  writeFileSync(file, "version: 1\n");
  await sleep(20);
  expect(await tells([file], {}, nothing, 300)).toBe(false);
  expect(await tells([file], {}, () => writeFileSync(file, "version: 1 \n"))).toBe(true);
});

it("in a busy folder only what is wanted counts, and is found by looking", async () => {
  const folder = place();
  const file = join(folder, "trust.json");
  const options = { busyFolders: [folder] };
  const noise = () => writeFileSync(join(folder, "ledger.sqlite"), "row");
  expect(await tells([file], options, noise, 1_300)).toBe(false);
  expect(await tells([file], options, () => writeFileSync(file, "{}"))).toBe(true);
  await sleep(20);
  expect(await tells([file], options, () => writeFileSync(file, "{ }"))).toBe(true);
  expect(await tells([file], options, () => rmSync(file))).toBe(true);
});

it("a folder in a busy folder is watched, and its coming into being is told", async () => {
  const folder = place();
  const pins = join(folder, "upstreams");
  const options = { busyFolders: [folder] };
  expect(await tells([pins], options, () => mkdirSync(pins))).toBe(true);
  // Sooner than by looking, at least once: another process may take the processor at any time.
  let wasSoon = false;
  for (let tries = 0; tries < 20 && !wasSoon; tries++) {
    await sleep(20);
    const file = join(pins, `${tries}.json`);
    wasSoon = await tells([pins], options, () => writeFileSync(file, "{}"), 700);
  }
  expect(wasSoon).toBe(true);
});

it("a change in a busy folder is not lost when other files are followed before it was looked at", async () => {
  const folder = place();
  const file = join(folder, "trust.json");
  using watch = createInputWatch([file], () => {}, { busyFolders: [folder] });
  writeFileSync(file, "{}");
  watch.follow([file, join(folder, "more.json")]);
  const patience = AbortSignal.timeout(60_000);
  await watch.nextChange(patience);
  expect(patience.aborted).toBe(false);
});
