/** Who uses the store. Each process registers, so that others can tell what the dead have left behind. */

import { identifyOurselves, isAlive, type KnownProcess } from "../../port/process-place.ts";
import { defineArea, type StoreContext } from "../area.ts";
import type { Row } from "../context.ts";

export const processesArea = defineArea({
  name: "processes",
  writes: {},
  reads: { living: (store, _: undefined): string[] => livingProcesses(store) },
  onOpen: register,
  everySeconds: 60,
  onTick(store, closing) {
    if (closing) return void store.run("DELETE FROM processes WHERE id = ?", store.processId);
    const seen = store.run("UPDATE processes SET seen_at = ? WHERE id = ?", store.now(), store.processId);
    // One that was asleep for long was taken for dead.
    if (seen === 0) register(store);
  },
});

function register(store: StoreContext): void {
  const { host, boot, pidSpace, pid, startTicks } = identifyOurselves();
  const now = store.now();
  const place = { host, boot, pid_space: pidSpace, pid, start_ticks: startTicks };
  store.insert("processes", { id: store.processId, ...place, started_at: now, seen_at: now });
}

/** Ids of the registered processes that still run, this one included. For operations of other areas. */
export function livingProcesses(store: StoreContext): string[] {
  return split(store).living;
}

/** Ids of those that ended without saying so. */
export function deadProcesses(store: StoreContext): string[] {
  return split(store).dead;
}

/** Call it after what they left has been dealt with. */
export function forgetProcesses(store: StoreContext, ids: readonly string[]): void {
  for (const id of ids) store.run("DELETE FROM processes WHERE id = ?", id);
}

function split(store: StoreContext): { readonly living: string[]; readonly dead: string[] } {
  const here = identifyOurselves();
  const now = store.now();
  const living: string[] = [];
  const dead: string[] = [];
  for (const row of store.all("SELECT * FROM processes")) {
    const id = String(row.id);
    if (id === store.processId || isAlive(toKnown(row), here, now)) living.push(id);
    else dead.push(id);
  }
  return { living, dead };
}

function toKnown(row: Row): KnownProcess {
  return {
    host: String(row.host),
    boot: String(row.boot),
    pidSpace: String(row.pid_space),
    pid: Number(row.pid),
    startTicks: row.start_ticks === null ? null : Number(row.start_ticks),
    seenAt: Number(row.seen_at),
  };
}
