/** `toolgate list`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineList(program: CliCommand): void {
  program
    .command("list")
    .summary("list the rules that hold in this folder")
    .description(
      "Lists your routes, policies, limits and hooks in the order in which they are tried, each with its file.",
    )
    .option("-a, --all", "Shipped routes, too.")
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
