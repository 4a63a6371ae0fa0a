/**
 * Which variables count for a hook. Its script starts Node with these alone (`hook.sh` has the same list, a
 * test compares them), and only the harmless ones may stand in a project's settings. A list of the dangerous
 * ones would never be whole: every loader, library and shell has its own.
 */

/** They say where programs, rules and records are, and who asks: for the person to set, not for a repository. */
const deciding = [
  ...["HOME", "PATH", "SHELL", "USER", "LOGNAME", "TMPDIR"],
  ...["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"],
  ...["TOOLGATE_ROUTES", "TOOLGATE_UPSTREAM_OF", "TOOLGATE_CALL"],
  ...["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_PLUGIN_CACHE_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PROJECT_DIR"],
  ...["CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SESSION_ATTENDED"],
  ...["COPILOT_HOME", "COPILOT_PROJECT_DIR", "GROK_HOME", "GROK_WORKSPACE_ROOT"],
  ...["FACTORY_PROJECT_DIR", "CURSOR_PROJECT_DIR", "CRUSH_PROJECT_DIR"],
];

/** How text, times and colours look. */
const harmless = [
  ...["LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC"],
  ...["LC_TIME", "TZ", "TERM", "NO_COLOR"],
];

/** For the client, or for what a project starts with it; nothing that starts a hook reads them. */
const ofTheClient = [
  ...["ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL"],
  ...["ANTHROPIC_DEFAULT_HAIKU_MODEL", "ANTHROPIC_DEFAULT_OPUS_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL"],
  ...["BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_OUTPUT_LENGTH", "BASH_MAX_TIMEOUT_MS"],
  ...["CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "MAX_THINKING_TOKENS"],
  ...["MAX_MCP_OUTPUT_TOKENS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT", "CLAUDE_CODE_ENABLE_TELEMETRY"],
  ...[
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_DISABLE_TERMINAL_TITLE",
    "DISABLE_AUTOUPDATER",
  ],
  ...["DISABLE_BUG_COMMAND", "DISABLE_COST_WARNINGS", "DISABLE_ERROR_REPORTING", "DISABLE_TELEMETRY"],
  ...["CI", "NODE_ENV"],
];

export const hookVariables: readonly string[] = [...deciding, ...harmless];

const forProjects: ReadonlySet<string> = new Set([...harmless, ...ofTheClient]);

/** By its very name: on some systems `path` is `PATH`, so nothing is listed in other letters. */
export function mayProjectSet(name: string): boolean {
  return forProjects.has(name);
}
