/** Reads the permissions that a person has given to another program. Nothing of it is run, and nothing written. */
import { readClaudePermissions } from "./claude.ts";
import { readClinePermissions } from "./cline.ts";
import { readCodexPermissions } from "./codex.ts";
import { readGeminiPermissions } from "./gemini.ts";
import { readOpencodePermissions } from "./opencode.ts";
import type { FoundPermissions, PermissionPlace, PermissionScope } from "./own-rule.ts";
import type { PermissionOwner } from "./permission-owners.ts";

export function readPermissions(
  owner: PermissionOwner,
  scope: PermissionScope,
  place: PermissionPlace,
): FoundPermissions {
  return readers[owner](scope, place);
}

const readers: Readonly<
  Record<PermissionOwner, (scope: PermissionScope, place: PermissionPlace) => FoundPermissions>
> = {
  claude: readClaudePermissions,
  codex: readCodexPermissions,
  gemini: readGeminiPermissions,
  opencode: readOpencodePermissions,
  cline: readClinePermissions,
};

/** Which fields of its calls hold the text of a command. */
export function textFieldsOf(owner: PermissionOwner): readonly string[] {
  return owner === "cline" ? ["command", "commands[]"] : ["command"];
}
