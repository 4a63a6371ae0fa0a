/** Reads the lines of signed checkpoints and says what is wrong with them, whatever the rows say. */
import type { KeyObject } from "node:crypto";
import type { LedgerProblem } from "../../core/ports/ledger-reader.ts";
import { type Checkpoint, hashLine, readCheckpoint } from "./checkpoint.ts";

export interface ReadCheckpoints {
  readonly checkpoints: readonly Checkpoint[];
  readonly problems: readonly LedgerProblem[];
}

export function readCheckpoints(
  lines: readonly string[],
  publicKeys: readonly KeyObject[],
  ledgerId: string,
): ReadCheckpoints {
  const checkpoints: Checkpoint[] = [];
  const problems: LedgerProblem[] = [];
  const wrong = (kind: LedgerProblem["kind"], seq: number | undefined, message: string) =>
    problems.push({ kind, seq, message });
  let before = "";
  let highest = 0;
  for (const [index, line] of lines.entries()) {
    const checkpoint = readCheckpoint(line, publicKeys);
    if (checkpoint === undefined) {
      wrong("checkpoint", undefined, `Checkpoint ${index + 1} is not signed by the ledger's key.`);
    } else if (checkpoint.ledger !== ledgerId) {
      wrong(
        "replaced",
        checkpoint.seq,
        `Checkpoint ${index + 1} speaks of another ledger (${checkpoint.ledger}, ${checkpoint.seq} rows): the database was replaced.`,
      );
    } else {
      if (checkpoint.before !== before)
        wrong("checkpoint", checkpoint.seq, `Before checkpoint ${index + 1} at least one other is missing.`);
      if (checkpoint.kind === "checkpoint" && checkpoint.seq < highest)
        wrong(
          "truncated",
          checkpoint.seq,
          `Checkpoint ${index + 1} says ${checkpoint.seq} rows where an older one said ${highest}: an older copy of the database was put back.`,
        );
      highest = Math.max(highest, checkpoint.seq);
      checkpoints.push(checkpoint);
    }
    before = hashLine(line);
  }
  return { checkpoints, problems };
}
