/** `toolgate agents`: its options and its help. */
import { agentNames, firstAgent } from "../../../../agents/all-agents.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineAgents(program: CliCommand): void {
  program
    .command("agents")
    .summary("show the coding agents, what they can do, and whether toolgate stops them")
    .description(
      "Shows the agents on this machine: their versions, where toolgate's hook is installed, what each of them can and cannot do, and its holes.",
    )
    .argument("[agent]", `Only this one: ${agentNames.join(", ")}.`)
    .option("-a, --all", "Agents that are not on this machine, too.")
    .option("--canary", "Start each of them for a call that a rule forbids, and see whether it is stopped.")
    .json()
    .examples("toolgate agents", "toolgate agents --canary", `toolgate agents ${firstAgent.name}`)
    .runs(() => import("./agents.ts"), "runAgents");
}
