/** Permissions of Gemini CLI: its policy files and settings. The rule of the highest priority that matches counts. */
import { join } from "node:path";
import { isRecord } from "../../core/input/json.ts";
import { type CommandText, prefixText } from "./command-text.ts";
import { type GeminiRule, geminiTools } from "./gemini-rule.ts";
import { settingsRules } from "./gemini-settings.ts";
import { withExceptions } from "./in-order.ts";
import { isMcpName, mcpNames, serverTool, unclearServer } from "./mcp-names.ts";
import {
  Collected,
  type FoundPermissions,
  type PermissionPlace,
  type PermissionScope,
  type Permit,
} from "./own-rule.ts";
import { SettingsReader, texts } from "./read-settings.ts";

export function readGeminiPermissions(scope: PermissionScope, place: PermissionPlace): FoundPermissions {
  const reader = new SettingsReader();
  const found = new Collected();
  const user = join(place.env.GEMINI_CLI_HOME ?? place.home, ".gemini");
  const project = join(place.projectDir, ".gemini");
  const rules = folderRules(user, 4, reader, found);
  // What decides in a project is decided by both together.
  if (scope === "project") {
    const before = reader.files.length;
    rules.push(...folderRules(project, 3, reader, found));
    if (reader.files.length === before) return { ...new Collected(), ...reader, files: [] };
  }
  addRules(rules, found);
  return { ...found, ...reader };
}

function folderRules(folder: string, tier: number, reader: SettingsReader, found: Collected): GeminiRule[] {
  const rules: GeminiRule[] = [];
  const file = join(folder, "settings.json");
  const settings = reader.json(file);
  if (settings !== undefined) rules.push(...settingsRules(settings, file, found));
  for (const policy of reader.list(join(folder, "policies"), ".toml")) {
    const written = reader.toml(policy)?.rule;
    if (written === undefined) continue;
    if (!Array.isArray(written)) reader.fail(policy, "rule is no list of tables");
    else for (const one of written) rules.push(...policyRules(one, policy, tier, found));
  }
  return rules;
}

const permits: Readonly<Record<string, Permit>> = { allow: "allow", ask_user: "ask", deny: "deny" };

function policyRules(rule: unknown, file: string, tier: number, found: Collected): GeminiRule[] {
  const written = shownRule(rule);
  const nothing = (why: string): GeminiRule[] => {
    found.leave(written, file, why);
    return [];
  };
  if (!isRecord(rule)) return nothing("it is no table");
  const permit = permits[String(rule.decision)];
  if (permit === undefined) return nothing("its decision is none of allow, ask_user and deny");
  const { priority, deny_message: reason } = rule;
  if (typeof priority !== "number" || priority < 0 || priority > 999)
    return nothing("Gemini CLI takes no rule without a priority from 0 to 999");
  const names = typeof rule.toolName === "string" ? [rule.toolName] : texts(rule.toolName);
  const server = typeof rule.mcpName === "string" ? rule.mcpName : undefined;
  const said =
    server === undefined
      ? names
      : (names.length === 0 ? ["*"] : names).map((name) => serverTool(server, name, permit));
  const tools = said.filter((name) => name !== undefined);
  if (tools.length < said.length) return nothing(unclearServer);
  if (tools.length === 0) return nothing("it names no tool");
  const partly = partOf(rule);
  const base = {
    permit,
    priority: tier + priority / 1000,
    written,
    file,
    ...(typeof reason === "string" && reason.trim() !== "" && { reason: reason.trim() }),
    ...(partly !== undefined && { partly }),
  };
  const commands = commandsOf(rule);
  if (typeof commands === "string") {
    if (permit === "allow") return nothing(commands);
    found.widen(written, file, `${commands}; every call of ${tools.join(", ")} is meant now`);
    return tools.map((tool) => ({ ...base, tool }));
  }
  return tools.flatMap((tool) =>
    commands.length === 0 ? [{ ...base, tool }] : commands.map((command) => ({ ...base, tool, command })),
  );
}

