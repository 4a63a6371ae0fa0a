/** Settings in a folder of their own, made into policies, and a gate with these policies alone. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  ownerTitles,
  type PermissionOwner,
} from "../../../../../src/agents/permissions/permission-owners.ts";
import { readPermissions, textFieldsOf } from "../../../../../src/agents/permissions/read-permissions.ts";
import { parseConfigFile } from "../../../../../src/config/file/parse-file.ts";
import { writeYaml } from "../../../../../src/config/file/write-yaml.ts";
import { createGate } from "../../../../../src/gate/create-gate.ts";
import type { Gate } from "../../../../../src/gate/gate.ts";
import type { Policy } from "../../../../../src/rules/policies.ts";
import {
  type MadePolicies,
  toPolicies,
} from "../../../../../src/surfaces/cli/commands/import/to-policies.ts";
import type { OracleWorld } from "./oracles/verdict.ts";

export interface ImportWorld extends OracleWorld {
  readonly made: readonly MadePolicies[];
  readonly problems: readonly string[];
  readonly gate: Gate;
  close(): Promise<void>;
}

/** `files`: by their path, `~/` for the home folder, else in the project. */
export async function createImportWorld(
  owner: PermissionOwner,
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<ImportWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-import-")));
  const home = join(folder, "home");
  const root = join(folder, "project");
  for (const made of [home, root]) mkdirSync(made);
  for (const [name, text] of Object.entries(files)) {
    const file = name.startsWith("~/") ? join(home, name.slice(2)) : join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const made: MadePolicies[] = [];
  const problems: string[] = [];
  const policies: Policy[] = [];
  for (const scope of ["user", "project"] as const) {
    const found = readPermissions(owner, scope, { home, projectDir: root, env });
    const one = toPolicies(found, {
      prefix: `${owner}-${scope}`,
      title: ownerTitles[owner],
      home,
      fields: textFieldsOf(owner),
    });
    made.push(one);
    problems.push(...found.problems);
    const parsed = parseConfigFile(
      writeYaml({ version: 1, policies: { ...one.policies } }),
      "toolgate.yaml",
      "config",
    );
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    policies.push(...parsed.file.policies.map((policy): Policy => ({ ...policy, tier: scope })));
  }
  const realHome = process.env.HOME;
  process.env.HOME = home;
  const gate = await createGate({ policies, roots: [root] });
  return {
    root,
    home,
    made,
    problems,
    gate,
    close: async () => {
      process.env.HOME = realHome;
      await gate.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
