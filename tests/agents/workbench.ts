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
import { findClaudeCode } from "./claude-code.ts";
import { type Ended, endProcessesOf, runProcess } from "./run-process.ts";

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

/** Removed, with every process that still lives in it, when the test ends. */
export function createWorkbench(): Workbench {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-agents-")));
  onTestFinished(() => {
    endProcessesOf(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const path = (inHome: string) => resolve(home, inHome);
  const env = environment(home);

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
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    // The hook runs on the Node of this run; `git` and the shell come from the system.
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    LANG: "C.UTF-8",
    ANTHROPIC_API_KEY: "dummy",
    // Nobody listens there: a command that needs no model must not look for one elsewhere.
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  };
}
