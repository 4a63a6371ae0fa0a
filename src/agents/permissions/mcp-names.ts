/** Tools of MCP servers as other programs name them, as toolgate does: `mcp__server__tool`. */
import type { Permit } from "./own-rule.ts";

/**
 * The tool of a server, by the names that another program's file has for both. In calls they have no other
 * characters than these. Undefined: what would be approved could be more than this server, or this tool; a tool
 * that is `*` is all of them.
 */
export function serverTool(server: string, tool: string, permit: Permit): string | undefined {
  const isClear = plain.test(server) && !server.includes("__") && (tool === "*" || plain.test(tool));
  if (permit === "allow" && !isClear) return undefined;
  const inCalls = (name: string) => name.replaceAll(/[^\w*-]/g, "_");
  return `mcp__${inCalls(server)}__${inCalls(tool)}`;
}

const plain = /^[\w-]+$/;

/** Why nothing is made of it. */
export const unclearServer = "what is approved could be the tools of another server, too";

/** `mcp_server_tool`, or already as we write it. */
export function isMcpName(name: string): boolean {
  return name.startsWith("mcp_");
}

/**
 * Where a server's name ends is not clear if both names may hold the mark between them. What stops a call
 * then stops it for each way to read the name; what allows one is empty.
 */
export function mcpNames(name: string, permit: Permit): readonly string[] {
  if (name.startsWith("mcp__")) return [name];
  return splitNames(name.slice("mcp_".length), permit);
}

/** `server_tool`. */
export function splitNames(name: string, permit: Permit): readonly string[] {
  if (name === "*") return ["mcp__*"];
  const marks = [...name.matchAll(/_/g)]
    .map(({ index }) => index)
    .filter((index) => index > 0 && index < name.length - 1);
  const all = marks.map((index) => `mcp__${name.slice(0, index)}__${name.slice(index + 1)}`);
  return permit === "allow" && all.length !== 1 ? [] : all;
}
