/** `toolgate approvals` and `approvals watch`: what is asked and answered, as it happens. */
import { findFolders } from "../../../../config/folders.ts";
import { onAbort } from "../../../../core/run/abort.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { ApprovalRecord, Store } from "../../../../open/open-store.ts";
import { announceWatcher } from "../../../serve/watchers.ts";
import { openOwnStore } from "../../open/own-store.ts";
import { type CliIo, exitCodes, jsonLine, type ListOptions } from "../../terminal/io.ts";
import { runApprovalsList } from "./approvals.ts";
import { approvalJson, describeApproval, shownId } from "./describe-approval.ts";

/** The bell may stay silent on some file systems. */
const safetyLookMs = 1_000;

/** Live at a terminal; elsewhere what waits now. */
export async function runApprovals(options: ListOptions, io: CliIo): Promise<number> {
  if (options.json === true || options.ndjson === true || !io.isTerminal || io.stdinIsTerminal !== true)
    return runApprovalsList(options, io);
  const { runApprovalsDesk } = await import("./approvals-desk.ts");
  return runApprovalsDesk(io);
}

export async function runApprovalsWatch({ ndjson }: Pick<ListOptions, "ndjson">, io: CliIo): Promise<number> {
  await using store = await openOwnStore(io);
  using _ = announceWatcher(findFolders(io.env).state);
  if (ndjson !== true) io.err("Watching what waits for an answer. Ctrl-C ends it.\n");
  const known = new Map<string, ApprovalRecord>();
  const watch = watchApprovals(store, io.signal);
  try {
    for await (const waiting of watch) {
      const now = new Set(waiting.map(({ request }) => request.id));
      for (const id of [...known.keys()].filter((one) => !now.has(one))) {
        known.delete(id);
        const [ended] = await store.approvals.find(id);
        if (ended !== undefined) io.out(ndjson === true ? jsonLine(approvalJson(ended)) : describeEnd(ended));
      }
      for (const record of waiting.filter(({ request }) => !known.has(request.id))) {
        known.set(record.request.id, record);
        io.out(
          ndjson === true
            ? jsonLine(approvalJson(record))
            : `\n${describeApproval(record, Date.now(), io.cwd)}`,
        );
      }
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  }
  return exitCodes.ok;
}

function describeEnd({ request, state, answer }: ApprovalRecord): string {
  const by = answer === undefined ? "" : ` by ${visible(answer.by)}`;
  const ended = answer === undefined ? state : answer.decision === "approve" ? "approved" : "denied";
  return `${shownId(request.id)} ${visible(request.toolId)}: ${ended}${by}\n`;
}

/** What waits, at once and after every change, until the signal is aborted. */
export async function* watchApprovals(
  { approvals }: Pick<Store, "approvals">,
  signal: AbortSignal,
): AsyncGenerator<readonly ApprovalRecord[]> {
  let changed = true;
  let wake = () => {};
  const look = () => {
    changed = true;
    wake();
  };
  const stopListening = approvals.onChange(look);
  const timer = setInterval(look, safetyLookMs);
  const stopWaiting = onAbort(signal, look);
  try {
    while (!signal.aborted) {
      if (!changed) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
        if (signal.aborted) return;
      }
      changed = false;
      yield await approvals.waiting();
    }
  } finally {
    stopWaiting();
    clearInterval(timer);
    stopListening();
  }
}
