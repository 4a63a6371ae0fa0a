/** The command line as a real process, in a project and a home of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Built: a start of the source strips the types of hundreds of files. check-build.ts sees to it that it is there. */
export const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CliWorld {
  readonly folder: string;
  readonly project: string;
  start(argv: readonly string[], nodeOptions?: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  run(
    argv: readonly string[],
    stdin?: string | Buffer,
    nodeOptions?: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<Ended>;
  close(): void;
}

/** `folder`: the one of a world that another process has made. */
export function createCliWorld(
  folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-e2e-"))),
): CliWorld {
  const project = join(folder, "project");
  mkdirSync(join(folder, "home"), { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  const start: CliWorld["start"] = (argv, nodeOptions = [], env = {}) =>
    spawn(process.execPath, [...nodeOptions, cli, ...argv], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: join(folder, "home"), ...env },
      stdio: "pipe",
    });
  return {
    folder,
    project,
    start,
    run(argv, stdin = "", nodeOptions = [], env = {}) {
      const child = start(argv, nodeOptions, env);
      // A command that does not read its input may be gone before it is written.
      child.stdin?.on("error", () => {});
      child.stdin?.end(stdin);
      return ended(child);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function ended(child: ChildProcess): Promise<Ended> {
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}
