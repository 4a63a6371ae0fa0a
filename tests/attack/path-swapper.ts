/** A thread that keeps swapping files and directories of a root for links to what lies outside, until it is told to stop. */
import { linkSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workerData } from "node:worker_threads";

const { root, outside, control } = workerData as { root: string; outside: string; control: Int32Array };

// Index 0: stop; index 1: how many swaps were done; index 2: errors, which would mean that the attack itself stands still.
for (let turn = 0; Atomics.load(control, 0) === 0; turn += 1) {
  try {
    swap(turn);
    Atomics.add(control, 1, 1);
  } catch {
    Atomics.add(control, 2, 1);
    repair();
  }
}

function swap(turn: number): void {
  swapDirectory("door", turn);
  swapDirectory("deep/mid", turn);
  swapDirectory("tree/inner", turn);
  replace("leaf.txt", (path) => symlinkSync(join(outside, "secret.txt"), path));
  pause(turn);
  replace("leaf.txt", (path) => writeFileSync(path, "inside"));
  replace("hard.txt", (path) => linkSync(join(outside, "secret.txt"), path));
  pause(turn);
  replace("hard.txt", (path) => writeFileSync(path, "inside"));
}

/** The real directory steps aside, a link takes its place for a moment, and back. */
function swapDirectory(name: string, turn: number): void {
  const [place, parked, link] = [name, `${name}.parked`, `${name}.link`].map((path) => join(root, path)) as [
    string,
    string,
    string,
  ];
  renameSync(place, parked);
  renameSync(link, place);
  pause(turn);
  renameSync(place, link);
  renameSync(parked, place);
  pause(turn * 7);
}

function replace(name: string, make: (path: string) => void): void {
  const fresh = join(root, `${name}.fresh`);
  make(fresh);
  renameSync(fresh, join(root, name));
  // A hard link renamed onto its own twin stays under both names.
  quietly(() => unlinkSync(fresh));
}

/** Different lengths, so that every gap between two steps of the victim is met. */
function pause(turn: number): void {
  for (let spin = (turn * 37) % 4000; spin > 0; spin -= 1) Atomics.load(control, 0);
}

function repair(): void {
  for (const name of ["door", "deep/mid", "tree/inner"]) {
    const place = join(root, name);
    quietly(() => renameSync(`${place}.parked`, place));
    quietly(() => mkdirSync(place, { recursive: true }));
    quietly(() => symlinkSync(join(outside, "dir"), `${place}.link`));
  }
}

function quietly(attempt: () => void): void {
  try {
    attempt();
  } catch {
    // The other side was faster.
  }
}
