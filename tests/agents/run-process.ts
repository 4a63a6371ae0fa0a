/** Runs a program with nothing but the environment it is given, for a bounded time, and leaves nothing of it behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runProcess(
  program: string,
  args: readonly string[],
  { cwd, env, input = "", timeoutMs = 60_000 }: ProcessOptions,
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: "pipe" });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  // Both settle later; a program that cannot be started is reported by `once` below.
  output.catch(() => {});
  child.stdin.on("error", () => {});
  child.stdin.end(input);

  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, timeoutMs);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    // A child that keeps the output open would keep us here until the time is over: such an orphan fails the check.
    const [stdout, stderr] = await output;
    if (timedOut)
      throw new Error(
        `${program} ${args.join(" ")} did not end within ${timeoutMs} ms\n${stdout}\n${stderr}`,
      );
    return { code, stdout, stderr };
  } finally {
    clearTimeout(timer);
  }
}

export interface RunningProcess {
  readonly pid: number;
  /** Its command line; empty when it has ended and nobody has asked how. */
  readonly words: readonly string[];
  /** `NAME=value`. */
  readonly environment: readonly string[];
}

/** All whose environment we may read. */
export function listProcesses(): RunningProcess[] {
  if (process.platform !== "linux") return [];
  const read = (pid: string, file: string) =>
    readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0").slice(0, -1);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [{ pid: Number(pid), words: read(pid, "cmdline"), environment: read(pid, "environ") }];
      } catch {
        // Ended meanwhile, or somebody else's.
        return [];
      }
    });
}

export function endProcess({ pid }: RunningProcess, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Ended meanwhile.
  }
}

/** Agents start shells in groups of their own: whoever still carries the scratch home in its environment is ours to end. */
export function processesIn(home: string): RunningProcess[] {
  return listProcesses().filter(({ environment }) => environment.includes(`HOME=${home}`));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}
