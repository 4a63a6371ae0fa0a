/** Ends a process we started together with everything it started, also what moved to another session. */

import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { quietly } from "../../core/run/quietly.ts";
import {
  carriesMark,
  isSameProcess,
  listPids,
  listPidsSince,
  type ProcessRow,
  readAnyProcess,
  readProcess,
} from "./process-table.ts";

/** Names one process we started. There is no way to give a bare pid: a reused one would hit a stranger. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Undefined where the system does not tell (not Linux). */
  readonly startTicks: number | undefined;
  readonly mark: string;
  /** The root is the sandbox itself; ending it first would take the grace period from what runs inside. */
  readonly sandboxed: boolean;
}

export interface KillTreeOptions {
  /** Between the polite signal and the one that cannot be ignored. */
  readonly graceMs?: number;
}

export interface KillTreeEnd {
  /** How many processes were found and signalled. */
  readonly found: number;
  /** Those still there at the end (another user's, or stuck in the kernel). */
  readonly left: readonly number[];
}

const ROUNDS = 40;

/** Call it right after the start, while the pid cannot have been reused. */
export function identifyProcess(pid: number, mark: string, sandboxed = false): ProcessIdentity {
  const startTicks = process.platform === "linux" ? readAnyProcess(pid)?.startTicks : undefined;
  return { pid, startTicks, mark, sandboxed };
}

export async function killTree(root: ProcessIdentity, options: KillTreeOptions = {}): Promise<KillTreeEnd> {
  const graceMs = options.graceMs ?? 2000;
  if (process.platform === "win32") return killWindowsTree(root);
  if (process.platform !== "linux") return killGroup(root, graceMs);
  const first = findTree(root);
  const found = new Set(first.map((row) => row.pid));
  for (const row of first) if (!(root.sandboxed && row.pid === root.pid)) signal(row, "SIGTERM");
  await waitUntilGone(first, graceMs);

  for (let round = 0; round < ROUNDS; round++) {
    const rest = findTree(root);
    if (rest.length === 0) break;
    // Stopped first, so that a process which forks as fast as we kill has no one left to fork.
    for (const row of rest) signal(row, "SIGSTOP");
    for (const row of [...rest, ...findTree(root)]) {
      found.add(row.pid);
      signal(row, "SIGKILL");
    }
    await sleep(Math.min(5 * (round + 1), 50));
  }
  return { found: found.size, left: findTree(root).map((row) => row.pid) };
}

/** After a normal end: whether anything of the tree is still there. */
export function findLeftovers(root: ProcessIdentity): ProcessRow[] {
  return process.platform === "linux" ? findTree(root, listPidsSince(root.pid)) : [];
}

function findTree(root: ProcessIdentity, pids: readonly number[] = listPids()): ProcessRow[] {
  if (root.startTicks === undefined) return [];
  const rows: ProcessRow[] = [];
  for (const pid of pids) {
    if (pid === process.pid) continue;
    const row = readProcess(pid);
    if (row !== undefined && row.startTicks >= root.startTicks) rows.push(row);
  }
  // The usual end: nobody started after it is left.
  if (rows.length === 0) return [];
  // A number that our session uses cannot be reused; if a stranger has it, our session is empty.
  const holder = rows.find((row) => row.pid === root.pid);
  const isFree = holder === undefined && readProcess(root.pid) === undefined;
  const numberIsOurs = isFree || holder?.startTicks === root.startTicks;
  const members = new Map<number, ProcessRow>();
  for (const row of rows) {
    const ours =
      (numberIsOurs && (row.pid === root.pid || row.session === root.pid || row.group === root.pid)) ||
      carriesMark(row.pid, root.mark);
    if (ours) members.set(row.pid, row);
  }
  addDescendants(rows, members);
  return [...members.values()];
}

function addDescendants(rows: readonly ProcessRow[], members: Map<number, ProcessRow>): void {
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const row of rows) if (members.has(row.parent)) members.set(row.pid, row);
  }
}

async function waitUntilGone(rows: readonly ProcessRow[], graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  let rest = rows.filter(isSameProcess);
  for (
    let pauseMs = 2;
    rest.length > 0 && performance.now() < deadline;
    pauseMs = Math.min(pauseMs * 2, 50)
  ) {
    await sleep(Math.min(pauseMs, Math.max(0, deadline - performance.now())));
    rest = rest.filter(isSameProcess);
  }
}

function signal(row: ProcessRow, name: NodeJS.Signals): void {
  if (isSameProcess(row)) send(row.pid, name);
}

/** Gone already (ESRCH) is what we wanted; not ours to end (EPERM) shows in `left`. */
function send(pid: number, name: NodeJS.Signals | 0): boolean {
  return quietly(() => process.kill(pid, name)) === true;
}

/** Without /proc: the process group. A child that makes a session of its own is out of reach here. */
async function killGroup(root: ProcessIdentity, graceMs: number): Promise<KillTreeEnd> {
  if (!send(-root.pid, "SIGTERM")) return { found: 0, left: [] };
  const deadline = performance.now() + graceMs;
  while (send(-root.pid, 0) && performance.now() < deadline) await sleep(20);
  send(-root.pid, "SIGKILL");
  return { found: 1, left: [] };
}

async function killWindowsTree(root: ProcessIdentity): Promise<KillTreeEnd> {
  await new Promise<void>((resolve) => {
    const child = spawn("taskkill", ["/pid", String(root.pid), "/T", "/F"], {
      stdio: "ignore",
      windowsHide: true,
    });
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  return { found: 1, left: [] };
}
