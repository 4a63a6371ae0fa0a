/** `toolgate audit`: its options and its help. */
import { Option } from "commander";
import type { CliCommand } from "../../program/define-command.ts";

export function defineAudit(program: CliCommand): void {
  const audit = program
    .command("audit")
    .summary("read, export and verify the record of calls")
    .description("Reads the ledger: one record for each call, refused ones too, chained and signed.")
    .examples(
      "toolgate audit tail -f",
      "toolgate audit query --since 24h --verdict deny",
      "toolgate audit verify",
    );
  defineReading(audit);
  defineProof(audit);
}

function defineReading(audit: CliCommand): void {
  withFilter(
    audit
      .command("tail")
      .summary("show the last records, and follow new ones")
      .description("Prints the last records, oldest first; with -f also every new one, of any process.")
      .option("-n, --lines <count>", "How many of the last ones.", "10")
      .option("-f, --follow", "Go on with every new one until Ctrl-C."),
  )
    .jsonAndLines()
    .examples(
      "toolgate audit tail -n 50",
      "toolgate audit tail -f --verdict deny",
      "toolgate audit tail -f --ndjson",
    )
    .runs(() => import("./audit.ts"), "runAuditTail");
  withFilter(
    audit
      .command("query")
      .summary("find records by time, tool, caller, verdict or text")
      .description("Prints the records that meet every condition, newest first.")
      .option("--limit <count>", "How many at most, up to 1000.", "50")
      .option("--after <number>", "Go on where the last page ended.")
      .option("--oldest", "Oldest first."),
  )
    .jsonAndLines()
    .examples(
      "toolgate audit query --tool 'shell.*' --since 7d --json",
      "toolgate audit query --text 'git push' --oldest",
    )
    .runs(() => import("./audit.ts"), "runAuditQuery");
  audit
    .command("show")
    .summary("show everything about one call")
    .description(
      "Prints every record about one call: what it was, which rule and which person decided, how it ended. For the model's id of a tool use (toolu_...): what the agent's hook said and what ran here, together.",
    )
    .argument("<call>", "the number of a record, the id of a call, or the model's id of a tool use")
    .jsonAndLines()
    .examples("toolgate audit show 1042", "toolgate audit show toolu_01A --json")
    .runs(() => import("./audit.ts"), "runAuditShow");
  withFilter(
    audit
      .command("stats")
      .summary("count calls by tool, verdict, caller and day")
      .description("Counts calls by tool, verdict, caller, code and day."),
  )
    .json()
    .examples("toolgate audit stats --since 7d")
    .runs(() => import("./audit.ts"), "runAuditStats");
}

function defineProof(audit: CliCommand): void {
  audit
    .command("export")
    .summary("export the whole ledger as JSON lines")
    .description(
      "Prints the whole ledger as JSON lines, with its signatures, so that it can be verified on another machine.",
    )
    .outFile("Write to this new file.")
    .examples("toolgate audit export -o ledger.jsonl")
    .runs(() => import("./audit-proof.ts"), "runAuditExport");
  audit
    .command("verify")
    .summary("check that no record was changed, removed or added")
    .description(
      "Checks that no record was changed, removed, added or moved: the chain of hashes, the signed checkpoints that are kept outside of the database, and the anchors that are kept outside of the state folder. Exit 1 if something is wrong.",
    )
    .option("--file <export>", "An export, instead of the ledger of this machine.")
    .option("--key <file>", "With --file: the public key to verify with, from a place you trust.")
    .option("--anchor <files...>", "Also compare with copies of anchors: a file, an excerpt of a log.")
    .json()
    .examples("toolgate audit verify", "toolgate audit verify --file ledger.jsonl --key ledger.pub")
    .runs(() => import("./audit-proof.ts"), "runAuditVerify");
  audit
    .command("prune")
    .summary("remove old records")
    .description(
      "Removes old records for good. A signed note says what was removed, so that the rest can still be verified.",
    )
    .option("--older-than <duration>", "Only what is older: 90d.")
    .option("-y, --yes", "Do not ask.")
    .json()
    .examples("toolgate audit prune --older-than 90d")
    .runs(() => import("./audit-proof.ts"), "runAuditPrune");
}

function withFilter(one: CliCommand): CliCommand {
  return withConditions(one).option(
    "--kinds <kinds>",
    "Which records, separated by commas: completion, unknown, intent, end, note.",
  );
}

export function withConditions(one: CliCommand): CliCommand {
  return one
    .option("--since <time>", "Not older than this: 30m, 24h, 7d ago, or 2026-11-15T10:00:00Z.")
    .option("--until <time>", "Older than this.")
    .option("--tool <name>", "Of this tool; * stands for any text: 'fs.*'.")
    .option("--caller <id>", "Of this caller.")
    .option("--session <id>", "Of this session.")
    .option("--tool-use-id <id>", "Of this tool use, as the model calls it: what a hook said, and what ran.")
    .addOption(
      new Option("--verdict <verdict>", "With this verdict.").choices(["allow", "ask", "deny", "abstain"]),
    )
    .option("--code <code>", "Ended with this code: policy_denied, tool_failed, ...")
    .option("--text <text>", "Containing this text.");
}
