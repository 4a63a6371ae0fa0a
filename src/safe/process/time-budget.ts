/** Runs synchronous work that may be slow, and stops the work after some milliseconds. */

import { createContext, Script } from "node:vm";
import { cpuMsSince, cpuUsed } from "../../core/run/cpu-time.ts";
import { needDescriptors } from "./descriptors.ts";

export type BudgetResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly timedOut: boolean; readonly error?: unknown };

/**
 * The time-out of a vm script also ends functions of this realm that the script calls, regular expressions
 * included. The script is a constant and the work is passed as a value: no text from outside is ever code
 * here. Entering costs about 0.2 ms, so callers do it only for work that can be slow. Throws when the process
 * has no file descriptor left for the deadline: work without one is not done.
 */
export function withinBudget<T>(timeoutMs: number, work: () => T): BudgetResult<T> {
  // Work inside of work already has a deadline; a second watchdog would only add cost.
  if (room.busy) return attempt(work);
  needDescriptors();
  const { globals } = room.open();
  let value: T | undefined;
  room.busy = true;
  globals.run = () => {
    value = work();
  };
  try {
    return enterUntilJudged(timeoutMs) ?? { ok: true, value: value as T };
  } finally {
    room.busy = false;
    globals.run = undefined;
  }
}

/**
 * The watchdog counts wall time. On a busy machine that time may pass while this thread hardly ran, which
 * says nothing about the work. Such a try is repeated, a few times at most.
 */
function enterUntilJudged(timeoutMs: number): ReturnType<typeof enter> {
  for (let tries = 1; ; tries++) {
    const before = cpuUsed();
    const end = enter(timeoutMs);
    const wasStarved = end?.timedOut && cpuMsSince(before) < timeoutMs / 2;
    if (!wasStarved || tries === mostTries) return end;
    needDescriptors();
  }
}

const mostTries = 4;

function enter(timeoutMs: number): { ok: false; timedOut: boolean; error?: unknown } | undefined {
  const { context, script } = room.open();
  try {
    script.runInContext(context, { timeout: timeoutMs });
    return undefined;
  } catch (error) {
    const timedOut = (error as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return timedOut ? { ok: false, timedOut } : { ok: false, timedOut, error };
  }
}

/** Whether the caller already has a deadline. */
export function isWithinBudget(): boolean {
  return room.busy;
}

/** The same result without a deadline, for work that is known to be short. */
export function attempt<T>(work: () => T): BudgetResult<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, timedOut: false, error };
  }
}

interface Room {
  readonly globals: { run: (() => void) | undefined };
  readonly context: ReturnType<typeof createContext>;
  readonly script: Script;
}

/**
 * Opened by the first work that needs it: a context costs a process that only looks something up more than
 * all its other work.
 */
const room = {
  opened: undefined as Room | undefined,
  /** Only true while `withinBudget` is on the stack. */
  busy: false,
  open(): Room {
    this.opened ??= openRoom();
    return this.opened;
  },
};

function openRoom(): Room {
  const globals = Object.assign(Object.create(null) as object, { run: undefined });
  const script = new Script("run()", { filename: "toolgate-time-budget" });
  return { globals, context: createContext(globals), script };
}
