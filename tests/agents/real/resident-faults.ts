/** Breaks the checker that a plugin has started once, for the calls that come: it ends, and the next one is broken. */
import { endProcess, listProcesses, type RunningProcess } from "../run-process.ts";
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
  const residents = residentsOf(home);
  for (const one of residents) endProcess(one);
  return residents.length;
}

export function residentsOf(home: string): RunningProcess[] {
  return listProcesses().filter(
    ({ words }) => words.includes("--stay") && words.some((word) => word.startsWith(`${home}/`)),
  );
}
