/** A process that leaves approvals in every state and a place of a limit, says so, and waits to be killed. */

import { createSystemClock } from "../../../../src/gate/system.ts";
import { createSqliteApprovals } from "../../../../src/stores/sqlite/approvals/sqlite-approvals.ts";
import { createSqliteLimits } from "../../../../src/stores/sqlite/limits/sqlite-limits.ts";
import { openSqlite } from "../../../../src/stores/sqlite/open-sqlite.ts";
import { approvalRequest, binding } from "./approval-request.ts";

const client = await openSqlite({ stateFolder: process.argv[2] ?? "" });
const desk = createSqliteApprovals(client, { clock: createSystemClock() });
for (const id of ["pending", "approved", "claimed", "done"]) {
  await desk.open(approvalRequest(id));
  if (id !== "pending") await desk.answer(id, { decision: "approve", by: "ann" });
  if (id === "claimed" || id === "done") await desk.claim(id, binding);
  if (id === "done") await desk.done(id);
}
await createSqliteLimits(client).take(
  [{ limit: "l", who: "w", window: undefined, concurrent: 1 }],
  Date.now(),
  false,
);
process.stdout.write("ready\n");
setInterval(() => {}, 1_000);
