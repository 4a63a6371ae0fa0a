/** What Gemini CLI's settings.json says about tools: lists of those that are allowed, excluded, or there at all. */
import { isRecord } from "../../core/input/json.ts";
import { type CommandText, prefixText } from "./command-text.ts";
import { type GeminiRule, geminiTools } from "./gemini-rule.ts";
import { serverTool, unclearServer } from "./mcp-names.ts";
import type { Collected } from "./own-rule.ts";
import { recordIn, type Settings, texts } from "./read-settings.ts";

/** The places of these lists among the rules of the user. */
const priorities = { mcpExcluded: 4.9, excluded: 4.4, allowed: 4.3, trusted: 4.2, mcpAllowed: 4.1 };

export function settingsRules(settings: Settings, file: string, found: Collected): GeminiRule[] {
  const tools = recordIn(settings, "tools");
  const mcp = recordIn(settings, "mcp");
  // Older files have the lists at the top.
  const list = (now: unknown, before: string) => [...texts(now), ...texts(settings[before])];
  const rules: GeminiRule[] = [];
  const add = (rule: Omit<GeminiRule, "file">) => rules.push({ ...rule, file });
  for (const name of texts(mcp.excluded))
    add({
      permit: "deny",
      priority: priorities.mcpExcluded,
      tool: serverTool(name, "*", "deny") ?? "mcp__*",
      written: `mcp.excluded: ${name}`,
    });
  for (const entry of list(tools.exclude, "excludeTools"))
    add({
      permit: "deny",
      priority: priorities.excluded,
      ...toolIn(entry),
      written: `tools.exclude: ${entry}`,
    });
  for (const rule of coreRules(list(tools.core, "coreTools"))) add(rule);
  for (const entry of list(tools.allowed, "allowedTools")) {
    const written = `tools.allowed: ${entry}`;
    const named = toolIn(entry);
    if (named.command === undefined && /\(/.test(entry))
      found.leave(written, file, "only commands of the shell can be told apart there");
    else add({ permit: "allow", priority: priorities.allowed, ...named, written });
  }
  const addServer = (name: string, priority: number, written: string) => {
    const tool = serverTool(name, "*", "allow");
    if (tool === undefined) found.leave(written, file, unclearServer);
    else add({ permit: "allow", priority, tool, written });
  };
  for (const [name, server] of Object.entries(recordIn(settings, "mcpServers")))
    if (isRecord(server) && server.trust === true)
      addServer(name, priorities.trusted, `mcpServers.${name}.trust`);
  for (const name of texts(mcp.allowed)) addServer(name, priorities.mcpAllowed, `mcp.allowed: ${name}`);
  const mode = recordIn(settings, "general").defaultApprovalMode ?? tools.approvalMode;
  if (typeof mode === "string" && mode !== "default")
    found.leave(
      `defaultApprovalMode: ${mode}`,
      file,
      "a mode is no rule; it goes on to hold where no policy speaks",
    );
  return rules;
}

/** `run_shell_command(git status)`, `ShellTool(git)`, or a name. */
function toolIn(entry: string): { readonly tool: string; readonly command?: CommandText } {
  const [, name = entry, inside] = /^([\w-]+)\((.*)\)$/.exec(entry) ?? [];
  const tool = name === "ShellTool" ? "run_shell_command" : name;
  return tool === "run_shell_command" && inside !== undefined && inside.trim() !== ""
    ? { tool, command: prefixText(inside) }
    : { tool };
}

/** Nothing is an exception of it. */
const aboveAll = 9;

/** Only what the list names is there at all: everything else is refused. */
function coreRules(core: readonly string[]): Omit<GeminiRule, "file">[] {
  if (core.length === 0) return [];
  const named = core.map(toolIn);
  const missing = ["run_shell_command", ...geminiTools].filter(
    (name) => !named.some(({ tool }) => tool === name),
  );
  const denied = missing.map((tool) => ({
    permit: "deny" as const,
    priority: aboveAll,
    tool,
    written: "tools.core",
  }));
  const commands = named.filter(({ tool, command }) => tool === "run_shell_command" && command !== undefined);
  const isOpen = named.some(({ tool, command }) => tool === "run_shell_command" && command === undefined);
  if (commands.length === 0 || isOpen) return denied;
  const shell = {
    permit: "deny" as const,
    priority: aboveAll,
    tool: "run_shell_command",
    written: "tools.core",
  };
  return [...denied, { ...shell, only: commands.flatMap(({ command }) => command ?? []) }];
}
