/** The programs whose MCP servers can be taken over. */

export const serverOwners = ["claude", "cursor", "vscode", "codex"] as const;
export type ServerOwner = (typeof serverOwners)[number];
