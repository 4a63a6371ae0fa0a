import { createSqliteApprovals } from "../../../../src/stores/sqlite/approvals/sqlite-approvals.ts";
import { approvalDeskContract } from "../../../contract/approval-desk.ts";
import { sharedStore } from "./temporary-store.ts";

const store = sharedStore(["approvals"]);
approvalDeskContract("SQLite", (options) => createSqliteApprovals(store(), options));
