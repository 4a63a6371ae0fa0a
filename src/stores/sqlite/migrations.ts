/** How the database came to its present form: one step per version. A released step is never changed. */
import { processesAndLedger } from "./migrations/0001-processes-and-ledger.ts";
import { approvalsGrantsLimits } from "./migrations/0002-approvals-grants-limits.ts";
import { approvedMeaning } from "./migrations/0003-approved-meaning.ts";
import { toldStates } from "./migrations/0004-told-states.ts";
import { askingAgent } from "./migrations/0005-asking-agent.ts";

import { sessions } from "./migrations/0006-sessions.ts";
export const migrations: readonly string[] = [
  processesAndLedger,
  approvalsGrantsLimits,
  approvedMeaning,
  toldStates,
  askingAgent,
  sessions,
];
