/** Work that takes long and changes nothing: one piece at a time for each gate, so that calls are never crowded out. */
import type { Gate } from "../../../gate/gate.ts";

const running = new WeakSet<Gate>();

/** Undefined: somebody else's piece runs now. */
export async function oneAtATime<Result>(
  gate: Gate,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  if (running.has(gate)) return undefined;
  running.add(gate);
  try {
    return await work();
  } finally {
    running.delete(gate);
  }
}
