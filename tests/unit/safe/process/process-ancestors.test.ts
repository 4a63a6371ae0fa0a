import { spawn } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { hasAncestor, readProcess } from "../../../../src/safe/process/process-table.ts";

it.runIf(process.platform === "linux")(
  "a process descends from itself and its parents, and from no other",
  () => {
    const child = spawn("sleep", ["30"], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const rowOf = (pid: number) => readProcess(pid) ?? { pid, startTicks: -1 };
    const [own, parent, below] = [rowOf(process.pid), rowOf(process.ppid), rowOf(child.pid ?? 0)];
    expect(hasAncestor(process.pid, own)).toBe(true);
    expect(hasAncestor(below.pid, own)).toBe(true);
    expect(hasAncestor(below.pid, parent)).toBe(true);
    expect(hasAncestor(process.pid, below)).toBe(false);
    // The same number, another process.
    expect(hasAncestor(below.pid, { ...own, startTicks: own.startTicks + 1 })).toBe(false);
    expect(hasAncestor(-1, own)).toBe(false);
  },
);
