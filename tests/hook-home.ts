/** A home and a project below one folder: where every test of the hook writes its rules and reads the record. */
import type { ChildProcess } from "node:child_process";
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

export interface HookHome {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  readonly state: string;
  readonly userFile: string;
  readonly spoolFolder: string;
  readonly rulesFolder: string;
  readonly codeFolder: string;
  /** Writes a file, its folders too; a path that is not absolute is in the project. */
  write(file: string, text: string): string;
  user(text: string): string;
  /** Where the calls of today are recorded. */
  today(): string;
  spool(): Record<string, unknown>[];
  spoolText(): string;
  remove(): void;
}

export function createHookHome(): HookHome {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-hook-")));
  const [home, project] = [join(base, "home"), join(base, "project")];
  mkdirSync(home);
  mkdirSync(join(project, ".git"), { recursive: true });
  const state = join(home, ".local/state/toolgate");
  const place: HookHome = {
    ...{ base, home, project, state },
    userFile: join(home, ".config/toolgate/config.yaml"),
    spoolFolder: join(state, "spool"),
    rulesFolder: join(home, ".cache/toolgate/rules"),
    codeFolder: join(home, ".cache/toolgate/code"),
    write(file, text) {
      const path = file.startsWith("/") ? file : join(project, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    user: (text) => place.write(place.userFile, text),
    today: () => join(place.spoolFolder, `${new Date().toISOString().slice(0, 10)}.jsonl`),
    spool: () => linesOf(place.spoolText()),
    spoolText() {
      const names = existsSync(place.spoolFolder) ? readdirSync(place.spoolFolder).sort() : [];
      return names.map((name) => readFileSync(join(place.spoolFolder, name), "utf8")).join("");
    },
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  };
  return place;
}

/** Whole lines of JSON; anything else throws. */
function linesOf(text: string): Record<string, unknown>[] {
  if (text === "") return [];
  if (!text.endsWith("\n")) throw new Error("the last line is not whole");
  const lines = text.slice(0, -1).split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Rules count as settled when their files are older than a few ticks of the clock. */
export const settle = (): Promise<void> => sleep(90);

/** undefined takes a variable away. */
export type Variables = Readonly<Record<string, string | undefined>>;

export function defined(env: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** What an agent would write: text and bytes as they are, everything else as JSON. */
export function toBytes(stdin: unknown): string | Buffer {
  return typeof stdin === "string" || Buffer.isBuffer(stdin) ? stdin : JSON.stringify(stdin);
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ["", ""];
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

export function bash(command: unknown, more: object = {}): object {
  return { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, ...more };
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
