/** Where the server of a state folder is found: a file that is there as long as the server runs. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../core/input/defined.ts";
import { createPrivateFile } from "../../safe/files/private-file.ts";
import { readProcess } from "../../safe/process/process-table.ts";

export interface Announcement {
  readonly url: string;
  readonly pid: number;
  /** ISO time. */
  readonly startedAt: string;
  /** Where the owner's token is. */
  readonly tokenFile: string;
  readonly version: string;
  /** Pid and start time name one process, where the system tells both; a pid alone is reused. */
  readonly startTicks?: number;
}

export function announcementFile(stateFolder: string): string {
  return join(stateFolder, "server.json");
}

/** The server that runs now. What a server that died left behind does not count. */
export function findServer(stateFolder: string): Announcement | undefined {
  const found = readAnnouncement(announcementFile(stateFolder));
  return found !== undefined && isAlive(found) ? found : undefined;
}

export type Announced =
  | { readonly ok: true; readonly withdraw: () => void }
  | { readonly ok: false; readonly other: Announcement };

export function announceServer(
  stateFolder: string,
  { url, tokenFile, version }: Pick<Announcement, "url" | "tokenFile" | "version">,
  now: Date = new Date(),
): Announced {
  const file = announcementFile(stateFolder);
  const { pid } = process;
  const startedAt = now.toISOString();
  const own: Announcement = defined({ url, pid, startedAt, tokenFile, version, startTicks: ticksOf(pid) });
  const text = `${JSON.stringify(own)}\n`;
  while (!createPrivateFile(file, text)) {
    const other = findServer(stateFolder);
    if (other !== undefined) return { ok: false, other };
    rmSync(file, { force: true });
  }
  return {
    ok: true,
    withdraw: () => {
      // Another server may have taken us for dead and taken the place.
      const there = readAnnouncement(file);
      if (there?.pid === own.pid && there.startedAt === own.startedAt) rmSync(file, { force: true });
    },
  };
}

function readAnnouncement(file: string): Announcement | undefined {
  try {
    const read = JSON.parse(readFileSync(file, "utf8")) as Announcement;
    return typeof read.url === "string" && Number.isInteger(read.pid) && read.pid > 0 ? read : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, startTicks }: Announcement): boolean {
  if (startTicks !== undefined) return ticksOf(pid) === startTicks;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process is there, but we may not signal it.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function ticksOf(pid: number): number | undefined {
  return process.platform === "linux" ? readProcess(pid)?.startTicks : undefined;
}
