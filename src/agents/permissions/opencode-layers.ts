/** The configuration files of OpenCode, each over the one before it, as one list of rules. */
import { isRecord } from "../../core/input/json.ts";
import { parseLooseJson } from "../loose-json.ts";
import type { PermissionPlace, Permit } from "./own-rule.ts";
import { recordIn, type Settings, type SettingsReader } from "./read-settings.ts";

export interface OpencodeLayer {
  readonly file: string;
  readonly settings: Settings;
}

export function readLayers(files: readonly string[], reader: SettingsReader): OpencodeLayer[] {
  return files.flatMap((file) => {
    const settings = reader.json(file);
    return settings === undefined ? [] : [{ file, settings }];
  });
}

/** `OPENCODE_PERMISSION` holds the same as JSON. */
export function fromVariable({ env }: PermissionPlace, reader: SettingsReader): OpencodeLayer[] {
  const file = "OPENCODE_PERMISSION";
  const text = env[file];
  if (text === undefined || text === "") return [];
  try {
    return [{ file, settings: { permission: parseLooseJson(text) } }];
  } catch (error) {
    reader.fail(file, (error as Error).message);
    return [];
  }
}

/** A rule as OpenCode sees it: which permission, which pattern of its input. */
export interface OpencodeRule {
  readonly key: string;
  readonly pattern: string;
  readonly permit: Permit;
  readonly file: string;
}

/** Of the same pattern the later file counts, in the place of the earlier one. */
export function mergedRules(layers: readonly OpencodeLayer[]): OpencodeRule[] {
  const rules = new Map<string, OpencodeRule>();
  for (const { settings, file } of layers) {
    for (const [key, value] of Object.entries(recordIn(settings, "tools")))
      if (value === false) put(rules, { key: legacyKey(key), pattern: "*", permit: "deny", file });
    const { permission } = settings;
    const written = typeof permission === "string" ? { "*": permission } : recordIn(settings, "permission");
    for (const [key, value] of Object.entries(written)) {
      const patterns = typeof value === "string" ? { "*": value } : isRecord(value) ? value : {};
      // A word in the place of a mapping replaces all of it.
      if (typeof value === "string")
        for (const [name, rule] of rules) if (rule.key === key) rules.delete(name);
      for (const [pattern, action] of Object.entries(patterns))
        if (action === "allow" || action === "ask" || action === "deny")
          put(rules, { key, pattern, permit: action, file });
    }
  }
  return [...rules.values()];
}

function put(rules: Map<string, OpencodeRule>, rule: OpencodeRule): void {
  rules.set(JSON.stringify([rule.key, rule.pattern]), rule);
}

/** Names that were one permission before. */
function legacyKey(key: string): string {
  return ["write", "patch", "multiedit"].includes(key) ? "edit" : key;
}

/** Permissions that some agent is told about: what all are allowed may be forbidden to one. */
export function agentsKeys(layers: readonly OpencodeLayer[]): ReadonlySet<string> {
  const agents = layers.flatMap(({ settings }) =>
    ["agent", "mode"].flatMap((section) => Object.values(recordIn(settings, section))),
  );
  return new Set(
    agents.flatMap((agent) => [
      ...Object.keys(recordIn(agent, "permission")),
      ...(isRecord(agent) && typeof agent.permission === "string" ? ["*"] : []),
      ...Object.keys(recordIn(agent, "tools")).map(legacyKey),
    ]),
  );
}
