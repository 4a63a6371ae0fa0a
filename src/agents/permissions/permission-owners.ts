/** The programs whose permissions can be taken over. */
export const permissionOwners = ["claude", "codex", "gemini", "opencode", "cline"] as const;
export type PermissionOwner = (typeof permissionOwners)[number];

export const ownerTitles: Readonly<Record<PermissionOwner, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "OpenCode",
  cline: "Cline",
};
