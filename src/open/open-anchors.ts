/** How the anchors of a ledger stand, for those who look without opening the store. */
import type { LedgerAnchor } from "../core/ports/ledger-reader.ts";
import { type AnchorStatus, anchorName, readAnchorStatus } from "../stores/anchors/anchor-status.ts";
import { compareAnchors, readAnchors } from "../stores/anchors/read-anchors.ts";
import { readCheckpointLines, readPublicKey } from "../stores/ledger/checkpoints-file.ts";

export interface ExaminedAnchor extends AnchorStatus {
  readonly name: string;
  /** The first thing that it says otherwise than the state folder. */
  readonly differs: string | undefined;
}

export function examineAnchors(
  anchors: readonly LedgerAnchor[],
  stateFolder: string,
): Promise<readonly ExaminedAnchor[]> {
  return Promise.all(
    anchors.map(async (anchor) => ({
      ...readAnchorStatus(stateFolder, anchor),
      name: anchorName(anchor),
      differs: "file" in anchor ? await explainDifference(anchor.file, stateFolder) : undefined,
    })),
  );
}

async function explainDifference(file: string, stateFolder: string): Promise<string | undefined> {
  const read = await readAnchors({ files: [file], stateFolder }, []);
  const lines = readCheckpointLines(stateFolder);
  const state = { ledgerId: ledgerOf(lines.at(-1)), publicKey: readPublicKey(stateFolder)?.pem, lines };
  return compareAnchors(read, state).problems[0]?.message;
}

/** As the last checkpoint says: the database is not opened for this. */
function ledgerOf(line: string | undefined): string {
  try {
    return String((JSON.parse(line ?? "") as { ledger?: unknown }).ledger);
  } catch {
    return "";
  }
}
