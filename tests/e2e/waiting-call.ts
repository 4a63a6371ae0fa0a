/** A call in a process of its own that waits for a person. */
import type { ChildProcess } from "node:child_process";
import { type CliWorld, type Ended, ended } from "./cli-process.ts";

export interface WaitingCall {
  readonly child: ChildProcess;
  /** As much of the approval's id as people see. */
  readonly id: string;
  readonly end: Promise<Ended>;
}

export async function writeAndWait(world: CliWorld, path: string, content: string): Promise<WaitingCall> {
  const input = JSON.stringify({ path, content });
  const child = world.start(["tools", "call", "fs.write", input, "--enable-tools", "--wait", "1m"]);
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
}
