/** Asks a `claude` on the PATH what it makes of its settings and plugins; without one there is nothing to say. */
import { delimiter, dirname, isAbsolute, relative } from "node:path";
import type { SetupFinding } from "../../../../agents/setup-finding.ts";
import { findCommand } from "../../../../safe/process/find-command.ts";
import { type ProcessEnd, runProcess } from "../../../../safe/process/spawn.ts";
import type { CliIo } from "../../terminal/io.ts";
import { inherited } from "./canary-world.ts";

const versionTimeoutMs = 10_000;
const listTimeoutMs = 15_000;

export interface Client {
  readonly program: string;
  run(
    args: readonly string[],
    options: {
      readonly timeoutMs: number;
      readonly env?: Readonly<Record<string, string>>;
      /** The project's, unless said otherwise. */
      readonly cwd?: string;
    },
  ): Promise<ProcessEnd>;
}

/** In the project's folder, with the home and the settings that the person has there. */
export function findClient(projectDir: string, home: string, io: CliIo): Client | undefined {
  const program = findCommand("claude", outside(projectDir, io.env.PATH), io.cwd);
  if (program === undefined) return undefined;
  return {
    program,
    run: (args, { timeoutMs, env = {}, cwd = projectDir }) =>
      runProcess({
        command: program,
        args,
        cwd,
        env: { ...quiet, ...inherited(home, io), ...env },
        timeoutMs,
        signal: io.signal,
      }),
  };
}

/** `isTrusted`: some of its commands start programs that the project names. */
export async function askClient(client: Client, isTrusted: boolean): Promise<SetupFinding[]> {
  const { program, run } = client;
  const version = await run(["--version"], { timeoutMs: versionTimeoutMs });
  if (!version.started || version.exitCode !== 0)
    return [{ check: "client", level: "warning", message: `${program} does not start.` }];
  const name = version.stdout.trim().split("\n")[0] ?? "";
  const known: SetupFinding = { check: "client", level: "ok", message: `${program} is ${name}.` };
  const examined = await run(["doctor"], {
    timeoutMs: listTimeoutMs,
    ...(!isTrusted && { cwd: dirname(program) }),
  });
  const listed = await run(["plugin", "list", "--json"], { timeoutMs: listTimeoutMs });
  const plugins = listed.started && listed.exitCode === 0 ? readPlugins(listed.stdout) : undefined;
  const unlisted: SetupFinding = {
    check: "client-plugins",
    level: "info",
    message: "claude plugin list gave no answer.",
  };
  return [
    known,
    ...(examined.started ? readInvalid(examined.stdout).map(describeInvalid) : []),
    ...(plugins?.flatMap(describeErrors) ?? [unlisted]),
  ];
}

/** No update, no report: only the question. */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
};

/** Under its heading, one item for each wrong field: file, key, what is wrong. */
function readInvalid(text: string): string[] {
  const [, below = ""] = text.split(/^Invalid settings\r?\n/m);
  const [items = ""] = below.split(/\r?\n\r?\n/);
  return items.split(/\r?\n/).flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []));
}

function describeInvalid(said: string): SetupFinding {
  return {
    check: "client-settings",
    level: "problem",
    message: `Claude Code says that its settings are invalid: ${said}`,
    todo: "Repair the file: for one wrong field it can leave out all of it, hooks included.",
  };
}

interface ListedPlugin {
  readonly id: string;
  readonly errors: readonly string[];
}

function readPlugins(text: string): ListedPlugin[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return undefined;
    return list.map((one: { id?: unknown; errors?: unknown }) => ({
      id: String(one.id),
      errors: Array.isArray(one.errors) ? one.errors.map(String) : [],
    }));
  } catch {
    return undefined;
  }
}

function describeErrors({ id, errors }: ListedPlugin): SetupFinding[] {
  return errors.map((error) => ({
    check: "client-plugins",
    level: "problem",
    message: `Claude Code does not load the plugin ${id}: ${error}`,
    todo: "Its hooks check nothing until this is repaired.",
  }));
}

/** A program that a repository brings along could say anything. */
function outside(projectDir: string, path = ""): string {
  return path
    .split(delimiter)
    .filter((entry) => {
      const way = relative(projectDir, entry);
      return way.startsWith("..") || isAbsolute(way);
    })
    .join(delimiter);
}
