/** A root whose files and directories another thread keeps swapping for links to what lies outside. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { makePathWorld, type PathWorld } from "./path-world.ts";

export function raceWorld(): PathWorld {
  const world = makePathWorld();
  const { root, outside, canary } = world;
  mkdirSync(join(outside, "dir", "low"), { recursive: true });
  mkdirSync(join(outside, "dir", "inner"));
  for (const name of ["dir/only-outside.txt", "dir/low/secret.txt", "dir/file.txt", "dir/inner/secret.txt"]) {
    writeFileSync(join(outside, name), canary);
  }
  for (const name of ["door", "deep/mid", "tree/inner"]) {
    mkdirSync(join(root, name, "low"), { recursive: true });
    for (const file of ["secret.txt", "file.txt", "low/secret.txt"])
      writeFileSync(join(root, name, file), "inside");
    symlinkSync(join(outside, "dir"), join(root, `${name}.link`));
  }
  writeFileSync(join(root, "leaf.txt"), "inside");
  writeFileSync(join(root, "hard.txt"), "inside");
  return world;
}

export function startSwapper(world: PathWorld): { swaps(): number; stop(): Promise<number> } {
  const control = new Int32Array(new SharedArrayBuffer(12));
  const workerData = { root: world.root, outside: world.outside, control };
  const worker = new Worker(new URL("./path-swapper.ts", import.meta.url), { workerData });
  const ended = new Promise<void>((resolve, reject) =>
    worker.once("exit", () => resolve()).once("error", reject),
  );
  return {
    swaps: () => Atomics.load(control, 1),
    stop: async () => {
      Atomics.store(control, 0, 1);
      await ended;
      return Atomics.load(control, 1);
    },
  };
}
