/** Calls that wait for a person, each in a process of its own, and the commands that answer them; a new world for each test. */
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type CliWorld, createCliWorld, type Ended, ended } from "./cli-process.ts";

interface WaitingCall {
  readonly child: ChildProcess;
  /** As much of the approval's id as people see. */
  readonly id: string;
  readonly end: Promise<Ended>;
}

interface ApprovalsWorld {
  /** The world of the test that runs now. */
  readonly now: CliWorld;
  callAndWait(path: string, content: string): Promise<WaitingCall>;
  approvals(...argv: readonly string[]): Promise<Ended>;
  /** What a file of the project holds; undefined: it is not there. */
  written(name: string): string | undefined;
}

export function useApprovalsWorld(): ApprovalsWorld {
  let world: CliWorld;
  let children: ChildProcess[] = [];
  beforeEach(() => {
    world = createCliWorld();
    children = [];
  });
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    world.close();
  });
  return {
    get now() {
      return world;
    },
    async callAndWait(path, content) {
      const input = JSON.stringify({ path, content });
      const child = world.start(["tools", "call", "fs.write", input, "--enable-tools", "--wait", "1m"]);
      children.push(child);
      const end = ended(child);
      child.stdin?.end();
      let err = "";
      const id = await new Promise<string>((resolve, reject) => {
        child.stderr?.on("data", (text: string) => {
          err += text;
          const found = /approvals approve ([0-9a-f]+)\n/.exec(err)?.[1];
          if (found !== undefined) resolve(found);
        });
        child.on("close", () => reject(new Error(`It did not wait: ${err}`)));
      });
      return { child, id, end };
    },
    approvals: (...argv) => world.run(["approvals", ...argv]),
    written(name) {
      const file = join(world.project, name);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    },
  };
}
