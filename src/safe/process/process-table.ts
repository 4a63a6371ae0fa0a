/** Reads the kernel's list of processes (Linux /proc): it finds a tree again whose parents are gone. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { quietly } from "../../core/run/quietly.ts";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot. Pid and start together name one process; a pid alone is reused. */
  readonly startTicks: number;
}

/** The variable by which descendants are known even after a double fork into a session of their own. */
export const MARK_VARIABLE = "TOOLGATE_CALL";
/** In upstream servers and whatever they start: the toolgate whose upstream it is. */
export const UPSTREAM_VARIABLE = "TOOLGATE_UPSTREAM_OF";

/** Undefined when there is no such process, or only its zombie. */
export function readProcess(pid: number): ProcessRow | undefined {
  const row = readAnyProcess(pid);
  return row === undefined || row.isDead ? undefined : row;
}

/** A process that ended at once is a zombie until we collect it, and may have left others behind. */
export function readAnyProcess(pid: number): (ProcessRow & { readonly isDead: boolean }) | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The program name may itself hold ") ", so the fields start after the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTicks: Number(fields[19]),
    isDead: fields[0] === "Z" || fields[0] === "X",
  };
}

export function isSameProcess(row: Pick<ProcessRow, "pid" | "startTicks">): boolean {
  return readProcess(row.pid)?.startTicks === row.startTicks;
}

/** Whether this process descends from that one, or is it. False where there is no table to look into. */
export function hasAncestor(pid: number, ancestor: Pick<ProcessRow, "pid" | "startTicks">): boolean {
  // Parents start before their children, so the way up ends; the bound is for a table that changes.
  for (let current = pid, steps = 0; current > 0 && steps < 1_000; steps++) {
    const row = readAnyProcess(current);
    if (row === undefined) return false;
    if (row.pid === ancestor.pid && row.startTicks === ancestor.startTicks) return true;
    current = row.parent;
  }
  return false;
}

export function listPids(): number[] {
  const pids: number[] = [];
  for (const name of readdirSync("/proc")) {
    const first = name.charCodeAt(0);
    if (first >= 48 && first <= 57) pids.push(Number(name));
  }
  return pids;
}

export function carriesMark(pid: number, mark: string): boolean {
  const environment = readText(`/proc/${pid}/environ`);
  if (environment === undefined || !environment.includes(mark)) return false;
  return environment
    .split("\0")
    .some((entry) => entry.startsWith(`${MARK_VARIABLE}=`) && entry.includes(mark));
}

/** The pids given out after this one. Every call asks when it ends: the usual answer, none, is cheap. */
export function listPidsSince(pid: number): number[] {
  const before = newestPid();
  if (before >= pid && before - pid < 32) {
    const candidates = Array.from({ length: before - pid }, (_, at) => pid + 1 + at);
    return candidates.filter((next) => statSync(`/proc/${next}`, { throwIfNoEntry: false }) !== undefined);
  }
  const pids = listPids();
  // Read after the list, so that no listed pid is newer. After the largest, pids start from below.
  const newest = newestPid();
  return pids.filter((next) => (newest >= pid ? next > pid && next <= newest : next > pid || next <= newest));
}

function newestPid(): number {
  return Number(readText("/proc/loadavg")?.trim().split(" ").at(-1) ?? 0);
}

/** A process may vanish, or belong to someone else, at any moment: then there is nothing to read. */
function readText(path: string): string | undefined {
  return quietly(() => readFileSync(path, "latin1"));
}
