/** Who watches the queue from a process of their own: each has a file in the state folder while it does. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { quietly } from "../../core/run/quietly.ts";
import { replacePrivateFile } from "../../safe/files/private-file.ts";
import { isSameProcess, readProcess } from "../../safe/process/process-table.ts";

/** Until it is disposed of, calls that ask wait for whoever watches. */
export function announceWatcher(stateFolder: string): Disposable {
  const { pid } = process;
  const file = join(watchersFolder(stateFolder), String(pid));
  const started = process.platform === "linux" ? readProcess(pid)?.startTicks : undefined;
  sweepWatchers(stateFolder);
  replacePrivateFile(file, String(started ?? ""));
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

/** What a watcher that was killed left behind does not count. */
export function isWatchedElsewhere(stateFolder: string): boolean {
  return sweepWatchers(stateFolder) > 0;
}

/** Removes what killed watchers left behind, and nothing of those that live. How many live. */
export function sweepWatchers(stateFolder: string): number {
  const folder = watchersFolder(stateFolder);
  let living = 0;
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    if (isWatching(Number(name), file)) living++;
    else quietly(() => rmSync(file, { force: true }));
  }
  return living;
}

function watchersFolder(stateFolder: string): string {
  return join(stateFolder, "watchers");
}

function namesIn(folder: string): readonly string[] {
  const names = quietly(() => readdirSync(folder)) ?? [];
  return names.filter((name) => /^[1-9]\d*$/.test(name));
}

/** A pid alone is reused: where the system tells when a process started, that has to be the same, too. */
function isWatching(pid: number, file: string): boolean {
  try {
    const started = readFileSync(file, "utf8");
    if (started !== "") return isSameProcess({ pid, startTicks: Number(started) });
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
