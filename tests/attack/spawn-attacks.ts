/** Attacks on a function that runs processes; each answers what went wrong, or nothing. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type Runner = (options: {
  command: string;
  args: readonly string[];
  cwd: string;
  timeoutMs?: number;
  killGraceMs?: number;
  signal?: AbortSignal;
}) => Promise<{ started: boolean; stdout?: string }>;

type Attack = (run: Runner, folder: string) => Promise<string | undefined>;

const PLANTED = Array.from({ length: 20 }, (_, at) => [
  `PLANTED_${at}_${["TOKEN", "KEY", "URL", "PASSWORD"][at % 4]}`,
  `canary-${at}`,
]);

/** Leaves a process behind whose pid stands in a file; then the main process ends, or is cancelled. */
function leaving(start: string, end: "exit" | "cancel"): Attack {
  return async (run, folder) => {
    const file = join(folder, "pid");
    const stay = `sh -c 'trap "" TERM HUP; echo $$ > "${file}.new"; mv "${file}.new" "${file}"; while :; do sleep 0.2; done'`;
    const script = `${start.replace("STAY", () => stay)}
while [ ! -e "${file}" ]; do sleep 0.01; done
${end === "exit" ? "exit 0" : "sleep 60"}`;
    const controller = new AbortController();
    const how = { cwd: folder, timeoutMs: 50_000, killGraceMs: 100, signal: controller.signal };
    const ended = run({ command: "sh", args: ["-c", script], ...how });
    while (!existsSync(file)) await sleep(10);
    const pid = Number(readFileSync(file, "utf8"));
    if (end === "cancel") controller.abort();
    await ended;
    const alive = isAlive(pid);
    if (alive) process.kill(pid, "SIGKILL");
    return alive ? "a process is still there" : undefined;
  };
}

/** Writes more than should be kept. */
function flooding(program: { command: string; args: readonly string[]; timeoutMs?: number }): Attack {
  return async (run, cwd) => {
    const before = process.memoryUsage().rss;
    const { stdout = "" } = await run({ ...program, cwd });
    const growth = process.memoryUsage().rss - before;
    if (stdout.length > 2 * 1024 * 1024) return `kept ${stdout.length} characters`;
    return growth > 50 * 1024 * 1024 ? `grew by ${growth} bytes` : undefined;
  };
}

export const spawnAttacks: Readonly<Record<string, Attack>> = {
  "read the secrets of our environment": async (run, folder) => {
    for (const [name, value] of PLANTED) process.env[name!] = value;
    try {
      const { stdout = "" } = await run({ command: "env", args: [], cwd: folder });
      return PLANTED.some(([, value]) => stdout.includes(value!)) ? "secrets are visible" : undefined;
    } finally {
      for (const [name] of PLANTED) delete process.env[name!];
    }
  },
  "smuggle a command into an argument": async (run, folder) => {
    const lists = ["; touch marker", "\ntouch marker\n", "&& touch marker", "' ; touch marker '"];
    for (const text of [...lists, "$(touch marker)", "`touch marker`"]) {
      await run({ command: "echo", args: [text], cwd: folder });
      if (existsSync(join(folder, "marker"))) return `ran ${text}`;
    }
    return undefined;
  },
  "put a program of the workspace in front of the system's": async (run, folder) => {
    const before = process.env.PATH;
    process.env.PATH = `.:${before}`;
    try {
      const make = "printf '#!/bin/sh\\ntouch marker\\n' > uptime; chmod +x uptime";
      await run({ command: "sh", args: ["-c", make], cwd: folder });
      await run({ command: "uptime", args: [], cwd: folder });
    } finally {
      process.env.PATH = before;
    }
    return existsSync(join(folder, "marker")) ? "ran ./uptime" : undefined;
  },
  "ignore SIGTERM": leaving("STAY &", "cancel"),
  "outlive the cancellation in a session of its own": leaving("setsid STAY &", "cancel"),
  "outlive the cancellation after a double fork": leaving(
    "(setsid STAY >/dev/null 2>&1 </dev/null &)",
    "cancel",
  ),
  "outlive the cancellation without environment": leaving("env -i PATH=/usr/bin:/bin STAY &", "cancel"),
  "outlive the end of the main process": leaving("STAY &", "exit"),
  "outlive the end of the main process as a daemon": leaving(
    "(setsid STAY >/dev/null 2>&1 </dev/null &)",
    "exit",
  ),
  "write without end": flooding({ command: "yes", args: ["0123456789".repeat(10)], timeoutMs: 500 }),
  "write ten megabytes without a line break": flooding({
    command: "head",
    args: ["-c", "10000000", "/dev/zero"],
  }),
};

/** The names of the attacks that got through. */
export async function attackRunner(run: Runner, names = Object.keys(spawnAttacks)): Promise<string[]> {
  const through: string[] = [];
  for (const name of names) {
    const folder = mkdtempSync(join(tmpdir(), "toolgate-attack-"));
    try {
      if ((await spawnAttacks[name]!(run, folder)) !== undefined) through.push(name);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return through;
}

/** A zombie that its new parent has not collected yet is dead. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

/** Waits for its end; what these tests start would live for half a minute and longer. */
export async function isGone(pid: number): Promise<boolean> {
  const deadline = performance.now() + 20_000;
  while (isAlive(pid) && performance.now() < deadline) await sleep(20);
  return !isAlive(pid);
}
