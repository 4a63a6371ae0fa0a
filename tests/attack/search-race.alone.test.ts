/** Another thread swaps files and directories for links while tools read, list and search: nothing outside is ever shown. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createGate } from "../../src/index.ts";
import { findRipgrep } from "../../src/safe/files/ripgrep.ts";
import { createFilesystemTools } from "../../src/sources/builtin/filesystem/filesystem-tools.ts";
import { codebase } from "../../src/sources/builtin/search/codebase.ts";
import { glob } from "../../src/sources/builtin/search/glob.ts";
import { createGrep } from "../../src/sources/builtin/search/grep.ts";
import { raceWorld, startSwapper } from "./race-world.ts";

const rounds = 150;
const folders = [".", "door", "deep", "deep/mid", "tree"];
const questions = (folder: string): readonly [tool: string, input: object][] => [
  ["search.grep", { pattern: "canary|inside", path: folder, context: 1 }],
  ["search.grep", { pattern: "canary", path: folder, mode: "count" }],
  ["search.glob", { pattern: "*", path: folder }],
  ["search.codebase", { query: "canary inside", path: folder }],
  ["fs.list", { path: folder, depth: 3 }],
  ["fs.read", { paths: [`${folder}/secret.txt`, `${folder}/only-outside.txt`, "leaf.txt", "hard.txt"] }],
];

describe.skipIf(process.platform !== "linux")("tools under a swapping thread", () => {
  it.each([
    ["with ripgrep", findRipgrep],
    ["without ripgrep", async () => undefined],
  ])("show nothing of what is outside, %s", async (_, findProgram) => {
    const world = raceWorld();
    const swapper = startSwapper(world);
    const gate = await createGate({
      tools: [...createFilesystemTools(), createGrep({ findProgram }), glob, codebase],
      // Without a policy that speaks of paths: one could open what lies outside just when the gate looks.
      roots: [world.root],
    });
    const leaks: string[] = [];
    let answered = 0;
    for (let round = 0; round < rounds; round++) {
      const folder = folders[round % folders.length] ?? ".";
      for (const [tool, input] of questions(folder)) {
        const outcome = await gate.dispatch({ tool, input });
        if (outcome.ok) answered += 1;
        const shown = JSON.stringify(outcome);
        // A file that was asked for by name is named in its refusal.
        const named = tool === "fs.read" ? [world.canary] : [world.canary, "only-outside"];
        if (named.some((text) => shown.includes(text))) leaks.push(`${tool} ${shown}`);
      }
    }
    const swaps = await swapper.stop();
    world.remove();
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(rounds * 2);
    expect(swaps).toBeGreaterThan(500);
  });

  it("would, if ripgrep's own output were shown", async () => {
    const world = raceWorld();
    const swapper = startSwapper(world);
    const program = (await findRipgrep()) ?? "";
    let leaked = false;
    for (let round = 0; round < 2_000 && !leaked; round++) {
      const run = promisify(execFile)(program, ["--no-messages", "canary", "./door", "./deep/mid"], {
        cwd: world.root,
      });
      const { stdout } = await run.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
      leaked = stdout.includes(world.canary);
    }
    await swapper.stop();
    world.remove();
    expect(leaked).toBe(true);
  });
});
