/** Breaks the checker that a plugin has started once, for the calls that come: it ends, and the next one is broken. */
import { readdirSync, readFileSync } from "node:fs";
import type { Workbench } from "../workbench.ts";
import type { HookFault } from "./real-agent.ts";

export async function breakResident(bench: Workbench, fault: HookFault | undefined): Promise<void> {
  // Rows of agents load nothing of vitest.
  const { breakProcess } = await import("./check-failures.ts");
  breakProcess(bench, fault);
  endResidents(bench.home);
}

/** Those whose hook lies in this home. */
export function endResidents(home: string): number {
  const pids = residentsOf(home);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  return pids.length;
}

export function residentsOf(home: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words.includes("--stay") && words.some((word) => word.startsWith(`${home}/`));
      } catch {
        return false;
      }
    });
}
