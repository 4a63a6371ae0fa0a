/** The merged configuration written as one file, each part with the place it came from as a comment. */
import { Document, isScalar, type Pair, type YAMLMap } from "yaml";
import type { FileSettings } from "../../../../config/file/file-settings.ts";
import type { LoadedSource } from "../../../../config/loaded-config.ts";
import { asWritten } from "../../../../config/settings/read-section.ts";
import { shownUpstream } from "../../../../config/settings/shown-upstream.ts";
import type { PlacedUpstream } from "../../../../config/settings/upstream-settings.ts";
import type { RuleSource } from "../../../../core/call/errors.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import type { LedgerAnchor } from "../../../../core/ports/ledger-reader.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { readRuleFile } from "../../open/rule-file.ts";
import { shownPath, shownPlace } from "../../terminal/shown.ts";

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
    add("shell", { dialect: config.settings.shellDialect }, fromSection(config, "shell", cwd));
  const tools = asWritten({ enableAll, enabledCategories, ceilings });
  if (Object.keys(tools).length > 0) add("tools", tools, fromSection(config, "tools", cwd));
  if (pluginFolders !== undefined)
    add("plugins", { folders: pluginFolders.map(({ path }) => path) }, undefined);
  if (webSearch !== undefined) add("web", { search: asWritten(webSearch) }, fromSection(config, "web", cwd));
  if (upstreams !== undefined) root.add(upstreamsPair(document, upstreams, cwd));
  if (ledger !== undefined) {
    const { anchors } = ledger;
    const kept = asWritten({ ...ledger, ...(anchors && { anchors: anchors.map(anchorAsWritten) }) });
    add("ledger", kept, fromSection(config, "ledger", cwd));
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
    commentOn(
      pair,
      fromSaid(config, ({ hooks }) => hooks?.concurrent !== undefined, cwd),
    );
    map.add(pair);
  }
  const commands = rules.hooks ?? [];
  if (commands.length > 0) map.add(document.createPair("commands", rulesByName(document, commands, cwd)));
  const hooks = document.createPair("hooks", map) as Pair;
  commentOn(
    hooks,
    fromSaid(config, ({ hooks }) => hooks?.default !== undefined, cwd, true),
  );
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

function fromSection(config: OpenConfig, section: keyof FileSettings, cwd: string): string {
  return fromSaid(config, (said) => said[section] !== undefined, cwd);
}

/** Of a setting that no file says: the default. An untrusted file may only tighten. */
function fromSaid(
  { sources }: OpenConfig,
  says: (said: FileSettings) => boolean,
  cwd: string,
  tightens = false,
): string {
  const files = sources
    .filter(({ kind, trusted }) => kind !== "routes" && (trusted || tightens))
    .filter(({ file }) => says(settingsOf(file)))
    .map(({ file }) => shownPath(file, cwd));
  return files.length === 0 ? "default" : `from: ${files.join(", ")}`;
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
