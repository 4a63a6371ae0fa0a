import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runProcess } from "../../src/safe/process/spawn.ts";
import { attackRunner, isAlive, isGone, type Runner, spawnAttacks } from "./spawn-attacks.ts";

const onLinux = process.platform === "linux";

describe.skipIf(!onLinux)("attacks on runProcess (they need Linux)", () => {
  it.each(Object.keys(spawnAttacks))("does not get through: %s", async (name) => {
    expect(await attackRunner(runProcess as Runner, [name])).toEqual([]);
  });

  it("leaves no process when toolgate itself is killed, whatever the process did to get away", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolgate-death-"));
    const script = `
      import { runProcess, startProcess } from ${JSON.stringify(resolve("src/safe/process/spawn.ts"))};
      const cwd = ${JSON.stringify(folder)};
      const stay = (file) => "trap '' TERM HUP; echo $$ > " + file + "; while :; do sleep 0.2; done";
      void runProcess({ command: "sh", args: ["-c", stay("plain")], cwd });
      void runProcess({ command: "env", args: ["-i", "PATH=/usr/bin:/bin", "sh", "-c", stay("bare")], cwd });
      void runProcess({ command: "sh", args: ["-c", "(setsid sh -c \\"$0\\" >/dev/null 2>&1 &); sleep 60", stay("daemon")], cwd });
      void startProcess({ command: "sh", args: ["-c", stay("background")], cwd });
    `;
    writeFileSync(join(folder, "gate.mts"), script);
    const stdio = ["ignore", "ignore", "inherit"] as const;
    const gate = spawn(process.execPath, [join(folder, "gate.mts")], { stdio: [...stdio] });
    try {
      const files = ["plain", "bare", "daemon", "background"].map((name) => join(folder, name));
      const isThere = (file: string) => existsSync(file) && readFileSync(file, "utf8") !== "";
      await expect.poll(() => files.every(isThere)).toBe(true);
      const pids = files.map((file) => Number(readFileSync(file, "utf8")));
      expect(pids.map(isAlive)).toEqual([true, true, true, true]);
      gate.kill("SIGKILL");
      expect(await Promise.all(pids.map((pid) => isGone(pid)))).toEqual([true, true, true, true]);
    } finally {
      gate.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("leaves nothing of its own when it ends", async () => {
    const script = `
      import { runProcess } from ${JSON.stringify(resolve("src/safe/process/spawn.ts"))};
      import { readFileSync } from "node:fs";
      await runProcess({ command: "true", args: [], cwd: "/" });
      console.log(readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").trim());
    `;
    const gate = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const guards = (await text(gate.stdout)).trim().split(/\s+/).map(Number);
    expect(guards.every((pid) => pid > 1)).toBe(true);
    expect(await Promise.all(guards.map((pid) => isGone(pid)))).not.toContain(false);
  });
});

/** Runs a process the way it is usually done, with one mistake each. */
function naive(mistake: {
  env?: "all";
  shell?: true;
  kill: (child: ChildProcess) => void;
  after?: (child: ChildProcess) => void;
  keepAll?: true;
}): Runner {
  return ({ command, args, cwd, timeoutMs = 5000, signal }) =>
    new Promise((done) => {
      const env = mistake.env === "all" ? process.env : { PATH: process.env.PATH, HOME: process.env.HOME };
      const child = mistake.shell
        ? spawn([command, ...args].join(" "), { cwd, env, shell: true, detached: true })
        : spawn(command, args, { cwd, env, detached: true });
      let stdout = "";
      child.stdout?.on("data", (chunk) => {
        if (mistake.keepAll || stdout.length < 1_000_000) stdout += chunk;
      });
      child.stderr?.resume();
      child.stdin?.end();
      const timer = setTimeout(() => mistake.kill(child), timeoutMs);
      signal?.addEventListener("abort", () => mistake.kill(child));
      child.once("error", () => done({ started: false }));
      child.once("exit", async () => {
        clearTimeout(timer);
        mistake.after?.(child);
        await sleep(30);
        child.stdout?.destroy();
        child.stderr?.destroy();
        done({ started: true, stdout });
      });
    });
}

const killGroup = (signal: NodeJS.Signals) => (child: ChildProcess) => {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // Already gone.
  }
};
const thorough = { kill: killGroup("SIGKILL"), after: killGroup("SIGKILL") };

describe.skipIf(!onLinux)("the attacks find these mistakes", () => {
  const mutants: [string, Runner, string[]][] = [
    [
      "all of the environment is passed on",
      naive({ ...thorough, env: "all" }),
      ["read the secrets of our environment"],
    ],
    [
      "a shell joins the arguments",
      naive({ ...thorough, shell: true }),
      ["smuggle a command into an argument"],
    ],
    ["PATH is taken as it is", naive(thorough), ["put a program of the workspace in front of the system's"]],
    [
      "only the direct child is killed",
      naive({ kill: (child) => child.kill("SIGKILL") }),
      ["ignore SIGTERM", "outlive the end of the main process"],
    ],
    [
      "SIGTERM is the only signal",
      naive({ kill: killGroup("SIGTERM"), after: killGroup("SIGTERM") }),
      ["ignore SIGTERM", "outlive the end of the main process"],
    ],
    [
      "only the process group is killed",
      naive(thorough),
      ["outlive the cancellation in a session of its own", "outlive the end of the main process as a daemon"],
    ],
    [
      "all output is kept",
      naive({ ...thorough, keepAll: true }),
      ["write without end", "write ten megabytes without a line break"],
    ],
  ];
  it.each(mutants)("%s", async (_, run, caughtBy) => {
    expect(await attackRunner(run, caughtBy)).toEqual(caughtBy);
  });
});
