/** `toolgate trust`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineTrust(program: CliCommand): void {
  program
    .command("trust")
    .summary("trust a project's files, so that they can also allow and rewrite calls")
    .description(
      "Trusts a project's files, so that they can also allow and rewrite calls. Until then they can only make the gate stricter. Shows what would change, asks, and pins path and content: a changed file has to be trusted again.",
    )
    .argument("[targets...]", "files, or folders with project files; by default this project's")
    .option("--revoke", "Do not trust them any longer.")
    .option("--list", "List what is trusted.")
    .option("-y, --yes", "Do not ask.")
    .json()
    .examples("toolgate trust", "toolgate trust --revoke .")
    .runs(() => import("./trust.ts"), "runTrust");
}
