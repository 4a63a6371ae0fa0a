/** The list of tools as bytes, kept for callers who see the same until tools, categories or rules change. */
import { Buffer } from "node:buffer";
import type { Static } from "typebox";
import type { Caller } from "../../core/call/call.ts";
import type { Gate } from "../../gate/gate.ts";
import type { ToolList } from "./contract.ts";
import type { toolQuery } from "./schemas/tools.ts";
import { countTools, viewTools } from "./view-tools.ts";

type ToolQuery = Static<typeof toolQuery>;

export function toolListBytes(gate: Gate, caller: Caller, query: ToolQuery): Buffer {
  const kept = keptOf(gate);
  const { category, source, callable, mode } = query;
  const viewer = gate.tools.viewKey(caller);
  const key = JSON.stringify([gate.rulesVersion, viewer, category, source, callable, mode]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const bytes = Buffer.from(JSON.stringify(listTools(gate, caller, query)));
  // A client that asks for ever new lists gets them, but takes no more memory.
  if (kept.size >= mostLists) kept.clear();
  kept.set(key, bytes);
  return bytes;
}

const mostLists = 32;

const keptLists = new WeakMap<Gate, Map<string, Buffer>>();

function keptOf(gate: Gate): Map<string, Buffer> {
  let kept = keptLists.get(gate);
  if (kept === undefined) {
    const made = new Map<string, Buffer>();
    kept = made;
    keptLists.set(gate, made);
    gate.events.on("tools-change", () => made.clear());
  }
  return kept;
}

function listTools(gate: Gate, caller: Caller, { category, source, callable, mode }: ToolQuery): ToolList {
  const tools = viewTools(gate, caller, mode).filter(
    (tool) =>
      (category === undefined || tool.category === category) &&
      (source === undefined || tool.source === source) &&
      (callable === undefined || tool.callable === callable),
  );
  return { tools, counts: countTools(tools) };
}
