/** Which policies would be written into which file, with tests that hold there. */
import { join } from "node:path";
import type { Inexact, PermissionScope } from "../../../../agents/permissions/own-rule.ts";
import { ownerTitles, type PermissionOwner } from "../../../../agents/permissions/permission-owners.ts";
import { readPermissions, textFieldsOf } from "../../../../agents/permissions/read-permissions.ts";
import { putPolicies } from "../../../../config/file/edit-policies.ts";
import { findProject } from "../../../../config/find-project.ts";
import { findFolders } from "../../../../config/folders.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import { readTextFile } from "../../../../safe/files/documents/read-text-file.ts";
import { type RuleFileChange, readUsableFile, refuseBroken } from "../../open/edit-rule-file.ts";
import type { CliIo } from "../../terminal/io.ts";
import { holdingTests } from "./holding-tests.ts";
import { toPolicies } from "./to-policies.ts";

export interface PlannedImport extends RuleFileChange {
  readonly scope: PermissionScope;
  readonly policies: Readonly<Record<string, JsonObject>>;
  readonly inexact: readonly Inexact[];
  /** The files that were read, and every file that was looked for. */
  readonly from: readonly string[];
  readonly lookedFor: readonly string[];
  readonly problems: readonly string[];
}

export async function planRules(
  from: PermissionOwner,
  scope: PermissionScope,
  io: CliIo,
): Promise<PlannedImport> {
  const folders = findFolders(io.env);
  const project = findProject(io.cwd, folders.home);
  const place = { home: folders.home, projectDir: project.folder, env: io.env };
  const found = readPermissions(from, scope, place);
  const file = scope === "user" ? join(folders.config, "config.yaml") : projectFile(project.folder);
  const before = readUsableFile(file);
  const prefix = `${from}-${scope}`;
  const made = toPolicies(found, {
    prefix,
    title: ownerTitles[from],
    home: folders.home,
    fields: textFieldsOf(from),
  });
  // Without any permission left, policies of an earlier import stay: a person removes them.
  const isNothing = found.files.length === 0 || Object.keys(made.policies).length === 0;
  const put = (policies: Readonly<Record<string, JsonObject>>) =>
    isNothing ? before : putPolicies(before, policies, (name) => isImported(name, prefix));
  const policies = await holdingTests(
    { policies: made.policies, put, file, tier: scope, root: project.folder },
    io,
  );
  const after = put(policies);
  refuseBroken(file, after, "It was not changed, because the result could not be used:");
  return {
    scope,
    isPrivate: scope === "user",
    file,
    before,
    after,
    policies,
    inexact: made.inexact,
    from: found.files,
    lookedFor: found.lookedFor,
    problems: found.problems,
  };
}

/** Names that an import gives. */
function isImported(name: string, prefix: string): boolean {
  return /^-(?:allow|ask|deny)-/.test(name.slice(prefix.length)) && name.startsWith(prefix);
}

function projectFile(folder: string): string {
  const [first = "", second = ""] = ["toolgate.yaml", "toolgate.yml"].map((name) => join(folder, name));
  return !readTextFile(first).ok && readTextFile(second).ok ? second : first;
}
