/** Asks a `claude` on the PATH what it makes of its plugins; without one there is nothing to say. */
import { delimiter, isAbsolute, relative } from "node:path";
import type { SetupFinding } from "../../../../agents/setup-finding.ts";
import { findCommand } from "../../../../safe/find-command.ts";
import { runProcess } from "../../../../safe/spawn.ts";
import type { CliIo } from "../../io.ts";

const versionTimeoutMs = 10_000;
const listTimeoutMs = 15_000;

export async function askClient(projectDir: string, home: string, io: CliIo): Promise<SetupFinding[]> {
  const claude = findCommand("claude", outside(projectDir, io.env.PATH), io.cwd);
  if (claude === undefined)
    return [
      { check: "client", level: "info", message: "No claude on the PATH: its own view was not asked for." },
    ];
  const run = (args: readonly string[], timeoutMs: number) =>
    runProcess({
      command: claude,
      args,
      cwd: projectDir,
      env: { ...quiet, HOME: home, PATH: io.env.PATH ?? "", ...configDir(io) },
      timeoutMs,
      signal: io.signal,
    });
  const version = await run(["--version"], versionTimeoutMs);
  if (!version.started || version.exitCode !== 0)
    return [{ check: "client", level: "warning", message: `${claude} does not start.` }];
  const name = version.stdout.trim().split("\n")[0] ?? "";
  const listed = await run(["plugin", "list", "--json"], listTimeoutMs);
  const plugins = listed.started && listed.exitCode === 0 ? readPlugins(listed.stdout) : undefined;
  const known: SetupFinding = { check: "client", level: "ok", message: `${claude} is ${name}.` };
  if (plugins === undefined)
    return [known, { check: "client-plugins", level: "info", message: "claude plugin list gave no answer." }];
  return [known, ...plugins.flatMap(describeErrors)];
}

/** No update, no report: only the question. */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
};

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

function configDir({ env }: CliIo): Record<string, string> {
  return env.CLAUDE_CONFIG_DIR === undefined ? {} : { CLAUDE_CONFIG_DIR: env.CLAUDE_CONFIG_DIR };
}
