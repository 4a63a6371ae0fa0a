/** `toolgate run`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";
import { sessionOptions } from "../sessions/session-options.ts";

export function defineRun(program: CliCommand): void {
  sessionOptions(
    program
      .command("run")
      .summary("run an agent for one prompt, behind the gate")
      .description(
        "Runs an agent for one prompt; every tool call of it passes the gate. In the server of this user if one runs, else in this process; in this process too with --local, --config or a flag that enables tools. The answer goes to standard output, tool calls and questions to standard error. Ends with 0 when the agent is done, 1 when it failed, 2 when there is no such runner, 130 when it was cancelled.",
      )
      .argument("<prompt>", "what to do; - reads it from standard input"),
  )
    .option("--worktree", "Work in a new git work tree, on a branch of its own.")
    .examples(
      "toolgate run 'What does this project do?' --mode plan",
      "git diff | toolgate run - --system 'Review this diff.' --tools none",
      "toolgate run 'Fix the failing test' --runner claude --worktree --timeout 20m",
      "toolgate run 'Rename the option' --enable-tool-categories editing",
      "toolgate run 'List the TODOs' --json | jq 'select(.kind == \"message\")'",
    )
    .runs(() => import("./run.ts"), "runRun");
}
