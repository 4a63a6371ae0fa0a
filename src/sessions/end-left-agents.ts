/** Agents whose toolgate process died are found by what the store knows of them, and ended. */
import { messageOf } from "../core/call/errors.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import { killTree } from "../safe/process/kill-tree.ts";

/** The guard of a process that was killed does this at once; a machine that was restarted has nothing left. */
export async function endLeftAgents(store: SessionStore, tell: (message: string) => void): Promise<void> {
  for (const { id, agentProcess } of await store.leftAgents()) {
    if (agentProcess === undefined) continue;
    const { pid, startTicks, mark } = agentProcess;
    try {
      const identity = { pid, startTicks: startTicks ?? undefined, mark, sandboxed: false };
      const { found, left } = await killTree(identity);
      if (left.length > 0) throw new Error(`processes ${left.join(", ")} are still there`);
      if (found > 0) tell(`The agent of session ${id} had outlived its toolgate process and was ended.`);
      await store.change(id, { facts: { agentProcess: undefined } });
    } catch (error) {
      tell(`The agent of session ${id} (process ${pid}) could not be ended: ${messageOf(error)}`);
    }
  }
}
