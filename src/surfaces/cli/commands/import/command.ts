/** `toolgate import`: its options and its help. */
import { Argument, Option } from "commander";
import { permissionOwners } from "../../../../agents/permissions/permission-owners.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineImport(program: CliCommand): void {
  const imports = program
    .command("import")
    .summary("take over what you have told other programs")
    .description("Takes over what you have told other programs.")
    .examples(`toolgate import rules ${permissionOwners[0]} --dry-run`);
  imports
    .command("rules")
    .summary("make policies of an agent's permissions")
    .description(
      "Reads the permissions that you have given to an agent, yours and the project's, and makes policies of them, with tests. What cannot be said exactly becomes stricter, and is listed. Shows the difference to your configuration file (yours) and to toolgate.yaml (the project's), and writes them after a yes. The agent's own files stay as they are.",
    )
    .addArgument(new Argument("<from>", "whose").choices(permissionOwners))
    .addOption(
      new Option("--scope <scope>", "Only yours, or only the project's.").choices(["user", "project"]),
    )
    .option("--dry-run", "Only show it.")
    .option("-y, --yes", "Do not ask.")
    .json()
    .examples(
      `toolgate import rules ${permissionOwners[0]} --dry-run`,
      `toolgate import rules ${permissionOwners[1]} --scope user`,
    )
    .runs(() => import("./import-rules.ts"), "runImportRules");
}
