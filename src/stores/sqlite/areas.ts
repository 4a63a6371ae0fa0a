/** The parts of the store, in the order in which they look around when a process opens it. */

import { approvalsArea } from "./approvals/approvals-area.ts";
import type { Area } from "./area.ts";
import { grantsArea } from "./grants/grants-area.ts";
import { ledgerArea } from "./ledger/ledger-area.ts";
import { limitsArea } from "./limits/limits-area.ts";
import { processesArea } from "./processes/processes-area.ts";
import { sessionsArea } from "./sessions/sessions-area.ts";

export const areas: readonly Area[] = [
  processesArea,
  ledgerArea,
  approvalsArea,
  grantsArea,
  limitsArea,
  sessionsArea,
];
