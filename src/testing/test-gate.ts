/** A real gate for tests: its clock stands still, its ids count, its approver follows a script. */
import { posix } from "node:path";
import { isInside } from "../core/input/inside-folder.ts";
import type { LocatePath } from "../core/ports/location.ts";
import type { Ids } from "../core/ports/ports.ts";
import { createGate } from "../gate/create-gate.ts";
import type { Gate } from "../gate/gate.ts";
import type { GateOptions } from "../gate/gate-options.ts";
import { protectedReason } from "../safe/files/inside-root/protected-names.ts";
import { createMemoryLedger, type MemoryLedger } from "../stores/memory/memory-ledger.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createScriptedApprover, type ScriptedAnswer, type ScriptedApprover } from "./scripted-approver.ts";

export interface TestGateOptions extends Omit<GateOptions, "clock" | "ids" | "ledger"> {
  /** What the approver answers, in order. Without it nobody can be asked. */
  readonly answers?: readonly ScriptedAnswer[];
}

export interface TestGate {
  readonly gate: Gate;
  readonly clock: FakeClock;
  readonly approver: ScriptedApprover;
  readonly ledger: MemoryLedger;
}

export async function createTestGate({ answers, ...options }: TestGateOptions = {}): Promise<TestGate> {
  const clock = createFakeClock();
  const ledger = createMemoryLedger({ maxRecords: 100_000 });
  const approver = createScriptedApprover(answers);
  const gate = await createGate({
    // A workspace on paper: paths are judged by their text. A test that names real roots gets the real disk.
    ...(options.roots === undefined && { roots: ["/workspace"], locatePath: locateByText }),
    ...(answers !== undefined && { approver }),
    ...options,
    clock,
    ids: createCountingIds(),
    ledger,
  });
  return { gate, clock, approver, ledger };
}

export function createCountingIds(): Ids {
  let calls = 0;
  let secrets = 0;
  return { call: () => `call-${++calls}`, secret: () => `secret-${++secrets}` };
}

/** Where a path leads by its text alone, for a workspace that is not on the disk. */
const locateByText: LocatePath = (path, { cwd, roots, access = "write" }) => {
  const absolute = posix.resolve(cwd, path);
  const inside = roots.some((root) => isInside(absolute, root));
  const reason = protectedReason(absolute.split("/").filter(Boolean), access);
  return { absolute, inside, ...(reason !== undefined && { protected: reason }) };
};
