/** `toolgate approvals`: its options and its help. */
import { Option } from "commander";
import { grantScopes } from "../../../../core/call/approval.ts";
import { type CliCommand, ndjsonOption } from "../../program/define-command.ts";

export function defineApprovals(program: CliCommand): void {
  const approvals = program
    .command("approvals")
    .summary("answer the calls that wait for a person")
    .description(
      "Shows the calls that wait for a person, whichever process they wait in, and takes the answers. Without a command: a live list at a terminal, elsewhere what waits now.",
    )
    .jsonAndLines()
    .addHelpText("after", approvalsExamples)
    .runs(() => import("./approvals-watch.ts"), "runApprovals");
  approvals
    .command("list")
    .summary("list the calls that wait now")
    .description("Lists what waits now, oldest first; as JSON with the whole input.")
    .jsonAndLines()
    .examples("toolgate approvals list --json")
    .runs(() => import("./approvals.ts"), "runApprovalsList");
  approvals
    .command("show")
    .summary("show one call with its whole input")
    .description("Shows one of them with its whole input, also after it has been answered.")
    .argument("<id>", "the id, or the start of it")
    .json()
    .examples("toolgate approvals show 3f9c")
    .runs(() => import("./approvals.ts"), "runApprovalsShow");
  approvals
    .command("approve")
    .summary("let the call run")
    .description(
      "Lets the call run. The first answer counts. The process that asked cannot approve, and nothing inside an agent can.",
    )
    .argument("<id>", "the id, or the start of it")
    .addOption(
      new Option(
        "--scope <scope>",
        "This call only, or this very call always: in its session, in its project, everywhere.",
      )
        .choices([...grantScopes])
        .default("once"),
    )
    .option("--any-input", "With a lasting scope: for any input (never for tools that execute).")
    .option("--expires <duration>", "A lasting yes ends after this: 30m, 8h, 7d.")
    .option("--edit <input>", "Run with this input instead: JSON, or @file.")
    .json()
    .examples("toolgate approvals approve 3f9c --scope project --expires 8h")
    .runs(() => import("./approvals.ts"), "runApprovalsApprove");
  approvals
    .command("deny")
    .summary("refuse the call")
    .description("Refuses the call, and with it what else waits in the same session.")
    .argument("<id>", "the id, or the start of it")
    .option("--reason <text>", "Why; the model reads it.")
    .json()
    .examples("toolgate approvals deny 3f9c --reason 'not on a Friday'")
    .runs(() => import("./approvals.ts"), "runApprovalsDeny");
  approvals
    .command("watch")
    .summary("print questions and answers as they happen")
    .description("Prints what is asked and how it ends, as it happens, until Ctrl-C.")
    .addOption(ndjsonOption())
    .examples("toolgate approvals watch --ndjson")
    .runs(() => import("./approvals-watch.ts"), "runApprovalsWatch");
}

const approvalsExamples = `
Examples:
  $ toolgate tools call fs.write '{"path":"a.txt","content":"hi"}' --enable-tools --wait 5m
  (waits; in another terminal:)
  $ toolgate approvals
  $ toolgate approvals approve 3f9c --scope project --expires 8h
  $ toolgate approvals deny 3f9c --reason "not on a Friday"
`;
