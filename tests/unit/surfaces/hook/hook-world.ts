/** A home and a project of their own, and hooks that run in them: real files, no real home. */
import { createHash } from "node:crypto";
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
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { HookAgent, HookAnswer } from "../../../../src/agents/agent-hook.ts";
import { openAgent } from "../../../../src/agents/all-agents.ts";
import { claudeCode } from "../../../../src/agents/claude-code/agent.ts";
import { addTrust } from "../../../../src/config/trust/trust.ts";
import { type HookRequest, runHook } from "../../../../src/surfaces/hook/process/run-hook.ts";

type Environment = Record<string, string | undefined>;

export interface HookOptions {
  readonly agent?: HookAgent;
  readonly env?: Environment;
  readonly cwd?: string;
}

export interface HookWorld {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  /** Where the rule cache and the spool are. */
  readonly rules: string;
  readonly spoolFolder: string;
  readonly userFile: string;
  readonly env: Environment;
  /** Writes a file, its folders too; a path that is not absolute is in the project. */
  write(file: string, text: string): string;
  user(text: string): string;
  trust(file: string): void;
  run(stdin: unknown, options?: HookOptions): Promise<HookAnswer>;
  claude(stdin: unknown, options?: HookOptions): Promise<HookAnswer>;
  spool(): Record<string, unknown>[];
  spoolText(): string;
}

export function createHookWorld(): HookWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-hook-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, "home");
  const project = join(base, "project");
  mkdirSync(home);
  mkdirSync(join(project, ".git"), { recursive: true });
  // The walk asks the system for the home folder, too.
  const realHome = process.env.HOME;
  process.env.HOME = home;
  onTestFinished(() => {
    process.env.HOME = realHome;
  });
  const env: Environment = { HOME: home };
  const spoolFolder = join(home, ".local/state/toolgate/spool");
  const world: HookWorld = {
    base,
    home,
    project,
    rules: join(home, ".cache/toolgate/rules"),
    spoolFolder,
    userFile: join(home, ".config/toolgate/config.yaml"),
    env,
    write(file, text) {
      const path = file.startsWith("/") ? file : join(project, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    user: (text) => world.write(world.userFile, text),
    trust(file) {
      const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
      addTrust(join(home, ".local/state/toolgate"), [{ path: file, sha256 }]);
    },
    run: async (stdin, { agent, env: more, cwd = project } = {}) =>
      runHook({
        agent: agent ?? (await openAgent(undefined)),
        stdin: toStdin(stdin),
        env: { ...env, ...more },
        cwd,
      }),
    claude: async (stdin, options) => world.run(stdin, { ...options, agent: await openAgent(claudeCode) }),
    spool: () => linesOf(world.spoolText()),
    spoolText: () =>
      existsSync(spoolFolder)
        ? readdirSync(spoolFolder)
            .sort()
            .map((name) => readFileSync(join(spoolFolder, name), "utf8"))
            .join("")
        : "",
  };
  return world;
}

function toStdin(stdin: unknown): HookRequest["stdin"] {
  if (typeof stdin === "string") return stdin;
  return "problem" in (stdin as object) ? (stdin as { problem: string }) : JSON.stringify(stdin);
}

/** Whole lines of JSON; anything else throws. */
export function linesOf(text: string): Record<string, unknown>[] {
  if (text === "") return [];
  if (!text.endsWith("\n")) throw new Error("the last line is not whole");
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Rules count as settled when their files are older than a few ticks of the clock. */
export const settle = (): Promise<void> => sleep(90);

export function bash(command: string, more: object = {}): object {
  return { tool_name: "Bash", tool_input: { command }, ...more };
}

/** What Claude Code reads: one JSON document or nothing. */
export function said({ stdout }: HookAnswer): Record<string, unknown> {
  if (stdout === "") return {};
  if (!/^\{.*\}\n$/.test(stdout)) throw new Error(`not one line of JSON: ${stdout}`);
  const { hookSpecificOutput, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
  return { ...(hookSpecificOutput as object), ...rest };
}

export const rules = `routes:
  no-force:
    tool: Bash
    pattern: 'git push.*--(force)'
    message: Do not use --$1; open a pull request.
  log:
    tool: Bash
    pattern: '^git (log|show)$'
    action: rewrite
    rewrite: {command: 'git --no-pager $1 -n 20'}
policies:
  fine:
    tools: Bash
    action: approve
    conditions: [{type: command, operator: equals, value: ls}]
  never:
    tools: Bash
    action: deny
    reason: Servers are not yours.
    conditions: [{type: command, operator: startsWith, value: ssh}]
  ask-first:
    tools: Bash
    action: ask
    reason: Deploying needs Ann.
    conditions: [{type: command, operator: startsWith, value: deploy}]
`;
