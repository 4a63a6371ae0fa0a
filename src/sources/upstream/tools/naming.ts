/** The name of an upstream's tool in the gate, `server__tool`: it stays when other tools come and go. */
import { createHash } from "node:crypto";
import { maxToolNameLength } from "../../../core/tool/tool-name.ts";

/** Letters, digits, `_` and `-` stay. Other characters and long names are replaced, with a hash. */
export function upstreamToolId(server: string, tool: string): string {
  const full = `${server}__${tool}`;
  if (full.length <= maxToolNameLength && plain.test(tool)) return full;
  const hash = createHash("sha256").update(full).digest("hex").slice(0, hashLength);
  const readable = full.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, maxToolNameLength - hashLength - 1);
  return `${readable}_${hash}`;
}

/** Enough to tell the tools of one server apart; two servers differ before it. */
const hashLength = 8;
const plain = /^[A-Za-z0-9_-]+$/;

/** MCP allows 128; longer names only fill memory and messages. */
const longestName = 256;

export function explainBadName(tool: unknown): string | undefined {
  if (typeof tool !== "string" || tool === "") return "it has no name.";
  return tool.length > longestName
    ? `its name has ${tool.length} characters; at most ${longestName} are taken.`
    : undefined;
}

/**
 * Of names that differ only in case the first in the alphabet counts, in whatever order a server lists them.
 * Answers the others, each with the one that is in its way.
 */
export function findClashes(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  const clashes = new Map<string, string>();
  for (const tool of [...tools].sort()) {
    const id = upstreamToolId(server, tool).toLowerCase();
    const holder = first.get(id);
    if (holder === undefined) first.set(id, tool);
    else clashes.set(tool, holder);
  }
  return clashes;
}
