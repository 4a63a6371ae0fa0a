import { afterAll, beforeAll } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-process.ts";

/** One world for all tests of the file or `describe`. */
export function useCliWorld(prepare: (world: CliWorld) => unknown = () => {}): CliWorld {
  const world = createCliWorld();
  beforeAll(async () => {
    await prepare(world);
  });
  afterAll(() => world.close());
  return world;
}
