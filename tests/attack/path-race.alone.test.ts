/** Another thread swaps files and directories for links while files are read and written: nothing outside is read, made or changed. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createInsideRoot } from "../../src/safe/files/inside-root/inside-root.ts";
import { byTier } from "../tier.ts";
import { words } from "../words.ts";
import { type MakeSubject, mistakes, realSubject } from "./path-subjects.ts";
import { raceWorld, startSwapper } from "./race-world.ts";

const readTargets = words(
  "door/secret.txt door/file.txt leaf.txt deep/mid/secret.txt hard.txt deep/mid/low/secret.txt",
);
const writeTargets = words(
  "door/new.txt leaf.txt deep/mid/secret.txt hard.txt door/secret.txt deep/mid/low/new.txt",
);

const count = byTier(20_000, 100_000);

describe.skipIf(process.platform !== "linux")("files under a swapping thread", () => {
  it("are never read from or written to outside, in as many writes as reads", async () => {
    const race = await run(realSubject(), { reads: count, writes: count, limitMs: 280_000 });
    console.info("path race", race);
    expect(race).toMatchObject({ reads: count, writes: count, escapedReads: 0, outsideChanged: false });
    // Most attempts must get through, and the swaps must happen, or the zero means nothing.
    expect(race.readsDone).toBeGreaterThan(count / 10);
    expect(race.writesDone).toBeGreaterThan(count / 10);
    expect(race.swaps).toBeGreaterThan(count / 10);
  });

  it("are not listed, made, moved or removed outside either", async () => {
    const world = raceWorld();
    const before = world.outsideState();
    const swapper = startSwapper(world);
    const files = createInsideRoot({ roots: [world.root], durable: false });
    let leaked = 0;
    for (let turn = 0; turn < 1000; turn += 1) {
      const listing = await files.list("door", { depth: 3 });
      if (listing.ok && JSON.stringify(listing.entries).includes("only-outside")) leaked += 1;
      await files.mkdir(`door/made-${turn % 20}/more`);
      await files.write("spare.txt", "spare");
      await files.move("spare.txt", "deep/mid/secret.txt", { overwrite: true });
      await files.move("door/secret.txt", "taken.txt", { overwrite: true });
      await files.append("leaf.txt", "more");
      await files.append("hard.txt", "more");
      await files.remove("deep/mid/secret.txt");
      await files.remove(turn % 2 === 0 ? "tree" : "tree/inner", { recursive: true });
      await files.mkdir("tree/inner/x");
      const taken = await files.read("taken.txt");
      if (taken.ok && taken.bytes.includes(world.canary)) leaked += 1;
    }
    await swapper.stop();
    const changed = world.outsideState() !== before;
    world.remove();
    expect({ leaked, changed }).toEqual({ leaked: 0, changed: false });
  });

  it("leave no handle open", async () => {
    const count = () => readdirSync("/proc/self/fd").length;
    await run(realSubject(), { reads: 200, writes: 200, limitMs: 100_000 });
    const before = count();
    await run(realSubject(), { reads: 3000, writes: 3000, limitMs: 100_000 });
    expect(count()).toBeLessThanOrEqual(before + 2);
  });

  const readers = ["realpathThenOpen", "reopensByPath", "pathGripsUnverified", "countsNamesOnly"] as const;
  it.for(readers)("are read outside by a version with a mistake: %s", async (name) => {
    const race = await run(mistakes[name], { reads: 100_000, limitMs: 100_000, untilEscape: true });
    expect(race.escapedReads).toBeGreaterThan(0);
  });

  const writers = ["realpathThenOpen", "pathGripsUnverified"] as const;
  it.for(writers)("are written outside by a version with a mistake: %s", async (name) => {
    const race = await run(mistakes[name], { writes: 100_000, limitMs: 100_000, untilEscape: true });
    expect(race.outsideChanged).toBe(true);
  });
});

interface Bounds {
  readonly reads?: number;
  readonly writes?: number;
  readonly limitMs: number;
  readonly untilEscape?: boolean;
}

async function run(makeSubject: MakeSubject, { reads = 0, writes = 0, ...bounds }: Bounds) {
  const world = raceWorld();
  const before = world.outsideState();
  const swapper = startSwapper(world);
  const subject = makeSubject(world.root);
  const count = { reads: 0, writes: 0, readsDone: 0, writesDone: 0, escapedReads: 0 };
  const end = performance.now() + bounds.limitMs;
  const goOn = () => performance.now() < end && !(bounds.untilEscape && count.escapedReads > 0);
  while (count.reads < reads && goOn()) {
    const contents = await subject.read(readTargets[count.reads % readTargets.length]!);
    count.reads += 1;
    if (contents === undefined) continue;
    count.readsDone += 1;
    if (contents.includes(world.canary)) count.escapedReads += 1;
  }
  while (count.writes < writes && goOn()) {
    const done = await subject.write(writeTargets[count.writes % writeTargets.length]!, "written");
    count.writes += 1;
    if (done) count.writesDone += 1;
    if (bounds.untilEscape && count.writes % 200 === 0 && world.outsideState() !== before) break;
  }
  const swaps = await swapper.stop();
  const outsideChanged = world.outsideState() !== before;
  world.remove();
  return { ...count, swaps, outsideChanged };
}
