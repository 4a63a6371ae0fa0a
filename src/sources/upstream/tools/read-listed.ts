/** The tools that a server lists, by name and digest. What has no usable name is left out, and told. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { ToolPin } from "../../../core/ports/pins.ts";
import { pinOf } from "../pins/definition.ts";
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
    if (bad !== undefined) refused.push({ tool: shownAs(name), message: bad });
    else if (pins.has(name))
      refused.push({ tool: name, message: "the server lists it twice; the first one counts." });
    else {
      const pin = pinIfReadable(name, definition);
      if (pin === undefined) refused.push({ tool: name, message: "its definition is nested too deeply." });
      else pins.set(name, pin);
    }
  }
  return { pins: [...pins.values()], refused };
}

/** One that is made to break whoever walks through it must not take the others with it. */
function pinIfReadable(name: string, definition: JsonObject): ToolPin | undefined {
  try {
    return pinOf(name, definition);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whatever stands where the name should be. */
function shownAs(name: unknown): string {
  return typeof name === "string" && name !== "" ? name.slice(0, 64) : "(no name)";
}
