/** What the Agent Client Protocol says a tool call does. */
export const acpKinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;

export type AcpKind = (typeof acpKinds)[number];
