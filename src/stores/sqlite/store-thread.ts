/** The thread of a store. It can be started before its file is known, and loads its code meanwhile. */
import type { MessagePort } from "node:worker_threads";
import { Worker } from "node:worker_threads";
import { moduleBeside } from "../../safe/isolated/module-beside.ts";
import type { WorkerStart } from "./messages.ts";

export interface StoreThread {
  readonly worker: Worker;
  /** Once: what it opens, and how it is talked to. */
  open(start: WorkerStart, port: MessagePort): void;
}

export function startStoreThread(): StoreThread {
  const worker = new Worker(moduleBeside(import.meta.url, "./worker"), {
    name: "toolgate-store",
    // Options of the program (-e, --input-type) are not for its threads.
    execArgv: [],
    // What it handles is short and short-lived: more room for it would only be filled.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  // Nobody waits for one that is never used.
  worker.unref();
  return { worker, open: (start, port) => worker.postMessage(start, [port]) };
}
