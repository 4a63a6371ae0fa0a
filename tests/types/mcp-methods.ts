/** Compiled by `npm run typecheck`: a method of MCP that does not say which right it needs must not compile. */
import type { McpMethod } from "../../src/surfaces/mcp/methods.ts";

export const withRight: Record<string, McpMethod> = { "x/look": { right: ["read"], handle: () => ({}) } };

export const withoutRight: Record<string, McpMethod> = {
  // @ts-expect-error a method names the right that it needs
  "x/run": { handle: () => ({}) },
};
