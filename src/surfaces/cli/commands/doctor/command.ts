/** `toolgate doctor`: its options and its help. */
import { agentNames, firstAgent } from "../../../../agents/all-agents.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineDoctor(program: CliCommand): void {
  program
    .command("doctor")
    .summary("find out why a forbidden call would not be stopped")
    .description(
      "Looks at the configuration and at the settings of the agents on this machine. Starts each of them, without a network or an account, for a call that a rule forbids. Exit 1 if the gate would not hold.",
    )
    .argument("[agent]", `Only this one: ${agentNames.join(", ")}.`)
    .json()
    .examples("toolgate doctor", `toolgate doctor ${firstAgent.name}`)
    .runs(() => import("./doctor.ts"), "runDoctor");
}
