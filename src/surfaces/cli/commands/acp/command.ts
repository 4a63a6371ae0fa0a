/** `toolgate acp`: its options and its help. */
import { Option } from "commander";
import { type CliCommand, configOption } from "../../program/define-command.ts";

export function defineAcp(program: CliCommand): void {
  program
    .command("acp")
    .summary("be the agent of an editor that speaks the Agent Client Protocol")
    .description(
      "Speaks the Agent Client Protocol with an editor over standard input and output. A conversation in the editor is a session of a runner, with every tool call judged by the gate of the folder that the editor names; the person at the editor answers its questions. Ends when the editor closes the pipe.",
    )
    .option(
      "--runner <name>",
      "Which agent works. Default: sessions.default_runner, else the first that misses nothing.",
    )
    .addOption(
      new Option(
        "--tools <whose>",
        "Offer tools of the gate (gate), the agent's own (agent), or none. Default: the runner's.",
      ).choices(["gate", "agent", "none"]),
    )
    .option("--model <name>", "Which model, if the runner lets it be chosen.")
    .option("--as <name>", "The owner of the sessions in rules, limits and records. Default: local.")
    .enabling()
    .addOption(configOption())
    .examples("toolgate acp", "toolgate acp --runner opencode --tools agent")
    .runs(() => import("./acp.ts"), "runAcp");
}
