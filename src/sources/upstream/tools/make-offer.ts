/** What a gate may hold of an upstream server: accepted tools, names that wait, what is refused. */
import { fingerprint } from "../../../core/input/fingerprint.ts";
import type { Json, JsonObject } from "../../../core/input/json.ts";
import type { ToolPin } from "../../../core/ports/pins.ts";
import type { PendingTool } from "../../../core/ports/upstream.ts";
import { shownName } from "../../../core/text/visible.ts";
import type { Permission } from "../../../core/tool/permission.ts";
import type { AnyTool, ToolContext } from "../../../core/tool/tool.ts";
import type { Findings } from "../pins/compare-definitions.ts";
import { defaultTimeoutMs, type UpstreamSpec } from "../upstream-spec.ts";
import { findClashes, upstreamToolId } from "./naming.ts";
import { permissionOf, toolFromMcp } from "./tool-from-mcp.ts";

export interface OfferedTool {
  /** As the server names it. */
  readonly name: string;
  readonly tool: AnyTool;
  /** Of the definition, of what runs it and of its configuration: with another digest it is another tool. */
  readonly digest: string;
}

export interface Refused {
  readonly tool: string;
  readonly message: string;
}

export interface Offer {
  /** By the name in the gate. */
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly pending: ReadonlyMap<string, PendingTool>;
  readonly refused: readonly Refused[];
}

export const emptyOffer: Offer = { tools: new Map(), pending: new Map(), refused: [] };

export type RunPinned = (pin: ToolPin, args: JsonObject, context: ToolContext) => unknown;

export function makeOffer(spec: UpstreamSpec, { same, fresh, changed }: Findings, run: RunPinned): Offer {
  const tools = new Map<string, OfferedTool>();
  const refused: Refused[] = [];
  // Only among those that were accepted: one that waits takes no name from them.
  const clashes = findClashes(
    spec.name,
    same.map(({ name }) => name),
  );
  for (const pin of same) {
    if (saidAbout(spec, pin.name)?.enabled === false) continue;
    const clash = clashes.get(pin.name);
    const made = clash === undefined ? makeTool(spec, pin, run) : clashing(clash);
    if ("message" in made) refused.push({ tool: pin.name, message: made.message });
    else tools.set(made.tool.id, made);
  }
  const pending = new Map<string, PendingTool>();
  const wait = (pins: readonly ToolPin[], why: PendingTool["why"]) => {
    for (const { name } of pins) pending.set(upstreamToolId(spec.name, name), { tool: name, why });
  };
  wait(fresh, "new");
  wait(changed, "changed");
  return { tools, pending, refused };
}

function makeTool(
  spec: UpstreamSpec,
  pin: ToolPin,
  run: RunPinned,
): OfferedTool | { readonly message: string } {
  const { name, digest, definition } = pin;
  const permission: Permission =
    saidAbout(spec, name)?.permission ?? spec.permission ?? permissionOf(definition, spec.trustAnnotations);
  const made = toolFromMcp({
    server: spec.name,
    id: upstreamToolId(spec.name, name),
    definition,
    permission,
    timeoutMs: spec.settings?.timeoutMs ?? defaultTimeoutMs,
    run: (args, context) => run(pin, args, context),
  });
  if (!made.ok) return made;
  return { name, tool: made.tool, digest: fingerprint([digest, spec.identity, permission] as Json) };
}

/** A tool may be called `constructor`. */
function saidAbout({ tools }: UpstreamSpec, name: string): UpstreamSpec["tools"][string] | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

function clashing(other: string): { readonly message: string } {
  return { message: `its name differs from ${shownName(other)} in upper and lower case only.` };
}
