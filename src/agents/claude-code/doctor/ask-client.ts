/** Asks the `claude` program what it makes of its settings and plugins. */
import { dirname } from "node:path";
import type { ClientProgram } from "../../agent-client.ts";
import { info, ok, problem, type SetupFinding, warning } from "../../setup-finding.ts";

const versionTimeoutMs = 10_000;
const listTimeoutMs = 15_000;

/** `isTrusted`: some of its commands start programs that the project names. */
export async function askClient(client: ClientProgram, isTrusted: boolean): Promise<SetupFinding[]> {
  const { program, run } = client;
  const version = await run(["--version"], { timeoutMs: versionTimeoutMs });
  if (!version.started || version.exitCode !== 0) return [warning("client", `${program} does not start.`)];
  const [name = ""] = version.stdout.trim().split("\n");
  const examined = await run(["doctor"], {
    timeoutMs: listTimeoutMs,
    ...(!isTrusted && { cwd: dirname(program) }),
  });
  const listed = await run(["plugin", "list", "--json"], { timeoutMs: listTimeoutMs });
  const plugins = listed.started && listed.exitCode === 0 ? readPlugins(listed.stdout) : undefined;
  return [
    ok("client", `${program} is ${name}.`),
    ...(examined.started ? readInvalid(examined.stdout).map(describeInvalid) : []),
    ...(plugins?.flatMap(describeErrors) ?? [info("client-plugins", "claude plugin list gave no answer.")]),
  ];
}

/** Under its heading, one item for each wrong field: file, key, what is wrong. */
function readInvalid(text: string): string[] {
  const [, below = ""] = text.split(/^Invalid settings\r?\n/m);
  const [items = ""] = below.split(/\r?\n\r?\n/);
  return items.split(/\r?\n/).flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []));
}

function describeInvalid(said: string): SetupFinding {
  return problem(
    "client-settings",
    `Claude Code says that its settings are invalid: ${said}`,
    "Repair the file: for one wrong field it can leave out all of it, hooks included.",
  );
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
  return errors.map((error) =>
    problem(
      "client-plugins",
      `Claude Code does not load the plugin ${id}: ${error}`,
      "Its hooks check nothing until this is repaired.",
    ),
  );
}
