/** Finds plugins whose hooks.json the client refuses: then the whole plugin is left out, and calls run. */

import { join } from "node:path";
import { isRecord } from "../../../core/input/json.ts";
import { readJsonFile } from "../../read-json-file.ts";
import { problem, type SetupFinding } from "../../setup-finding.ts";
import type { FoundPlugin } from "../installed-plugins.ts";
import { findWrongHooks } from "../set-up/settings-shape.ts";

export interface PluginHooks {
  readonly plugin: FoundPlugin;
  readonly file: string;
  readonly hooks: unknown;
}

export function checkPluginHooks(plugins: readonly FoundPlugin[]): {
  readonly findings: readonly SetupFinding[];
  readonly read: readonly PluginHooks[];
} {
  const findings: SetupFinding[] = [];
  const read: PluginHooks[] = [];
  for (const plugin of plugins) {
    const file = join(plugin.root, "hooks", "hooks.json");
    const found = readJsonFile(file);
    if (found.state === "missing") continue;
    const why = found.state === "broken" ? found.why : findWrongShape(found.value);
    if (why !== undefined) findings.push(refused(plugin, file, why));
    else if (found.state === "read" && isRecord(found.value))
      read.push({ plugin, file, hooks: found.value.hooks });
  }
  return { findings, read };
}

function refused({ id }: FoundPlugin, file: string, why: string): SetupFinding {
  const isOurs = id.startsWith("toolgate@");
  return problem(
    "plugin-hooks",
    `${file}: ${why}. Claude Code refuses the plugin ${id}, and its hooks check nothing.`,
    isOurs
      ? "Install toolgate again."
      : "Update or repair the plugin: claude plugin validate shows what is wrong.",
  );
}

/** Undefined: the client takes it. */
function findWrongShape(value: unknown): string | undefined {
  if (!isRecord(value)) return "it must hold an object";
  if (Array.isArray(value.modules)) return undefined;
  const { hooks } = value;
  if (Array.isArray(hooks))
    return '"hooks" is a list (an old form); it must be an object whose keys are events';
  if (!isRecord(hooks)) return 'it has no "hooks" object around the events';
  return findWrongHooks(hooks);
}
