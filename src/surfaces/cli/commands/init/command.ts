/** `toolgate init`: its options and its help. */
import { agentNames } from "../../../../agents/all-agents.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineInit(program: CliCommand): void {
  program
    .command("init")
    .summary("write a commented toolgate.yaml and offer to install hooks")
    .description(
      "Writes a commented toolgate.yaml into the current folder and trusts it, takes over an old tool-routes.json if there is one, and offers to install the hooks.",
    )
    .option("-y, --yes", "Answer every question with yes.")
    .option("--install <agent>", `Install the hooks into this agent, too: ${agentNames.join(", ")}.`)
    .option("--force", "Replace a toolgate.yaml that is there.")
    .json()
    .examples("toolgate init && toolgate test")
    .runs(() => import("./init.ts"), "runInit");
}
