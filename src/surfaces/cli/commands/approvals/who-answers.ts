/** Who answers at the command line. An agent must not say yes to itself through its own shell. */
import { userInfo } from "node:os";
import process from "node:process";
import type { ApprovalRecord } from "../../../../open/open-store.ts";
import { hasAncestor } from "../../../../safe/process/process-table.ts";
import { explainForPeople } from "../../agent-around.ts";
import type { CliIo } from "../../terminal/io.ts";

export function answererName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id that has no name.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Undefined: go on. */
export function explainNotYours({ asker }: ApprovalRecord, io: CliIo): string | undefined {
  const person = "Ask the person who runs you to approve it, in a terminal of their own.";
  if (asker !== undefined && hasAncestor(process.pid, asker))
    return `This command was started by the very process that asks (pid ${asker.pid}), which cannot approve its own calls. ${person}`;
  return explainForPeople("an approval", io);
}
