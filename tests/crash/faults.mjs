// An area of the store that does nothing but die: loaded into the worker by the crash test's child, at the places that only the worker sees.

import { statSync } from "node:fs";
import { join } from "node:path";

let point;
let at;
let hits = 0;
let checkpointBytes;

/** The n-th time. SIGKILL leaves no chance to tidy up. */
function hit(here) {
  if (here === point && ++hits === at) {
    process.kill(process.pid, "SIGKILL");
    // The signal may take a moment, in which nothing more may happen.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
}

function sizeOfCheckpoints(store) {
  return statSync(join(store.stateFolder, "checkpoints.jsonl"), { throwIfNoEntry: false })?.size ?? 0;
}

let isOpen = false;

export const area = {
  name: "faults",
  writes: {},
  reads: {},
  onOpen(store, { faults }) {
    ({ point, at } = faults);
    checkpointBytes = sizeOfCheckpoints(store);
    hit("store-opening");
    isOpen = true;
  },
  beforeCommit(store) {
    if (!isOpen) return;
    hit("transaction-written");
    if (point !== "checkpoint-written" && point !== "spool-taken") return;
    if (sizeOfCheckpoints(store) > checkpointBytes) hit("checkpoint-written");
    if (store.rung.has("ledger")) hit("spool-taken");
  },
  onCommit() {
    if (isOpen) hit("transaction-committed");
  },
  afterCommit() {
    hit("answered");
  },
  onTick(_, closing) {
    if (closing) hit("store-closing");
  },
};
