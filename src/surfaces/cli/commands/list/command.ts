/** `toolgate list`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineList(program: CliCommand): void {
  program
    .command("list")
    .summary("list the rules that hold here")
    .description(
      "Lists routes, policies and limits in the order in which they are tried, each with its file.",
    )
    .configAndJson()
    .addHelpText("after", listExamples)
    .runs(() => import("./list.ts"), "runList");
}

const listExamples = `
Example:
  $ toolgate list
  Routes (merged from 2 sources):

  no-force-push (from: toolgate.yaml)
    tool: Bash
    pattern: git push.*--force
  ...
`;
