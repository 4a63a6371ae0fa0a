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

/** Agents start shells in groups of their own: whoever still carries the scratch home in its environment is ours to end. */
export function endProcessesOf(home: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (environment.includes(`HOME=${home}`)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // Ended meanwhile, or somebody else's.
    }
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}
