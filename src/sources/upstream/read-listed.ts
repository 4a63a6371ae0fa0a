/** The tools that a server lists, each by its name and digest; what has no usable name is left out, and said. */
import type { JsonObject } from "../../core/json.ts";
import { pinOf, type ToolPin } from "./definition.ts";
import type { Refused } from "./make-offer.ts";
import { explainBadName } from "./naming.ts";

export function readListed(listed: readonly JsonObject[]): {
  readonly pins: readonly ToolPin[];
  readonly refused: readonly Refused[];
} {
  const refused: Refused[] = [];
  const pins = new Map<string, ToolPin>();
  for (const definition of listed) {
    const name = definition.name as string;
    const bad = explainBadName(name);
    if (bad !== undefined) refused.push({ tool: String(name ?? "(no name)").slice(0, 64), message: bad });
    else if (pins.has(name))
      refused.push({ tool: name, message: "the server lists it twice; the first one counts." });
    else pins.set(name, pinOf(name, definition));
  }
  return { pins: [...pins.values()], refused };
}
