/** The merged configuration written as one file, each part with the place it came from as a comment. */
import { Document, isScalar, type Pair, type YAMLMap } from "yaml";
import type { LoadedSource } from "../../config/loaded-config.ts";
import type { RuleSource } from "../../core/errors.ts";
import { visible } from "../../core/visible.ts";
import type { OpenConfig } from "../../open-config.ts";
import { readRuleFile } from "./rule-file.ts";
import { shownPath, shownPlace } from "./shown-path.ts";

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
  const { checkDefault, enableAll, enabledCategories, ledger } = config.settings;
  add("hooks", { default: checkDefault }, fromSetting(config, "hooksDefault", cwd));
  if (enableAll !== undefined) {
    const tools = {
      enable_all: enableAll,
      ...(enabledCategories && { enabled_categories: enabledCategories }),
    };
    add("tools", tools, fromSetting(config, "enableAll", cwd));
  } else if (enabledCategories !== undefined) {
    add("tools", { enabled_categories: enabledCategories }, fromSetting(config, "enabledCategories", cwd));
  }
  if (ledger !== undefined) {
    const { durability, keepDays } = ledger;
    const said = {
      ...(durability && { durability }),
      ...(keepDays !== undefined && { keep_days: keepDays }),
    };
    add("ledger", said, fromSetting(config, "ledger", cwd));
  }
  for (const kind of ["routes", "policies", "limits"] as const) {
    const rules: readonly { readonly name: string; readonly source?: RuleSource }[] =
      config.rules[kind] ?? [];
    if (rules.length === 0) continue;
    const map = document.createNode({}) as YAMLMap;
    map.flow = false;
    for (const rule of rules) {
      const { name, source, tier: _tier, ...fields } = rule as typeof rule & { readonly tier?: string };
      const pair = document.createPair(name, fields) as Pair;
      commentOn(pair, source === undefined ? "from: (unknown)" : `from: ${shownPlace(source, cwd)}`);
      map.add(pair);
    }
    root.add(document.createPair(kind, map));
  }
  return document.toString({ lineWidth: 0 });
}

/** Of a setting that no file says: the default. */
function fromSetting(
  { sources }: OpenConfig,
  setting: "hooksDefault" | "enableAll" | "enabledCategories" | "ledger",
  cwd: string,
): string {
  const files = sources.filter((source) => saysIt(source, setting)).map(({ file }) => shownPath(file, cwd));
  return files.length === 0 ? "default" : `from: ${files.join(", ")}`;
}

function saysIt(
  { file, kind, trusted }: LoadedSource,
  setting: keyof ReturnType<typeof settingsOf>,
): boolean {
  // An untrusted file may only tighten.
  if (kind === "routes" || (!trusted && setting !== "hooksDefault")) return false;
  return settingsOf(file)[setting] !== undefined;
}

function settingsOf(file: string) {
  const read = readRuleFile(file, "config");
  return read.ok ? read.settings : {};
}

function sourceComment({ sources, projectDir }: OpenConfig, cwd: string): string {
  const lines = sources.map((source) => `   ${describeSource(source, cwd)}`);
  return [` What holds in ${visible(projectDir)}, merged in this order:`, ...lines].join("\n");
}

export function describeSource({ file, origin, plugin, trusted, rules }: LoadedSource, cwd: string): string {
  const counts = (["routes", "policies", "limits"] as const)
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

const singular = { routes: "route", policies: "policy", limits: "limit" } as const;

function commentOn(pair: Pair, comment: string): void {
  if (isScalar(pair.key)) pair.key.commentBefore = ` ${comment}`;
}
