/** Names a process so that others can tell later whether it still runs: a pid alone is reused. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isSameProcess, readProcess } from "../../safe/process/process-table.ts";

export interface ProcessPlace {
  readonly host: string;
  /** Changes with every start of the machine. */
  readonly boot: string;
  /** Containers on one machine may share the store but not their pids. */
  readonly pidSpace: string;
  readonly pid: number;
  readonly startTicks: number | null;
}

export interface KnownProcess extends ProcessPlace {
  /** When it last said that it is there. */
  readonly seenAt: number;
}

/** A process elsewhere, whose pid says nothing here, counts as dead when it has been silent for so long. */
export const silentMs = 5 * 60_000;

export function identifyOurselves(): ProcessPlace {
  return {
    host: hostname(),
    boot: ifThere(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()),
    pidSpace: ifThere(() => readlinkSync("/proc/self/ns/pid")),
    pid: process.pid,
    startTicks: process.platform === "linux" ? (readProcess(process.pid)?.startTicks ?? null) : null,
  };
}

export function isAlive(known: KnownProcess, here: ProcessPlace, now: number): boolean {
  if (known.host === here.host && known.boot !== here.boot) return false;
  const comparable = known.host === here.host && known.pidSpace === here.pidSpace;
  if (!comparable) return now - known.seenAt < silentMs;
  if (known.startTicks !== null) return isSameProcess({ pid: known.pid, startTicks: known.startTicks });
  return exists(known.pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Not every system has it. */
function ifThere(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
