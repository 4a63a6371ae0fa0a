/** `toolgate doctor`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineDoctor(program: CliCommand): void {
  program
    .command("doctor")
    .summary("find out why a forbidden call would not be stopped")
    .description(
      "Looks at the configuration and at the agents' settings, and tries a forbidden call. Exit 1 if the gate would not hold.",
    )
    .json()
    .examples("toolgate doctor")
    .runs(() => import("./doctor.ts"), "runDoctor");
}
