/** Calls that wait for a person, each in a process of its own, and the commands that answer them; a new world for each test. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { type CliWorld, createCliWorld, type Ended } from "./cli-process.ts";
import { type WaitingCall, writeAndWait } from "./waiting-call.ts";

export interface ApprovalsWorld {
  /** The world of the test that runs now. */
  readonly now: CliWorld;
  callAndWait(path: string, content: string): Promise<WaitingCall>;
  approvals(...argv: readonly string[]): Promise<Ended>;
  /** What a file of the project holds; undefined: it is not there. */
  written(name: string): string | undefined;
}

export function useApprovalsWorld(): ApprovalsWorld {
  // Several processes start in each test.
  vi.setConfig({ testTimeout: 60_000 });
  let world: CliWorld;
  let calls: WaitingCall[] = [];
  beforeEach(() => {
    world = createCliWorld();
    calls = [];
  });
  afterEach(() => {
    for (const { child } of calls) child.kill("SIGKILL");
    world.close();
  });
  return {
    get now() {
      return world;
    },
    async callAndWait(path, content) {
      const call = await writeAndWait(world, path, content);
      calls.push(call);
      return call;
    },
    approvals: (...argv) => world.run(["approvals", ...argv]),
    written(name) {
      const file = join(world.project, name);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    },
  };
}
