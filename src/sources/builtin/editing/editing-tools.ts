/** All editing tools over one set of ports, and the recovery that a start begins with. */
import { isAbsolute } from "node:path";
import { ToolgateError } from "../../../core/call/errors.ts";
import type { AnyTool } from "../../../core/tool/tool.ts";
import { createPathLocks } from "../../../safe/files/path-locks.ts";
import { createApplyDiff } from "./apply-diff.ts";
import { createApplyPatch } from "./apply-patch.ts";
import { createDelete } from "./delete.ts";
import { createEdit } from "./edit.ts";
import { type Recovery, recoverJournals } from "./journal/recover.ts";
import { createTemporaries, removeLeftTemporaries } from "./journal/temporaries.ts";
import { createMkdir } from "./mkdir.ts";
import { createMove } from "./move.ts";
import type { EditingPorts } from "./ports.ts";
import { createWrite } from "./write.ts";

/** Without locks the tools have their own. */
export type GivenEditingPorts = Omit<EditingPorts, "locks"> & Partial<Pick<EditingPorts, "locks">>;

export interface EditingTools {
  readonly tools: readonly AnyTool[];
  /** What an earlier process left half done and this start undid. Wait for it before reading. */
  readonly recovered: Promise<readonly Recovery[]>;
}

export function createEditingTools(given: GivenEditingPorts): EditingTools {
  if (!isAbsolute(given.stateFolder))
    throw new ToolgateError(
      `The state folder must be an absolute path, not ${JSON.stringify(given.stateFolder)}.`,
    );
  const ports: EditingPorts = {
    ...given,
    locks: given.locks ?? createPathLocks(),
    temporaries: given.temporaries ?? createTemporaries(given.stateFolder),
  };
  if (ports.readFirst === true && ports.seen === undefined)
    throw new ToolgateError("readFirst needs seen: without it nobody knows what was read.");
  const recovered = recoverAll(ports.stateFolder);
  // Whoever does not wait for it meets the same error at the first call.
  recovered.catch(() => {});
  const tools = [
    createWrite(ports),
    createEdit(ports),
    createApplyDiff(ports),
    createApplyPatch(ports),
    createDelete(ports),
    createMove(ports),
    createMkdir(ports),
  ];
  return { tools, recovered };
}

async function recoverAll(stateFolder: string): Promise<readonly Recovery[]> {
  const recovered = await recoverJournals(stateFolder);
  await removeLeftTemporaries(stateFolder);
  return recovered;
}
