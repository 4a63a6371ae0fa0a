/** The merged configuration written as one file, each part with the place it came from as a comment. */
import { Document, isScalar, type Pair, type YAMLMap } from "yaml";
import type { FileSettings } from "../../../../config/file/file-settings.ts";
import type { LoadedSource } from "../../../../config/loaded-config.ts";
import { asWritten, unlessEmpty } from "../../../../config/settings/read-section.ts";
import { shownUpstream } from "../../../../config/settings/shown-upstream.ts";
import type { RuleSource } from "../../../../core/call/errors.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import type { LedgerAnchor } from "../../../../core/ports/ledger-reader.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { readRuleFile } from "../../open/rule-file.ts";
import { shownPath, shownPlace } from "../../terminal/shown.ts";

type LedgerSettings = NonNullable<OpenConfig["settings"]["ledger"]>;

/** A key with its value, and where that came from. Without a value it is left out. */
type Entry = readonly [key: string, value: unknown, comment?: string];

export function effectiveYaml(config: OpenConfig, cwd: string): string {
  const { rules, settings } = config;
  const { enableAll, enabledCategories, disabledCategories, hidden, ceilings } = settings;
  const { categories, shellDialect, pluginFolders, upstreams } = settings;
  const document = new Document<YAMLMap>();
  const block = (entries: readonly Entry[]): YAMLMap => {
    const map = document.createNode({}) as YAMLMap;
    map.flow = false;
    for (const [key, value, comment] of entries) {
      if (value === undefined) continue;
      const pair = document.createPair(key, value) as Pair;
      if (comment !== undefined && isScalar(pair.key)) pair.key.commentBefore = ` ${comment}`;
      map.add(pair);
    }
    return map;
  };
  const from = (section: keyof FileSettings) => fromSaid(config, (said) => said[section] !== undefined, cwd);
  const named = (list: readonly NamedRule[] = []) =>
    list.length === 0 ? undefined : block(list.map((rule) => ruleEntry(rule, cwd)));
  const hooks = block([
    ["default", settings.checkDefault],
    ["ask", settings.asking?.ask, fromSaid(config, ({ hooks }) => hooks?.ask !== undefined, cwd)],
    ["unsure", settings.asking?.unsure, fromSaid(config, ({ hooks }) => hooks?.unsure !== undefined, cwd)],
    [
      "concurrent",
      settings.hookConcurrency,
      fromSaid(config, ({ hooks }) => hooks?.concurrent !== undefined, cwd),
    ],
    ["commands", named(rules.hooks)],
  ]);
  const tools = asWritten({ enableAll, enabledCategories, disabledCategories, hidden, ceilings });
  document.commentBefore = sourceComment(config, cwd);
  document.contents = block([
    ["version", 1],
    ["hooks", hooks, fromSaid(config, (said) => said.hooks?.default !== undefined, cwd, true)],
    ["shell", shellDialect && { dialect: shellDialect }, from("shell")],
    ["tools", Object.keys(tools).length === 0 ? undefined : tools, from("tools")],
    ["categories", categories && block(categories.map(({ id, ...one }) => [id, one])), from("categories")],
    ["plugins", pluginFolders && { folders: pluginFolders.map(({ path }) => path) }],
    ["web", webAsWritten(settings), from("web")],
    [
      "upstreams",
      upstreams && block(upstreams.map((one) => [one.name, shownUpstream(one), placeOf(one, cwd)])),
    ],
    ["ledger", settings.ledger && ledgerAsWritten(settings.ledger), from("ledger")],
    ["routes", named(rules.routes)],
    ["policies", named(rules.policies)],
    ["limits", named(rules.limits)],
  ]);
  return document.toString({ lineWidth: 0 });
}

function webAsWritten({ webSearch, webAllowPrivate, webBrowser }: OpenConfig["settings"]) {
  const search = webSearch && asWritten(webSearch);
  return unlessEmpty(asWritten({ search, allowPrivate: webAllowPrivate, browser: webBrowser }));
}

function ledgerAsWritten(ledger: LedgerSettings): object {
  const { anchors } = ledger;
  return asWritten({ ...ledger, ...(anchors && { anchors: anchors.map(anchorAsWritten) }) });
}

/** The path of an address may be a secret of the service. */
function anchorAsWritten(anchor: LedgerAnchor): JsonObject {
  if (!("url" in anchor)) return { ...anchor };
  const { url, allowPrivate } = anchor;
  return { url: URL.parse(url)?.origin ?? "", ...(allowPrivate && { allow_private: true }) };
}

interface NamedRule {
  readonly name: string;
  readonly source?: RuleSource;
  readonly tier?: string;
}

function ruleEntry({ name, source, tier: _tier, ...fields }: NamedRule, cwd: string): Entry {
  return [name, fields, placeOf({ source }, cwd)];
}

function placeOf({ source }: { readonly source?: RuleSource | undefined }, cwd: string): string {
  return source === undefined ? "from: (unknown)" : `from: ${shownPlace(source, cwd)}`;
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
    origin === "project" ? (trusted ? "trusted" : "not trusted: can only make the gate stricter") : undefined,
    counts.length === 0 ? "no rules" : counts.join(", "),
  ].filter((remark) => remark !== undefined);
  return `${origin.padEnd(12)}${shownPath(file, cwd)} (${remarks.join("; ")})`;
}

const singular = { routes: "route", policies: "policy", limits: "limit", hooks: "hook" } as const;
