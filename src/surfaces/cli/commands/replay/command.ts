/** `toolgate replay`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";
import { withConditions } from "../audit/command.ts";

export function defineReplay(program: CliCommand): void {
  withConditions(
    program
      .command("replay")
      .summary("show which recorded calls other rules would decide differently")
      .description(
        "Judges recorded calls again, by the rules as they are now or by another file, and shows which verdicts would change. Nothing runs, nobody is asked, nothing is recorded.",
      )
      .option("--rules <file>", "Judge by this configuration file alone. Then calls of all projects count.")
      .option("--examples <count>", "How many examples of each change.", "3")
      .option("--check", "Exit 1 if a verdict would change."),
  )
    .json()
    .examples("toolgate replay --since 7d", "toolgate replay --rules stricter.yaml --since 30d --check")
    .runs(() => import("./replay.ts"), "runReplay");
}
