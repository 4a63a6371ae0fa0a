/** The programs whose permissions can be taken over. */
import type { FoundPermissions, PermissionPlace, PermissionScope } from "./own-rule.ts";

export const permissionOwners = ["claude", "codex", "gemini", "opencode", "cline"] as const;
export type PermissionOwner = (typeof permissionOwners)[number];

export const ownerTitles: Readonly<Record<PermissionOwner, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "OpenCode",
  cline: "Cline",
};

/** Which fields of its calls hold the text of a command. */
export function textFieldsOf(owner: PermissionOwner): readonly string[] {
  return owner === "cline" ? ["command", "commands[]"] : ["command"];
}

/** Nothing of it is run, and nothing written. */
export async function readPermissions(
  owner: PermissionOwner,
  scope: PermissionScope,
  place: PermissionPlace,
): Promise<FoundPermissions> {
  switch (owner) {
    case "claude":
      return (await import("./claude.ts")).readClaudePermissions(scope, place);
    case "codex":
      return (await import("./codex.ts")).readCodexPermissions(scope, place);
    case "gemini":
      return (await import("./gemini.ts")).readGeminiPermissions(scope, place);
    case "opencode":
      return (await import("./opencode.ts")).readOpencodePermissions(scope, place);
    case "cline":
      return (await import("./cline.ts")).readClinePermissions(scope, place);
  }
}
