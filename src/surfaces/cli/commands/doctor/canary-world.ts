/** The folders and the rule with which a hook is tried: away from the user's own rules and records. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrialCall } from "../../../../agents/agent-client.ts";
import type { CliIo } from "../../terminal/io.ts";

/** Rules, state and cache of this run alone, as variables for the hook. */
export function canaryFolders(folder: string, rules: string): Record<string, string> {
  for (const name of ["config/toolgate", "state", "cache", "project"])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "config", "toolgate", "config.yaml"), rules);
  const config = join(folder, "config");
  return {
    XDG_CONFIG_HOME: config,
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
    ...(process.platform === "win32" && { APPDATA: config, LOCALAPPDATA: join(folder, "state") }),
  };
}

/** Blocks the calls in which the pattern matches. */
export function canaryRules(
  calls: readonly Pick<TrialCall, "tool" | "ruleTool" | "field">[],
  pattern: string,
  word: string,
): string {
  const routes = calls.map(
    ({ tool, ruleTool = tool, field }, at) => `  toolgate-doctor-${at + 1}:
    tool: ${JSON.stringify(ruleTool)}
${field === undefined ? "" : `    field: ${field}\n`}    pattern: "${pattern}"
    message: "canary ${word}"
`,
  );
  return `routes:\n${routes.join("")}`;
}

/** What the agent would hand on and what can spoil a hook. */
export function inherited(
  home: string,
  ofClient: readonly string[],
  { env }: Pick<CliIo, "env">,
): Record<string, string> {
  const given = ["PATH", "NODE_OPTIONS", ...ofClient].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(given), HOME: home };
}
