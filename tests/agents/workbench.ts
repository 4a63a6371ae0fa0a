/** A scratch home and project in which the real client and the real toolgate run, seeing nothing of the machine's own settings. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { findClaudeCode, variablesOfClaude } from "./claude-code.ts";
import { type Ended, endProcess, processesIn, runProcess } from "./run-process.ts";

export const root = resolve(import.meta.dirname, "../..");
export const ourPlugin = join(root, "dist/hook");
export const client = findClaudeCode();

export interface Workbench {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Paths are relative to the home: `project/toolgate.yaml`, `.config/toolgate/config.yaml`. */
  path(path: string): string;
  write(path: string, content: string | object): string;
  read(path: string): string;
  has(path: string): boolean;
  remove(path: string): void;
  /** The user's rules. */
  writeRules(yaml: string): void;
  toolgate(args: readonly string[], options?: CommandOptions): Promise<Ended>;
  claude(args: readonly string[], options?: CommandOptions): Promise<Ended>;
}

interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface WorkbenchOptions {
  /** What the agent of this workbench needs beside a home and a PATH; Claude Code's unless said otherwise. */
  readonly variables?: (home: string) => Readonly<Record<string, string>>;
  /** Who cleans up; the end of the running test unless said otherwise. */
  readonly onEnd?: (cleanUp: () => void | Promise<void>) => void;
}

/** Removed, with every process that still lives in it, when the test ends. */
export function createWorkbench({
  variables = variablesOfClaude,
  onEnd = onTestFinished,
}: WorkbenchOptions = {}): Workbench {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-agents-")));
  onEnd(() => {
    for (const one of processesIn(home)) endProcess(one);
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const path = (inHome: string) => resolve(home, inHome);
  const env = { ...environment(home), ...variables(home) };

  function write(inHome: string, content: string | object): string {
    mkdirSync(dirname(path(inHome)), { recursive: true });
    writeFileSync(
      path(inHome),
      typeof content === "string" ? content : JSON.stringify(content, undefined, 2),
    );
    return path(inHome);
  }
  const run = (program: string, args: readonly string[], options: CommandOptions = {}) =>
    runProcess(program, args, { cwd: project, ...options, env: { ...env, ...options.env } });

  return {
    home,
    project,
    env,
    path,
    write,
    read: (inHome) => readFileSync(path(inHome), "utf8"),
    has: (inHome) => existsSync(path(inHome)),
    remove: (inHome) => rmSync(path(inHome), { recursive: true }),
    writeRules: (yaml) => void write(".config/toolgate/config.yaml", yaml),
    toolgate: (args, options) => run(process.execPath, [join(root, "dist/cli.js"), ...args], options),
    claude: (args, options) => run(client ?? "claude", args, options),
  };
}

function environment(home: string): Record<string, string> {
  return {
    HOME: home,
    // The hook runs on the Node of this run; `git` and the shell come from the system.
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    LANG: "C.UTF-8",
  };
}
