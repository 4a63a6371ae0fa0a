/** `toolgate trust`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineTrust(program: CliCommand): void {
  program
    .command("trust")
    .summary("let a project's files do more than narrow")
    .description(
      "A project's files can only make the gate stricter until you trust them. Shows what they would be allowed to do, then pins path and content: a changed file has to be trusted again.",
    )
    .argument("[targets...]", "files, or folders with project files; by default this project's")
    .option("--revoke", "Trust them no longer.")
    .option("--list", "List what is trusted.")
    .option("-y, --yes", "Do not ask.")
    .json()
    .examples("toolgate trust", "toolgate trust --revoke .")
    .runs(() => import("./trust.ts"), "runTrust");
}
