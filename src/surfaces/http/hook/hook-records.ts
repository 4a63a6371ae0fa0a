/**
 * Where the checks of hooks are recorded: a line in the spool before the answer, as a hook process does it, and from there in the ledger at
 * once. The agent waits for a write to a file instead of for a commit; whoever reads the ledger reads the spool's lines first.
 */
import type { Ledger } from "../../../core/ports.ts";
import type { Store } from "../../../open-store.ts";
import { createSpool } from "../../hook/spool.ts";

export interface HookRecords {
  /** For the gate of a project. */
  ledgerFor(cwd: string): Ledger;
  /** Resolves when everything is in the ledger. */
  close(): Promise<void>;
}

export function createHookRecords(ledger: Store["ledger"], stateFolder: string): HookRecords {
  let timer: NodeJS.Timeout | undefined;
  let taking: Promise<unknown> = Promise.resolve();
  const take = () => {
    clearTimeout(timer);
    timer = undefined;
    // One after the other. What cannot be taken now stays in the spool and is taken next time.
    taking = taking.then(() => ledger.takeSpool()).catch(() => {});
    return taking;
  };
  return {
    ledgerFor(cwd) {
      const spool = createSpool(stateFolder, { agent: "claude-code", cwd });
      return {
        open: (intent) => ledger.open(intent),
        close(record) {
          spool.close(record);
          // After the answer.
          timer ??= setTimeout(take, afterAnswerMs);
        },
      };
    },
    close: async () => void (await take()),
  };
}

/** Calls that come together are taken together. */
const afterAnswerMs = 5;
