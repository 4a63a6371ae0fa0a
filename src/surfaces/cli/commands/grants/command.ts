/** `toolgate grants`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineGrants(program: CliCommand): void {
  const grants = program
    .command("grants")
    .summary("list and revoke lasting approvals")
    .description("Lists or revokes the approvals that hold for longer than one call.")
    .examples("toolgate grants list", "toolgate grants revoke 3f9c");
  grants
    .command("list")
    .summary("list the lasting approvals")
    .description("Lists the lasting approvals: for what, for whom, where, and until when.")
    .jsonAndLines()
    .examples("toolgate grants list")
    .runs(() => import("./grants.ts"), "runGrantsList");
  grants
    .command("revoke")
    .summary("revoke one, or all")
    .description("Revokes a lasting approval. From then on such calls ask again, in every process.")
    .argument("[id]", "the id, or the start of it")
    .option("--all", "All of them.")
    .json()
    .examples("toolgate grants revoke 3f9c", "toolgate grants revoke --all")
    .runs(() => import("./grants.ts"), "runGrantsRevoke");
}
