/** Gemini CLI's own matching, written from its documentation: the matching rule of the highest priority decides. */
import { inWords, splitLine } from "./split-line.ts";
import { mildest, type OwnCall, type OwnVerdict, strictest } from "./verdict.ts";

export interface GeminiOwnRule {
  readonly toolName?: string | readonly string[];
  readonly mcpName?: string;
  readonly commandPrefix?: string | readonly string[];
  readonly commandRegex?: string;
  readonly argsPattern?: string;
  readonly decision: "allow" | "ask_user" | "deny";
  readonly priority: number;
  readonly modes?: readonly string[];
  readonly deny_message?: string;
}

export interface GeminiOwnSettings {
  readonly tools?: {
    readonly allowed?: readonly string[];
    readonly exclude?: readonly string[];
    readonly core?: readonly string[];
  };
  readonly mcp?: { readonly excluded?: readonly string[]; readonly allowed?: readonly string[] };
  readonly mcpServers?: Readonly<Record<string, { readonly trust?: boolean }>>;
}

export interface GeminiOwn {
  readonly user?: { readonly settings?: GeminiOwnSettings; readonly rules?: readonly GeminiOwnRule[] };
  readonly project?: { readonly settings?: GeminiOwnSettings; readonly rules?: readonly GeminiOwnRule[] };
}

interface Placed extends GeminiOwnRule {
  readonly place: number;
}

const shell = "run_shell_command";
const decisions = { allow: "allow", ask_user: "ask", deny: "deny" } as const;

export function geminiVerdict(own: GeminiOwn, call: OwnCall): OwnVerdict {
  const rules = [
    ...placed(own.user?.rules, 4),
    ...placed(own.project?.rules, 3),
    ...listed(own.user?.settings),
    ...listed(own.project?.settings),
  ].sort((a, b) => b.place - a.place);
  const core = [...(own.user?.settings?.tools?.core ?? []), ...(own.project?.settings?.tools?.core ?? [])];
  if (call.tool !== shell) {
    if (
      core.length > 0 &&
      !call.tool.startsWith("mcp__") &&
      !core.some((name) => name.replace(/\(.*/, "") === call.tool)
    )
      return "deny";
    const rule = rules.find(
      (one) => matchesTool(one, call.tool) && matchesInput(one, call.input) && isAlways(one),
    );
    return rule === undefined ? "none" : decisions[rule.decision];
  }
  const line = String(call.input.command);
  const { commands, redirects, complex, broken } = splitLine(line);
  const whole = broken ? [line] : commands;
  const verdicts = (spell: (command: string) => string) =>
    strictest(whole.map((command) => decide(rules, core, spell(command))));
  const verdict = mildest([verdicts((one) => one), verdicts(inWords)]);
  // Documented: a redirect is asked about although the command is allowed; that is no rule of the person.
  if (verdict === "allow" && (redirects || complex || broken || whole.length === 0)) return "none";
  return whole.length === 0 ? "none" : verdict;
}

function decide(rules: readonly Placed[], core: readonly string[], command: string): OwnVerdict {
  const bound = core.filter((entry) => entry.startsWith(shell) || entry.startsWith("ShellTool"));
  if (core.length > 0 && bound.length === 0) return "deny";
  const prefixes = bound.map((entry) => /\((.*)\)/.exec(entry)?.[1]);
  if (
    bound.length > 0 &&
    !prefixes.includes(undefined) &&
    !prefixes.some((prefix) => startsWithWords(command, prefix ?? ""))
  )
    return "deny";
  const rule = rules.find(
    (one) => matchesTool(one, shell) && matchesInput(one, { command }) && isAlways(one),
  );
  return rule === undefined ? "none" : decisions[rule.decision];
}

function placed(rules: readonly GeminiOwnRule[] = [], tier: number): Placed[] {
  return rules.map((rule) => ({ ...rule, place: tier + rule.priority / 1000 }));
}

function listed({ tools = {}, mcp = {}, mcpServers = {} }: GeminiOwnSettings = {}): Placed[] {
  const rule = (entry: string, decision: "allow" | "deny", place: number): Placed => {
    const [, name = entry, prefix] = /^([\w-]+)\((.*)\)$/.exec(entry) ?? [];
    const toolName = name === "ShellTool" ? shell : name;
    return {
      toolName,
      decision,
      place,
      priority: 0,
      ...(prefix !== undefined && toolName === shell && { commandPrefix: prefix }),
    };
  };
  const server = (name: string, decision: "allow" | "deny", place: number): Placed => ({
    mcpName: name,
    toolName: "*",
    decision,
    place,
    priority: 0,
  });
  return [
    ...(mcp.excluded ?? []).map((name) => server(name, "deny", 4.9)),
    ...(tools.exclude ?? []).map((entry) => rule(entry, "deny", 4.4)),
    ...(tools.allowed ?? []).map((entry) => rule(entry, "allow", 4.3)),
    ...Object.entries(mcpServers).flatMap(([name, { trust }]) =>
      trust === true ? [server(name, "allow", 4.2)] : [],
    ),
    ...(mcp.allowed ?? []).map((name) => server(name, "allow", 4.1)),
  ];
}

/** In the usual mode. */
function isAlways({ modes = [] }: GeminiOwnRule): boolean {
  return modes.length === 0 || modes.includes("default");
}

function matchesTool({ toolName, mcpName }: GeminiOwnRule, tool: string): boolean {
  const [, server, name] = /^mcp__(.+?)__(.*)$/.exec(tool) ?? [];
  if (mcpName !== undefined)
    return (
      mcpName === server &&
      (toolName === undefined || [toolName].flat().some((one) => one === "*" || one === name))
    );
  return [toolName ?? []]
    .flat()
    .some(
      (one) =>
        one === "*" ||
        one === tool ||
        (server !== undefined && (one === `mcp_${server}_${name}` || one === `mcp_${server}_*`)),
    );
}

function matchesInput(
  { commandPrefix, commandRegex, argsPattern }: GeminiOwnRule,
  input: Readonly<Record<string, unknown>>,
): boolean {
  const command = String(input.command);
  if (commandPrefix !== undefined)
    return [commandPrefix].flat().some((prefix) => startsWithWords(command, prefix));
  if (commandRegex !== undefined) return new RegExp(`^(?:${commandRegex.replace(/^\^/, "")})`).test(command);
  return argsPattern === undefined || new RegExp(argsPattern).test(JSON.stringify(input));
}

function startsWithWords(command: string, prefix: string): boolean {
  return command.startsWith(prefix) && /^(?:$|[\s"])/.test(command.slice(prefix.length));
}
