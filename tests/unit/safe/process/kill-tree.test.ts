import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { findLeftovers, identifyProcess, killTree } from "../../../../src/safe/process/kill-tree.ts";
import { readProcess } from "../../../../src/safe/process/process-table.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Runs a script that prints `ready` and the pids it wants to be watched. */
async function start(script: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn("sh", ["-c", script], {
    detached: true,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  let text = "";
  while (!text.includes("ready")) text += String((await once(child.stdout!, "data"))[0]);
  return { child, pids: text.replace("ready", "").trim().split(/\s+/).filter(Boolean).map(Number) };
}

let marks = 0;
const newMark = () => `mark-${process.pid}-${Date.now()}-${++marks}`;
/** Starts a process in a session of its own, whose parent is gone. */
const away = "(setsid sh -c 'echo $$; echo ready; exec sleep 60' &); exec sleep 60";

const isThere = (pid: number): boolean => readProcess(pid) !== undefined;

describe.skipIf(process.platform !== "linux")("killTree (the process table is read from /proc)", () => {
  it("does not touch a process that carries another mark, or that has it in another variable", async () => {
    const mark = newMark();
    const one = await start("echo ready; sleep 60", { TOOLGATE_CALL: mark });
    const other = await start("echo ready; sleep 60", { OTHER: mark, TOOLGATE_CALL: "else" });
    await killTree(identifyProcess(one.child.pid!, mark), { graceMs: 500 });
    expect(isThere(other.child.pid!)).toBe(true);
  });

  it("does not touch a process that got the same pid later", async () => {
    const { child } = await start("echo ready; sleep 60");
    const identity = identifyProcess(child.pid!, "no-mark");
    const earlier = { ...identity, startTicks: identity.startTicks! - 1 };
    expect(await killTree(earlier, { graceMs: 100 })).toEqual({ found: 0, left: [] });
    expect(isThere(child.pid!)).toBe(true);
  });

  it("stops a process that forks faster than it is killed", async () => {
    const script = "echo ready; f() { (setsid sh -c 'sleep 0.05; :' &) ; }; while :; do f; sleep 0.01; done";
    const mark = newMark();
    const { child } = await start(script, { TOOLGATE_CALL: mark });
    expect((await killTree(identifyProcess(child.pid!, mark), { graceMs: 50 })).left).toEqual([]);
  });

  it("tells what a process left behind after its end", async () => {
    const mark = newMark();
    const { child, pids } = await start(away, { TOOLGATE_CALL: mark });
    const identity = identifyProcess(child.pid!, mark);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(findLeftovers(identity).map((row) => row.pid)).toEqual(pids);
    await killTree(identity, { graceMs: 100 });
    expect(findLeftovers(identity)).toEqual([]);
  });
});
