/** `toolgate init`: its options and its help. */
import { agentNames } from "../../../../agents/all-agents.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineInit(program: CliCommand): void {
  program
    .command("init")
    .summary("write starter rules, and offer to install the hooks")
    .description(
      "Writes a commented toolgate.yaml into the current folder and trusts it. Offers to convert an old tool-routes.json, and to install the hooks. With --user it writes rules for all your projects instead.",
    )
    .option("--user", "Write config.yaml into your configuration folder: rules for all your projects.")
    .option("-y, --yes", "Answer every question with yes.")
    .option("--install <agent>", `Install the hooks into this agent, too: ${agentNames.join(", ")}.`)
    .option("--force", "Replace the file that is there.")
    .json()
    .examples("toolgate init --user", "toolgate init && toolgate test")
    .runs(() => import("./init.ts"), "runInit");
}
