/** The approval desk of a SQLite store. */
import type { ApprovalStore } from "../../../core/ports/approval-store.ts";
import { createSharedApprovals, type SharedApprovalsOptions } from "../../port/shared-approvals.ts";
import type { SqliteClient } from "../open-sqlite.ts";
import type { approvalsArea } from "./approvals-area.ts";

export function createSqliteApprovals(client: SqliteClient, options: SharedApprovalsOptions): ApprovalStore {
  const area = client.area<typeof approvalsArea>("approvals");
  return createSharedApprovals(
    {
      open: (opening) => area.write("open", opening),
      answer: (answering) => area.write("answer", answering),
      claim: (claim) => area.write("claim", claim),
      done: (one) => area.write("done", one),
      withdraw: (one) => area.write("withdraw", one),
      expire: (one) => area.write("expire", one),
      pending: () => area.read("pending", undefined),
      find: (prefix) => area.read("find", { prefix }),
      past: (tool, limit) => area.read("past", { tool, limit }),
      tally: (since) => area.read("tally", { since }),
      ends: (ids) => area.read("ends", { ids }),
      seal: (id) => area.read("seal", { id }),
      listen: (listener) => client.listen("approvals", listener),
    },
    options,
  );
}
