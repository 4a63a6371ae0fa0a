/** Reads the anchors that are files, and compares each with the state folder, or with an export. */
import { messageOf } from "../../core/call/errors.ts";
import type { LedgerProblem, VerifiedAnchor } from "../../core/ports/ledger-reader.ts";
import { readAnchorStatus } from "./anchor-status.ts";
import { type AnchorCopy, compareAnchor, type SignedState } from "./compare-anchor.ts";
import { readAnchorLines } from "./file-anchor.ts";

export interface AnchorFiles {
  /** Of the configuration. */
  readonly files: readonly string[];
  /** Where it is kept how far they are. */
  readonly stateFolder: string | undefined;
}

/** A problem stands for one that cannot be read. */
export type ReadAnchor = AnchorCopy | LedgerProblem;

export function readAnchors(
  { files, stateFolder }: AnchorFiles,
  copies: readonly string[],
): Promise<readonly ReadAnchor[]> {
  const wasTaken = (file: string) =>
    stateFolder !== undefined && readAnchorStatus(stateFolder, { file }).taken !== undefined;
  return Promise.all([
    ...files.map((file) => readOne(file, { isExcerpt: false, mustBeThere: wasTaken(file) })),
    ...copies.map((file) => readOne(file, { isExcerpt: true, mustBeThere: true })),
  ]);
}

async function readOne(
  file: string,
  { isExcerpt, mustBeThere }: { readonly isExcerpt: boolean; readonly mustBeThere: boolean },
): Promise<ReadAnchor> {
  const problem = (message: string): LedgerProblem => ({ kind: "anchor", seq: undefined, message });
  try {
    const lines = (await readAnchorLines(file)) ?? [];
    if (lines.length === 0 && mustBeThere) return problem(`The anchor ${file} is gone or empty.`);
    return { name: file, lines, isExcerpt };
  } catch (error) {
    return problem(`The anchor ${file} cannot be read: ${messageOf(error)}`);
  }
}

export function compareAnchors(
  read: readonly ReadAnchor[],
  state: SignedState,
): { readonly anchors: readonly VerifiedAnchor[]; readonly problems: readonly LedgerProblem[] } {
  const anchors: VerifiedAnchor[] = [];
  const problems: LedgerProblem[] = [];
  for (const one of read) {
    if (!("lines" in one)) {
      problems.push(one);
      continue;
    }
    const compared = compareAnchor(one, state);
    anchors.push(compared.anchor);
    problems.push(...compared.problems);
  }
  return { anchors, problems };
}
