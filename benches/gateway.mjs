// What toolgate adds as an MCP gateway (client -> gateway -> one stdio upstream), next to other gateways in the same run.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { absent, contestants } from "./gateway/contestants.mjs";
import { cpuMsOf, memoryMbOf } from "./gateway/process-tree.mjs";
import { report } from "./gateway/report.mjs";
import { start } from "./gateway/running.mjs";
import { median, shuffled } from "./measure.mjs";

export const needsPeers = true;

const inFlight = 64;
const manyTools = 1_000;
/** How many calls one after the other, in pieces: whether two processes share a processor changes their time by a factor of two, and stays so for a while. */
const pieces = 4;
/** After so many calls an agent's day is over; what a process holds then is what its user sees. */
const dayOfCalls = 5_000;
const whole = { rounds: 11, piece: 100, roundMs: 400, warmUpMs: 1_500, lists: 8, starts: 7 };
const quick = { rounds: 3, piece: 20, roundMs: 150, warmUpMs: 500, lists: 4, starts: 3 };

export async function run({ only, quick: isQuick = false } = {}) {
  const size = isQuick ? quick : whole;
  const chosen = choose(only);
  const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-gateway-"));
  const rows = new Map(
    chosen.map(({ key, name, over, peer }) => [key, { key, name, over, peer: peer === true }]),
  );
  const skipped = only === undefined ? [...absent] : [];
  const place = { folder, rows, skipped, size };
  try {
    say("starting everybody ...");
    const able = await measureCalls(chosen, place);
    say("\nlists of 1,000 tools ...");
    await measureLists(able, place);
    say("\nstarts ...");
    await measureStarts(able, place);
    say("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const { name } of skipped) for (const [key, row] of rows) if (row.name === name) rows.delete(key);
  return report([...rows.values()], skipped);
}

function choose(only) {
  if (only === undefined) return contestants;
  const wanted = only.split(",");
  const unknown = wanted.find((key) => !contestants.some((one) => one.key === key));
  if (unknown !== undefined)
    throw Object.assign(
      new Error(
        `There is no contestant "${unknown}". There are: ${contestants.map(({ key }) => key).join(", ")}.`,
      ),
      { code: "WRONG_USE" },
    );
  // Without the direct way nothing can be said about what is added.
  return contestants.filter(({ key }) => key === "direct" || wanted.includes(key));
}

/** One after the other and 64 at once, everybody in each round; gives those that could be started. */
async function measureCalls(chosen, place) {
  const { rows, size } = place;
  const running = await startAll(chosen, place, 1);
  try {
    const direct = running.find(({ contestant }) => contestant.key === "direct");
    for (const { contestant, live } of running) {
      Object.assign(rows.get(contestant.key), { p50Ms: [], addedMs: [], perSecond: [], fetchPerSecond: [] });
      Object.assign(rows.get(contestant.key), { calls: 0, cpuMs: 0 });
      await flood(live.session, live.tool, { calls: dayOfCalls });
      rows.get(contestant.key).memoryMb = memoryMbOf(live.pid);
      await flood(live.session, live.tool, { forMs: size.warmUpMs });
    }
    for (let round = 0; round < size.rounds; round++) {
      say(`\rround ${round + 1} of ${size.rounds} `);
      for (const { contestant, live } of shuffled(running)) {
        const row = rows.get(contestant.key);
        const { own, base } = await alternate(live, direct.live, size.piece);
        row.p50Ms.push(own);
        row.addedMs.push(own - base);
        const cpu = cpuMsOf(live.pid);
        const { calls, tookMs } = await flood(live.session, live.tool, { forMs: size.roundMs });
        row.cpuMs += cpuMsOf(live.pid) - cpu;
        row.calls += calls;
        row.perSecond.push((calls / tookMs) * 1_000);
        if (live.fetchSession === undefined) continue;
        const fetched = await flood(live.fetchSession, live.tool, { forMs: size.roundMs });
        row.fetchPerSecond.push((fetched.calls / fetched.tookMs) * 1_000);
      }
    }
    for (const { contestant, live } of running)
      rows.get(contestant.key).memoryFloodedMb = memoryMbOf(live.pid);
  } finally {
    await closeAll(running);
  }
  return running.map(({ contestant }) => contestant);
}

async function measureLists(able, place) {
  const { rows, size } = place;
  const running = await startAll(
    able.filter(({ withoutList }) => withoutList !== true),
    place,
    manyTools,
  );
  try {
    for (const { contestant, live } of running) {
      rows.get(contestant.key).listMs = [];
      if (live.listed < manyTools)
        throw new Error(`${contestant.name} lists ${live.listed} tools of ${manyTools}.`);
    }
    for (let round = 0; round <= size.rounds; round++)
      for (const { contestant, live } of shuffled(running)) {
        const took = median(await times(size.lists, () => live.session.listTools()));
        // The first round only warms up.
        if (round > 0) rows.get(contestant.key).listMs.push(took);
      }
    for (const { contestant, live } of running) rows.get(contestant.key).memoryManyMb = memoryMbOf(live.pid);
  } finally {
    await closeAll(running);
  }
}

/** From starting the process to the answer with the list. What a gateway keeps between starts is there, as for its users. */
async function measureStarts(able, place) {
  const { rows, size } = place;
  for (const { key } of able) rows.get(key).startMs = [];
  for (let round = 0; round < size.starts; round++)
    for (const contestant of shuffled(able)) {
      const live = await start(contestant, { folder: place.folder });
      rows.get(contestant.key).startMs.push(live.startMs);
      await live.close();
    }
}

/** One by one, because starting is measured too: the first start of each, with nothing kept. */
async function startAll(chosen, { folder, rows, skipped }, tools) {
  const running = [];
  for (const contestant of chosen) {
    try {
      const live = await start(contestant, { tools, folder });
      running.push({ contestant, live });
      if (tools === 1) rows.get(contestant.key).firstStartMs = live.startMs;
    } catch (error) {
      // A peer may fail here; a benchmark without toolgate itself must not look like one that held its bars.
      if (contestant.key === "direct" || contestant.ours === true) {
        await closeAll(running);
        throw new Error(`${contestant.name} cannot be measured: ${error.message}`);
      }
      skipped.push({ name: contestant.name, reason: error.message.slice(0, 300) });
    }
  }
  return running;
}

async function closeAll(running) {
  await Promise.all(running.map(({ live }) => live.close()));
}

/** Half of the calls, one after the other, took less: of its own, and of the direct ones in between. */
async function alternate(live, direct, count) {
  const own = [];
  const base = [];
  for (let piece = 0; piece < pieces; piece++) {
    base.push(...(await times(count, () => direct.session.call(direct.tool))));
    if (live !== direct) own.push(...(await times(count, () => live.session.call(live.tool))));
  }
  return { own: median(live === direct ? base : own), base: median(base) };
}

async function times(count, call) {
  const taken = [];
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now();
    await call();
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

/** 64 at once: for so long, or so many. */
async function flood(session, tool, { forMs = Number.POSITIVE_INFINITY, calls = Number.POSITIVE_INFINITY }) {
  const startedAt = performance.now();
  let begun = 0;
  const caller = async () => {
    while (begun < calls && performance.now() - startedAt < forMs) {
      begun++;
      await session.call(tool);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return { calls: begun, tookMs: performance.now() - startedAt };
}

function say(text) {
  process.stderr.write(text);
}
