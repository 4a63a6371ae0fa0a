/** shell.kill: ends a background process and everything it started. */
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { endFacts, howItEnded } from "../../../safe/process/how-it-ended.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { idSchema, idSynonyms, numberAsId } from "./process-id.ts";
import type { Processes } from "./processes.ts";

export function createKill(processes: Processes) {
  return defineBuiltin("shell.kill", {
    title: "End a background process",
    description:
      "Ends a background process of this session with everything it started: asked first (SIGTERM), forced two seconds later.",
    input: closed(["id"], { id: idSchema }),
    synonyms: { id: idSynonyms },
    adapt: numberAsId,
    // It must reach a process also while a command in the foreground keeps the lock.
    lock: "none",
    timeoutMs: 30_000,
    run: async ({ id }, context) => {
      const process = processes.find(id, context);
      if (!("running" in process)) return failed(process);
      const before = process.end;
      const end = before ?? (await process.running.kill());
      const text =
        before === undefined ? `${id}: ${howItEnded(end)}` : `${id} had ended already: ${howItEnded(end)}`;
      return answered(text, { id, ...endFacts(end) });
    },
  });
}
