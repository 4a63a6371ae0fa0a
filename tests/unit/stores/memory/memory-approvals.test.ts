import { createMemoryApprovals } from "../../../../src/stores/memory/memory-approvals.ts";
import { approvalDeskContract } from "../../../contract/approval-desk.ts";

approvalDeskContract("memory", createMemoryApprovals);
