/** For bounds on work that computes: on a busy machine others take the time, not the processor time of this thread. */
import { cpuUsed } from "../src/core/run/cpu-time.ts";

export function processorMs(): number {
  const { user, system } = cpuUsed();
  return (user + system) / 1_000;
}
