/** Who a journal belongs to: one process of one machine. Only what a dead process left is taken over. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isSameProcess, readProcess } from "../../../../safe/process/process-table.ts";

/** `pid-start-boot-place`: fits into a file name. */
export function thisOwner(): string {
  const start = readProcess(process.pid)?.startTicks ?? 0;
  return [process.pid, start, bootId(), place()].join("-");
}

/** A process on another machine or in a container cannot be seen: its journal is left over at this age. */
const foreignAgeMs = 10 * 60_000;

export function isDead(owner: string, ageMs: number): boolean {
  const [, pid, start, boot, where] = /^(\d+)-(\d+)-(\w+)-(\w+)$/.exec(owner) ?? [];
  if (pid === undefined || where !== place()) return ageMs > foreignAgeMs;
  if (boot !== bootId()) return true;
  if (start !== "0") return !isSameProcess({ pid: Number(pid), startTicks: Number(start) });
  return !exists(Number(pid));
}

/** Where there is no /proc: a pid that was given away again makes us wait, never take over what is in use. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function bootId(): string {
  return readOr("none", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8));
}

/** The machine and, in a container, its own count of processes. */
function place(): string {
  const processes = readOr("", () => readlinkSync("/proc/self/ns/pid"));
  return createHash("sha256").update(`${hostname()} ${processes}`).digest("hex").slice(0, 12);
}

function readOr(otherwise: string, read: () => string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
