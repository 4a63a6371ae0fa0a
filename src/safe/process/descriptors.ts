/** File descriptors: how many this process may have, how many it has, and whether enough are left. */
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { quietly } from "../../core/run/quietly.ts";

export interface Descriptors {
  /** The process's limit (`RLIMIT_NOFILE`). Undefined: the system has none, or does not say. */
  readonly limit: number | undefined;
  /** Open now. */
  readonly used: number;
}

/** Costs some milliseconds: for a start, not for a call. */
export function countDescriptors(): Descriptors {
  return { limit: readLimit(), used: countUsed() };
}

/** By Linux's own word; elsewhere by Node's report, which knows the limits of Unix systems. */
function readLimit(): number | undefined {
  const limits = quietly(() => readFileSync("/proc/self/limits", "utf8")) ?? "";
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  return soft === undefined ? limitOfReport() : toLimit(soft);
}

export function limitOfReport(): number | undefined {
  // Without it Node asks the name server about every connection.
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  const before = report.excludeNetwork;
  report.excludeNetwork = true;
  try {
    const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
    return toLimit(userLimits?.open_files?.soft);
  } finally {
    report.excludeNetwork = before === true;
  }
}

function toLimit(soft: unknown): number | undefined {
  const limit = Number(soft);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
}

/** A process of ours that has just started holds about this many. */
const usually = 48;

function countUsed(): number {
  const count = (folder: string) => quietly(() => readdirSync(folder).length);
  return count("/proc/self/fd") ?? count("/dev/fd") ?? usually;
}

/** One deadline for synchronous work takes five (an event loop of Node); other threads may take some. */
const neededForDeadline = 8;

/** Throws with the reason if too few descriptors are left. Node itself would abort the process. */
export function needDescriptors(): void {
  if (process.platform === "win32") return;
  const taken: number[] = [];
  try {
    while (taken.length < neededForDeadline) taken.push(openSync("/dev/null", "r"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EMFILE" && code !== "ENFILE") throw error;
    throw new Error(
      `Too many files and connections are open (${code}): none is left for the deadline of a check, which is not made without one. ` +
        "Try again in a moment; whoever runs the process can raise its limit (ulimit -n).",
    );
  } finally {
    for (const fd of taken) closeSync(fd);
  }
}
