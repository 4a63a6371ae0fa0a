/** Which tools a caller does not see: to that caller they are unknown, in every list and in every call. */
import type { Caller } from "../core/call/call.ts";
import { isRecord } from "../core/input/json.ts";
import { unknownKeys } from "../core/input/unknown-keys.ts";
import { categoriesNamed } from "../core/tool/categories.ts";
import { findKnownTool } from "../core/tool/known-tools.ts";
import { matchesTool, type NamedTool, type SameTool } from "../core/tool/tool-pattern.ts";
import { compileCaller, explainBadCaller } from "./caller-test.ts";
import { type HiddenTools, hiddenShape } from "./shapes/hidden-shape.ts";

export interface HideableTool extends NamedTool {
  readonly category: string;
}

export type IsHidden = (tool: HideableTool, caller: Caller) => boolean;

/** Undefined: everybody sees every tool, and no call pays for asking. */
export function compileHidden(hidden: readonly HiddenTools[]): IsHidden | undefined {
  if (hidden.length === 0) return undefined;
  const rules = hidden.map(({ caller, categories = [], tools }) => {
    const ids = new Set(categories.flatMap(categoriesNamed));
    const concerns = compileCaller(caller);
    return (tool: HideableTool, by: Caller): boolean =>
      (ids.has(tool.category) || (tools !== undefined && matchesTool(tools, tool, isSame))) &&
      // Nobody knows: it is hidden.
      concerns?.(by) !== false;
  });
  return (tool, by) => rules.some((hides) => hides(tool, by));
}

const isSame: SameTool = (name, tool) => tool.names.includes(name) || findKnownTool(name)?.id === tool.id;

/** In words that go on after the option's name. Undefined: they can be used. */
export function explainBadHidden(hidden: readonly unknown[]): string | undefined {
  return hidden.map(explainBadEntry).find((why) => why !== undefined);
}

function explainBadEntry(entry: unknown): string | undefined {
  if (!isRecord(entry)) return "must be a list of objects with caller, categories and tools.";
  const [unknown] = unknownKeys(entry, Object.keys(hiddenShape.properties));
  if (unknown !== undefined) return `has an entry with an unknown key "${unknown.key}"; ${unknown.instead}`;
  const { caller, categories, tools } = entry;
  if (categories === undefined && tools === undefined)
    return "has an entry that hides nothing; say categories or tools.";
  const bad = explainBadCaller(caller);
  if (bad !== undefined) return `has an entry whose ${bad}`;
  if (categories !== undefined && !(Array.isArray(categories) && areTexts(categories)))
    return "has an entry whose categories are no list of names.";
  return tools === undefined || areTexts([tools].flat())
    ? undefined
    : "has an entry whose tools are neither a name, a pattern with * nor a list of them.";
}

function areTexts(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((one) => typeof one === "string" && one !== "");
}
