/** `toolgate doctor`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineDoctor(program: CliCommand): void {
  program
    .command("doctor")
    .summary("look for reasons why the gate would not hold")
    .description(
      "Looks at the configuration and at the agents' settings for reasons why the gate would not hold. Exit 1 if there is one.",
    )
    .json()
    .examples("toolgate doctor")
    .runs(() => import("./doctor.ts"), "runDoctor");
}
