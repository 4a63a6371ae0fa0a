/** `toolgate list`: the rules that hold here, in the order of trying, with its file. */
import type { RuleSource } from "../../../../core/call/errors.ts";
import type { CommandHook } from "../../../../core/call/hook.ts";
import { exactDuration } from "../../../../core/text/duration.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { patternNames, type ToolPattern } from "../../../../core/tool/tool-pattern.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import type { Limit } from "../../../../rules/limits.ts";
import { hasExpired, type Policy } from "../../../../rules/policies.ts";
import type { Route } from "../../../../rules/routes.ts";
import {
  type CommonOptions,
  describeDoubts,
  describeIgnored,
  describeNotes,
  openUsable,
} from "../../open/effective-config.ts";
import { type Colours, coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { shownPath } from "../../terminal/shown.ts";

interface ListingOptions extends CommonOptions {
  /** Shipped rules, too. */
  readonly all?: boolean | undefined;
}

export async function runList(options: ListingOptions, io: CliIo): Promise<number> {
  const config = await openUsable(options, io);
  const shown = options.all === true ? config : withoutShipped(config);
  if (options.json === true) {
    const { rules, sources, steppedAside, ignored, notes } = shown;
    const { routes = [], policies = [], limits = [], hooks = [] } = rules;
    const files = sources.map(({ rules: _, ...source }) => source);
    const listed = { sources: files, routes, policies, limits, hooks, steppedAside, ignored, notes };
    printJson(listed, io);
    return exitCodes.ok;
  }
  io.out(describeRules(shown, io));
  io.err(
    asTyped(describeHidden(config, shown), io) +
      describeNotes(config.notes, io) +
      describeDoubts(config.findDoubts(), io.cwd),
  );
  return exitCodes.ok;
}

type Listed = Pick<OpenConfig, "rules" | "sources" | "steppedAside" | "ignored" | "notes">;

/** Everybody has the shipped ones; what people look for are their own. */
function withoutShipped({ rules, sources, ...config }: OpenConfig): Listed {
  return {
    ...config,
    rules: { ...rules, routes: (rules.routes ?? []).filter(({ tier }) => tier !== "shipped") },
    sources: sources.filter(({ origin }) => origin !== "shipped"),
  };
}

function describeHidden(all: Listed, shown: Listed): string {
  const hidden = (all.rules.routes ?? []).length - (shown.rules.routes ?? []).length;
  if (hidden === 0) return "";
  return `${plural(hidden, "shipped route holds", "shipped routes hold")}, too: toolgate list --all\n`;
}

function describeRules({ rules, sources, steppedAside, ignored }: Listed, io: CliIo): string {
  const colours = coloursFor(io);
  const { routes = [], policies = [], limits = [], hooks = [] } = rules;
  if (sources.length === 0 && steppedAside.length === 0 && ignored.length === 0) return asTyped(noFiles, io);
  const list = <Rule extends NamedRule>(
    kind: "routes" | "policies" | "limits" | "hooks",
    listed: readonly Rule[],
    fieldsOf: (rule: Rule) => Fields,
  ) => {
    const from = sources.filter((source) => (source.rules[kind] ?? []).length > 0).length;
    const merged = from === 0 ? "" : ` (merged from ${plural(from, "source")})`;
    const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}${merged}:`;
    const items = listed.map((rule) => item(rule, fieldsOf(rule), io.cwd, colours));
    return `${colours.bold(title)}\n\n${items.length === 0 ? "  (none)\n" : items.join("\n")}`;
  };
  const parts = [list("routes", routes, routeFields)];
  if (steppedAside.length > 0) {
    const lines = steppedAside.map(
      ({ name, why, for: file }) =>
        `  ${visible(name)} (${why === "off" ? "switched off" : "replaced by one"} in ${shownPath(file, io.cwd)})\n`,
    );
    parts.push(`Shipped routes that stepped aside:\n${lines.join("")}`);
  }
  if (policies.length > 0) parts.push(list("policies", byPriority(policies), policyFields));
  if (limits.length > 0) parts.push(list("limits", limits, limitFields));
  if (hooks.length > 0) parts.push(list("hooks", hooks, hookFields));
  if (ignored.length > 0) parts.push(describeIgnored(ignored, io));
  return parts.join("\n");
}

const noFiles = `There are no rule files for this folder. Write a first one:
  toolgate init          for this project
  toolgate init --user   for all your projects
`;

function byPriority(policies: readonly Policy[]): Policy[] {
  return [...policies].sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
}

type Fields = readonly (readonly [name: string, value: string | undefined])[];

interface NamedRule {
  readonly name: string;
  readonly source?: RuleSource;
}

function item({ name, source }: NamedRule, fields: Fields, cwd: string, colours: Colours): string {
  const from = source === undefined ? "" : colours.dim(` (from: ${shownPath(source.file, cwd)})`);
  const lines = fields
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `  ${field}: ${visible(value ?? "")}\n`);
  return `${colours.cyan(visible(name))}${from}\n${lines.join("")}`;
}

function routeFields({ tool, caller, pattern, flags, field, action, rewrite }: Route): Fields {
  return [
    ["tool", tools(tool)],
    ["caller", shownCaller(caller)],
    ["pattern", pattern],
    ["flags", flags],
    ["field", field],
    ["action", action === "block" ? undefined : action],
    ["rewrite", rewrite && JSON.stringify(rewrite)],
  ];
}

function policyFields(policy: Policy): Fields {
  const { tools: names, caller, action, conditions, priority, modes, mode, until } = policy;
  const told = conditions?.map(
    ({ type, field, operator, value }) =>
      `${field === undefined ? type : `${type} ${field}`} ${operator} ${JSON.stringify(value)}`,
  );
  return [
    ["tools", tools(names)],
    ["caller", shownCaller(caller)],
    ["action", action],
    ["conditions", told?.join(" and ")],
    ["priority", priority?.toString()],
    ["until", until && (hasExpired(policy, Date.now()) ? `${until} (over: it approves nothing)` : until)],
    ["modes", modes?.join(", ")],
    ["mode", mode === "shadow" ? "shadow (changes nothing)" : undefined],
  ];
}

function limitFields({ tools: names, caller, category, per, max, windowMs, concurrent }: Limit): Fields {
  return [
    ["tools", names && tools(names)],
    ["caller", shownCaller(caller)],
    ["category", category],
    ["per", per],
    ["max", max === undefined ? undefined : `${max} in ${exactDuration(windowMs ?? 0)}`],
    ["concurrent", concurrent?.toString()],
  ];
}

function hookFields(hook: CommandHook): Fields {
  const { type, toolPatterns, command, mode, wire, failMode, timeoutMs, env } = hook;
  return [
    ["type", type],
    ["tools", toolPatterns && tools(toolPatterns)],
    ["command", typeof command === "string" ? command : JSON.stringify(command)],
    ["mode", mode === "process" ? undefined : mode],
    ["wire", wire === "toolgate" ? undefined : wire],
    ["failMode", failMode === "closed" ? undefined : failMode],
    ["timeout", timeoutMs === undefined ? undefined : exactDuration(timeoutMs)],
    ["env", env?.join(", ")],
  ];
}

function tools(pattern: ToolPattern): string {
  return patternNames(pattern).join(", ");
}

/** As a file would say it. */
function shownCaller(caller: Route["caller"]): string | undefined {
  if (caller === undefined || typeof caller === "string") return caller;
  return JSON.stringify(caller);
}
