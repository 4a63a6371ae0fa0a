/** The merged configuration written as one file, each part with the place it came from as a comment. */
import { Document, isScalar, type Pair, type YAMLMap } from "yaml";
import type { FileSettings } from "../../../../config/file/parse-file.ts";
import type { LoadedSource, WebSearchSettings } from "../../../../config/loaded-config.ts";
import { shownUpstream } from "../../../../config/settings/shown-upstream.ts";
import type { PlacedUpstream } from "../../../../config/settings/upstream-settings.ts";
import type { RuleSource } from "../../../../core/call/errors.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import type { LedgerAnchor } from "../../../../core/ports/ledger-reader.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { readRuleFile } from "../../open/rule-file.ts";
import { shownPath, shownPlace } from "../../terminal/shown-path.ts";

export function effectiveYaml(config: OpenConfig, cwd: string): string {
  const document = new Document({});
  const root = document.contents as unknown as YAMLMap;
  document.commentBefore = sourceComment(config, cwd);
  const add = (key: string, value: unknown, comment: string | undefined) => {
    const pair = document.createPair(key, value) as Pair;
    if (comment !== undefined) commentOn(pair, comment);
    root.add(pair);
  };
  add("version", 1, undefined);
  const { enableAll, enabledCategories, ceilings, webSearch, pluginFolders, ledger, upstreams } =
    config.settings;
  root.add(hooksPair(document, config, cwd));
  if (config.settings.shellDialect !== undefined)
    add("shell", { dialect: config.settings.shellDialect }, fromSetting(config, ["shellDialect"], cwd));
  const tools = Object.entries({ enable_all: enableAll, enabled_categories: enabledCategories, ceilings });
  const said = tools.filter(([, value]) => value !== undefined);
  if (said.length > 0)
    add(
      "tools",
      Object.fromEntries(said),
      fromSetting(config, ["enableAll", "enabledCategories", "ceilings"], cwd),
    );
  if (pluginFolders !== undefined)
    add("plugins", { folders: pluginFolders.map(({ path }) => path) }, undefined);
  if (webSearch !== undefined)
    add("web", { search: webSearchAsWritten(webSearch) }, fromSetting(config, ["webSearch"], cwd));
  if (upstreams !== undefined) root.add(upstreamsPair(document, upstreams, cwd));
  if (ledger !== undefined) {
    const { durability, keepDays, anchors } = ledger;
    const kept = {
      ...(durability && { durability }),
      ...(keepDays !== undefined && { keep_days: keepDays }),
      ...(anchors && { anchors: anchors.map(anchorAsWritten) }),
    };
    add("ledger", kept, fromSetting(config, ["ledger"], cwd));
  }
  for (const kind of ["routes", "policies", "limits"] as const) {
    const rules: readonly NamedRule[] = config.rules[kind] ?? [];
    if (rules.length === 0) continue;
    root.add(document.createPair(kind, rulesByName(document, rules, cwd)));
  }
  return document.toString({ lineWidth: 0 });
}

/** The path of an address may be a secret of the service. */
function anchorAsWritten(anchor: LedgerAnchor): JsonObject {
  if (!("url" in anchor)) return { ...anchor };
  const { url, allowPrivate } = anchor;
  return { url: URL.parse(url)?.origin ?? "", ...(allowPrivate && { allow_private: true }) };
}

type NamedRule = { readonly name: string; readonly source?: RuleSource };

function rulesByName(document: Document, rules: readonly NamedRule[], cwd: string): YAMLMap {
  const map = document.createNode({}) as YAMLMap;
  map.flow = false;
  for (const rule of rules) {
    const { name, source, tier: _tier, ...fields } = rule as NamedRule & { readonly tier?: string };
    const pair = document.createPair(name, fields) as Pair;
    commentOn(pair, source === undefined ? "from: (unknown)" : `from: ${shownPlace(source, cwd)}`);
    map.add(pair);
  }
  return map;
}

function hooksPair(document: Document, config: OpenConfig, cwd: string): Pair {
  const { settings, rules } = config;
  const map = document.createNode({ default: settings.checkDefault }) as YAMLMap;
  map.flow = false;
  if (settings.hookConcurrency !== undefined) {
    const pair = document.createPair("concurrent", settings.hookConcurrency) as Pair;
    commentOn(pair, fromSetting(config, ["hookConcurrency"], cwd));
    map.add(pair);
  }
  const commands = rules.hooks ?? [];
  if (commands.length > 0) map.add(document.createPair("commands", rulesByName(document, commands, cwd)));
  const hooks = document.createPair("hooks", map) as Pair;
  commentOn(hooks, fromSetting(config, ["hooksDefault"], cwd));
  return hooks;
}

function upstreamsPair(document: Document, upstreams: readonly PlacedUpstream[], cwd: string): Pair {
  const map = document.createNode({}) as YAMLMap;
  map.flow = false;
  for (const upstream of upstreams) {
    const pair = document.createPair(upstream.name, shownUpstream(upstream)) as Pair;
    commentOn(pair, `from: ${shownPlace(upstream.source, cwd)}`);
    map.add(pair);
  }
  return document.createPair("upstreams", map) as Pair;
}

/** Of a setting that no file says: the default. */
function fromSetting(
  { sources }: OpenConfig,
  settings: readonly (keyof FileSettings)[],
  cwd: string,
): string {
  const says = (source: LoadedSource) => settings.some((setting) => saysIt(source, setting));
  const files = sources.filter(says).map(({ file }) => shownPath(file, cwd));
  return files.length === 0 ? "default" : `from: ${files.join(", ")}`;
}

function saysIt({ file, kind, trusted }: LoadedSource, setting: keyof FileSettings): boolean {
  // An untrusted file may only tighten.
  if (kind === "routes" || (!trusted && setting !== "hooksDefault")) return false;
  return settingsOf(file)[setting] !== undefined;
}

function webSearchAsWritten({ url, format, ...rest }: WebSearchSettings): object {
  const { keyEnv, keyHeader, keyPrefix, allowPrivate } = rest;
  const said = { key_env: keyEnv, key_header: keyHeader, key_prefix: keyPrefix, allow_private: allowPrivate };
  const given = Object.entries(said).filter(([, value]) => value !== undefined);
  return { url, format, ...Object.fromEntries(given) };
}

function settingsOf(file: string): FileSettings {
  const read = readRuleFile(file, "config");
  return read.ok ? read.settings : {};
}

function sourceComment({ sources, projectDir }: OpenConfig, cwd: string): string {
  const lines = sources.map((source) => `   ${describeSource(source, cwd)}`);
  return [` What holds in ${visible(projectDir)}, merged in this order:`, ...lines].join("\n");
}

export function describeSource({ file, origin, plugin, trusted, rules }: LoadedSource, cwd: string): string {
  const counts = (["routes", "policies", "limits", "hooks"] as const)
    .map((kind) => [(rules[kind] ?? []).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => (count === 1 ? `1 ${singular[kind]}` : `${count} ${kind}`));
  const remarks = [
    plugin === undefined ? undefined : `plugin ${visible(plugin)}`,
    origin === "project" ? (trusted ? "trusted" : "not trusted: can only narrow") : undefined,
    counts.length === 0 ? "no rules" : counts.join(", "),
  ].filter((remark) => remark !== undefined);
  return `${origin.padEnd(12)}${shownPath(file, cwd)} (${remarks.join("; ")})`;
}

const singular = { routes: "route", policies: "policy", limits: "limit", hooks: "hook" } as const;

function commentOn(pair: Pair, comment: string): void {
  if (isScalar(pair.key)) pair.key.commentBefore = ` ${comment}`;
}
