/** The commands about a person's say in calls: approvals, grants. */
import { type Command, Option } from "commander";
import { grantScopes } from "../../../core/call/approval.ts";
import type { ApproveOptions, DenyOptions } from "../commands/approvals/approvals.ts";
import type { RevokeOptions } from "../commands/grants.ts";
import { command, type Host, jsonOption } from "./define-command.ts";

export function defineApprovals(program: Command, { io, finish }: Host): void {
  const approvals = command(program, "approvals")
    .summary("answer the calls that wait for a person")
    .description(
      "Shows the calls that wait for a person, whichever process they wait in, and takes the answers. Without a command: a live list at a terminal, elsewhere what waits now.",
    )
    .addOption(jsonOption())
    .addHelpText("after", approvalsExamples)
    .action(async (options: { json?: boolean }) => {
      const { runApprovals } = await import("../commands/approvals/approvals-watch.ts");
      finish(await runApprovals(options, io));
    });
  command(approvals, "list")
    .summary("what waits now")
    .description("Lists what waits now, oldest first. With --json a line for each, with the whole input.")
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const { runApprovalsList } = await import("../commands/approvals/approvals.ts");
      finish(await runApprovalsList(options, io));
    });
  command(approvals, "show")
    .summary("one of them, with its whole input")
    .description("Shows one of them with its whole input, also after it has been answered.")
    .argument("<id>", "the id, or the start of it")
    .addOption(jsonOption())
    .action(async (id: string, options: { json?: boolean }) => {
      const { runApprovalsShow } = await import("../commands/approvals/approvals.ts");
      finish(await runApprovalsShow({ id, ...options }, io));
    });
  command(approvals, "approve")
    .summary("let the call run")
    .description(
      "Lets the call run. The first answer counts; whoever comes second is told who won. Refused to the process that asked, and inside an agent.",
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
    .option("--any-input", "With a lasting scope: whatever the input (never for tools that execute).")
    .option("--expires <duration>", "A lasting yes ends after this: 30m, 8h, 7d.")
    .option("--edit <input>", "Run with this input instead: JSON, or @file.")
    .addOption(jsonOption())
    .action(async (id: string, options: Omit<ApproveOptions, "id">) => {
      const { runApprovalsApprove } = await import("../commands/approvals/approvals.ts");
      finish(await runApprovalsApprove({ id, ...options }, io));
    });
  command(approvals, "deny")
    .summary("refuse the call")
    .description("Refuses the call, and with it what else waits in the same session.")
    .argument("<id>", "the id, or the start of it")
    .option("--reason <text>", "Why; the model reads it.")
    .addOption(jsonOption())
    .action(async (id: string, options: Omit<DenyOptions, "id">) => {
      const { runApprovalsDeny } = await import("../commands/approvals/approvals.ts");
      finish(await runApprovalsDeny({ id, ...options }, io));
    });
  command(approvals, "watch")
    .summary("print what is asked and answered, as it happens")
    .description("Prints what is asked and how it ends, as it happens, until Ctrl-C.")
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const { runApprovalsWatch } = await import("../commands/approvals/approvals-watch.ts");
      finish(await runApprovalsWatch(options, io));
    });
}

const approvalsExamples = `
Examples:
  $ toolgate tools call fs.write '{"path":"a.txt","content":"hi"}' --enable-tools --wait 5m
  (waits; in another terminal:)
  $ toolgate approvals
  $ toolgate approvals approve 3f9c --scope project --expires 8h
  $ toolgate approvals deny 3f9c --reason "not on a Friday"
`;

export function defineGrants(program: Command, { io, finish }: Host): void {
  const grants = command(program, "grants")
    .summary("list and revoke lasting approvals")
    .description("Lists the approvals that hold for longer than one call, or takes them back.")
    .addHelpText("after", "\nExamples:\n  $ toolgate grants list\n  $ toolgate grants revoke 3f9c\n");
  command(grants, "list")
    .summary("the lasting approvals there are")
    .description("Lists the lasting approvals: for what, for whom, where, and until when.")
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const { runGrantsList } = await import("../commands/grants.ts");
      finish(await runGrantsList(options, io));
    });
  command(grants, "revoke")
    .summary("take one back, or all")
    .description("Takes a lasting approval back. From then on such calls ask again, in every process.")
    .argument("[id]", "the id, or the start of it")
    .option("--all", "All of them.")
    .addOption(jsonOption())
    .action(async (id: string | undefined, options: Omit<RevokeOptions, "id">) => {
      const { runGrantsRevoke } = await import("../commands/grants.ts");
      finish(await runGrantsRevoke({ ...options, id }, io));
    });
}
