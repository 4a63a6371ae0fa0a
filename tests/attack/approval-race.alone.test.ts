/**
 * Another thread swaps files and folders for links all the time: before the yes, between the last look and the opening of the file, and
 * after it. Only calls whose question showed the right place get a yes. Many tries for each kind of tool, and nothing elsewhere is touched.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textOf } from "../../src/core/call/content.ts";
import type { ApprovalRequest } from "../../src/index.ts";
import { findBubblewrap, sandboxWorks } from "../../src/safe/sandbox/find-bubblewrap.ts";
import { byTier } from "../tier.ts";
import { codeOf } from "../unit/paper-gate.ts";
import { type ApprovalWorld, approvalWorld, callsOn, opensByHandle } from "./approval-world.ts";
import { startSwapper } from "./race-world.ts";

const tries = 200;
/** Each starts a sandbox. */
const sandboxed = byTier(40, 200);
const bwrap = findBubblewrap([]);
const works = bwrap !== undefined && (await sandboxWorks(bwrap)).works;
const must = process.env.TOOLGATE_CI === "full";

describe.skipIf(process.platform !== "linux")("many tries under a swapping thread", () => {
  it.each(opensByHandle)("have no effect elsewhere: %s", async (kind) => {
    const ends = await race(await approvalWorld(), kind);
    expect(ends).toMatchObject({ asked: tries, effects: 0, leaked: 0 });
    // Some must get through, and some must be stopped, or the zero means nothing.
    expect(ends.ran).toBeGreaterThan(0);
    expect(ends.stopped).toBeGreaterThan(0);
  });

  it.each(["shell.exec", "plugin shell"])(
    "have no effect elsewhere where the link is in place before the yes, sandbox or not: %s",
    async (kind) => {
      const world = await approvalWorld();
      const before = world.elsewhereState();
      for (let turn = 0; turn < tries; turn++) {
        const folder = `try-${turn}`;
        mkdirSync(join(world.root, folder));
        const outcome = await world.approveAfter(callsOn[kind]!(`${folder}/file.txt`), () => {
          renameSync(join(world.root, folder), join(world.root, `${folder}.aside`));
          symlinkSync(
            turn % 2 === 0 ? world.elsewhere : join(world.outside, "dir"),
            join(world.root, folder),
          );
        });
        expect(codeOf(outcome)).toBe("approval_stale");
      }
      expect(world.elsewhereState()).toBe(before);
    },
  );

  it.skipIf(!works && !must).each(["shell.exec", "plugin shell"])(
    "have no effect outside of the workspace with the sandbox required, whenever the link is swapped: %s",
    async (kind) => {
      const world = await approvalWorld({ shell: { sandbox: "required" } });
      // A hard link is no link but the file itself; whoever can make one to a file outside can change that file anyway.
      const soft = targets.filter((target) => target !== "hard.txt");
      const ends = await race(world, kind, { paths: soft, count: sandboxed });
      expect(ends).toMatchObject({ asked: sandboxed, leaked: 0 });
      expect(ends.ran).toBeGreaterThan(0);
      const changed = readdirSync(world.outside, { recursive: true, withFileTypes: true }).filter(
        (entry) =>
          entry.isFile() && !readFileSync(join(entry.parentPath, entry.name), "utf8").includes(world.canary),
      );
      expect(changed.map(({ name }) => name)).toEqual([]);
    },
  );
});

async function race(world: ApprovalWorld, kind: string, { paths = targets, count = tries } = {}) {
  const { root, outside, elsewhere, canary } = world;
  for (const [folder, text] of [
    [join(root, "door"), "inside\n"],
    [join(root, "deep/mid"), "inside\n"],
    // What a call that is led astray would find fits, too.
    [join(outside, "dir"), `inside\n${canary}\n`],
    [elsewhere, `inside\n${canary}\n`],
  ] as const)
    for (let turn = 0; turn < maxTurns; turn++) writeFileSync(join(folder, `f${turn}.txt`), text);
  const before = world.elsewhereState();
  const swapper = startSwapper(world);
  const ends = { asked: 0, ran: 0, stopped: 0, leaked: 0 };
  for (let turn = 0; ends.asked < count && turn < maxTurns; turn++) {
    const path = paths[turn % paths.length]!.replace("N", String(turn));
    let isRight = false;
    const outcome = await world.approveAfter(callsOn[kind]!(path), async (request) => {
      isRight = showsOnly(request, world, path);
      // A person who is shown another place says no.
      if (!isRight) await world.gate.approvals.answer(request.id, { decision: "deny", by: "ann" });
    });
    if (!isRight) continue;
    ends.asked++;
    if (outcome.ok) ends.ran++;
    else ends.stopped++;
    if (textOf(outcome.result).includes(canary)) ends.leaked++;
  }
  const swaps = await swapper.stop();
  const effects = world.elsewhereState() === before ? 0 : 1;
  console.info("approval race", kind, { ...ends, swaps, effects });
  return { ...ends, effects };
}

/** Each try has a file of its own; those without a number the other thread makes anew. */
const targets = ["door/fN.txt", "deep/mid/fN.txt", "leaf.txt", "hard.txt"];
const maxTurns = 2_000;

function showsOnly({ meaning }: ApprovalRequest, { root }: ApprovalWorld, path: string): boolean {
  const right = [root, join(root, "inside.txt"), join(root, path), join(root, `${path}.moved`)];
  return meaning.paths.every((place) => right.includes(place.path));
}
