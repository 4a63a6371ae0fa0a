/** The bundled hook as agents start it: a real process in a home of its own. Needs `npm run build`. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const built = fileURLToPath(new URL("../../dist/hook", import.meta.url));

/** Read once: a build that runs meanwhile must not be met half done. */
const bundle = readBundle();

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly agent?: "claude-code" | undefined;
  /** Added to the environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What is written to standard input, which then ends. */
  readonly stdin?: string | Buffer;
  readonly spawn?: SpawnOptions;
}

export interface ProcessWorld {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  readonly hook: string;
  readonly spoolFolder: string;
  readonly rulesFolder: string;
  readonly codeFolder: string;
  write(file: string, text: string): string;
  start(options?: RunOptions): ChildProcess;
  /** As Claude Code, unless it is said otherwise. */
  run(stdin: unknown, options?: RunOptions): Promise<Ended>;
  spoolText(): string;
  close(): void;
}

export function createProcessWorld(): ProcessWorld {
  if (bundle.size === 0) throw new Error(`There is no ${built}: run npm run build first.`);
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-process-")));
  const home = join(base, "home");
  const project = join(base, "project");
  mkdirSync(home);
  mkdirSync(join(project, ".git"), { recursive: true });
  // The folder above it is the program's own, as `dist` is: the project must not lie in it.
  const folder = join(base, "program", "hook");
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of bundle) writeFileSync(join(folder, name), bytes);
  const hook = join(folder, "hook.cjs");
  const spoolFolder = join(home, ".local/state/toolgate/spool");
  const world: ProcessWorld = {
    base,
    home,
    project,
    hook,
    spoolFolder,
    rulesFolder: join(home, ".cache/toolgate/rules"),
    codeFolder: join(home, ".cache/toolgate/code"),
    write(file, text) {
      const path = file.startsWith("/") ? file : join(project, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    start: ({ agent, env, cwd = project, spawn: more } = {}) =>
      spawn(process.execPath, [hook, ...(agent === undefined ? [] : [agent])], {
        cwd,
        env: defined({ PATH: process.env.PATH, HOME: home, ...env }),
        stdio: "pipe",
        ...more,
      }),
    run(stdin, options = {}) {
      const child = world.start({ agent: "claude-code", ...options });
      // Whoever denies before all was read closes the pipe.
      child.stdin?.on("error", () => {});
      child.stdin?.end(typeof stdin === "string" || Buffer.isBuffer(stdin) ? stdin : JSON.stringify(stdin));
      return ended(child);
    },
    spoolText: () =>
      existsSync(spoolFolder)
        ? readdirSync(spoolFolder)
            .map((name) => readFileSync(join(spoolFolder, name), "utf8"))
            .join("")
        : "",
    close: () => rmSync(base, { recursive: true, force: true }),
  };
  return world;
}

function readBundle(): ReadonlyMap<string, Buffer> {
  if (!existsSync(join(built, "hook.cjs"))) return new Map();
  return new Map(
    readdirSync(built, { withFileTypes: true })
      .flatMap((entry) => (entry.isFile() ? [entry.name] : []))
      .map((name) => [name, readFileSync(join(built, name))]),
  );
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
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
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}

/** What holds for every end: nothing or one JSON document, exit code 0 or 2, and no denial with 0. */
export function verdictOf({ code, signal, out, err }: Ended): "deny" | "allow" | "rewrite" | "abstain" {
  const where = JSON.stringify({ code, signal, out: out.slice(0, 500), err: err.slice(0, 500) });
  expect(signal, where).toBeNull();
  expect([0, 2], where).toContain(code);
  if (out === "") return code === 2 ? "deny" : "abstain";
  expect(out.endsWith("\n"), where).toBe(true);
  // Throws for anything before, behind or besides one document.
  const { hookSpecificOutput: said = {} } = JSON.parse(out) as {
    hookSpecificOutput?: Record<string, unknown>;
  };
  if (said.permissionDecision === "deny") {
    expect(code, where).toBe(2);
    expect(err, where).not.toBe("");
    return "deny";
  }
  expect(code, where).toBe(0);
  if (said.updatedInput !== undefined) return "rewrite";
  return said.permissionDecision === "allow" ? "allow" : "abstain";
}

export function bash(command: unknown): object {
  return { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } };
}

export const rules = `routes:
  no-force:
    tool: Bash
    pattern: 'git push.*--force'
    message: Open a pull request.
  log:
    tool: Bash
    pattern: '^git log$'
    action: rewrite
    rewrite: {command: 'git --no-pager log'}
policies:
  fine:
    tools: Bash
    action: approve
    conditions: [{type: command, operator: equals, value: ls}]
`;