/** Text: why they cannot be said. Empty: any. */
function commandsOf(rule: Readonly<Record<string, unknown>>): readonly CommandText[] | string {
  const { commandPrefix, commandRegex, argsPattern } = rule;
  if (commandPrefix !== undefined)
    return (typeof commandPrefix === "string" ? [commandPrefix] : texts(commandPrefix)).map(prefixText);
  const regex = typeof commandRegex === "string" ? commandRegex : onlyCommand(argsPattern);
  if (regex === undefined)
    return argsPattern === undefined ? [] : "argsPattern looks at the whole input as JSON";
  try {
    new RegExp(regex);
  } catch {
    return "its pattern cannot be read";
  }
  return [{ regex }];
}

function onlyCommand(argsPattern: unknown): string | undefined {
  return typeof argsPattern === "string"
    ? /^\^?(?:\\?\{)?"command":"([^"]+)$/.exec(argsPattern)?.[1]
    : undefined;
}

/** What of a rule depends on more than the call. */
function partOf(rule: Readonly<Record<string, unknown>>): string | undefined {
  const modes = texts(rule.modes);
  if (modes.length > 0 && !modes.includes("default")) return `it holds in the modes ${modes.join(", ")}`;
  for (const key of ["toolAnnotations", "subagent", "interactive"])
    if (rule[key] !== undefined) return `it holds by ${key}`;
  return undefined;
}

function shownRule(rule: unknown): string {
  return isRecord(rule) ? JSON.stringify(rule) : String(rule);
}

const shells = ["run_shell_command", "ShellTool"];

/** Commands are decided in the order of priority; for other tools the strictest of all counts. */
function addRules(given: readonly GeminiRule[], found: Collected): void {
  const rules = [...given].sort((a, b) => b.priority - a.priority);
  const concernShells = rules.filter(({ tool }) => tool === "*" || shells.includes(tool));
  const commands = concernShells
    .filter((rule) => keep(rule, found))
    .map((rule) => ({ ...rule, text: rule.command ?? { parts: [{ wild: "any" as const }] } }));
  for (const { rule, except } of withExceptions<CommandText, (typeof commands)[number]>(
    commands,
    (one) => one.partly === undefined,
  )) {
    const { permit, written, file, reason } = rule;
    const text = rule.command === undefined ? {} : { text: rule.command };
    const about = { kind: "commands" as const, ...text, except: rule.only ?? except };
    found.add({ permit, written, file, ...(reason && { reason }), about });
  }
  const others = rules.filter(({ tool }) => !shells.includes(tool));
  others.forEach((rule, index) => {
    if (rule.tool !== "*" && !keep(rule, found)) return;
    addTool(rule, others.slice(0, index), found);
  });
}

function keep({ permit, partly, written, file }: GeminiRule, found: Collected): boolean {
  if (partly === undefined) return true;
  if (permit === "allow") found.leave(written, file, partly);
  else found.widen(written, file, `${partly}; it holds always now`);
  return permit !== "allow";
}

/** `before`: rules that decide first. A tool that one of them lets pass is not stopped by this one. */
function addTool(rule: GeminiRule, before: readonly GeminiRule[], found: Collected): void {
  const { permit, written, file, reason, tool } = rule;
  if (rule.command !== undefined) return;
  const allTools =
    tool === "*" ? [...geminiTools, "mcp__*"] : isMcpName(tool) ? mcpNames(tool, permit) : [tool];
  if (allTools.length === 0) {
    found.leave(written, file, "it is not clear which server it means; name it with mcpName");
    return;
  }
  const isDecided = (name: string) =>
    before.some(
      (other) =>
        other.partly === undefined &&
        other.permit !== permit &&
        other.tool === name &&
        weaker(other.permit, permit),
    );
  const names = permit === "allow" ? allTools : allTools.filter((name) => !isDecided(name));
  if (tool === "*" && permit === "allow") {
    found.leave(written, file, "an approval of every tool is not taken over");
    return;
  }
  if (names.length > 0)
    found.add({ permit, written, file, ...(reason && { reason }), about: { kind: "tools", names } });
}

function weaker(one: Permit, than: Permit): boolean {
  const order = ["allow", "ask", "deny"];
  return order.indexOf(one) < order.indexOf(than);
}
