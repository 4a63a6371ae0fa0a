/** Verifies the ledger of a store: checkpoints first, then every row by pages, while others go on writing. */

import { messageOf } from "../../../core/call/errors.ts";
import type { LedgerProblem, LedgerReader, LedgerVerification } from "../../../core/ports/ledger-reader.ts";
import { type AnchorFiles, compareAnchors, readAnchors } from "../../anchors/read-anchors.ts";
import { toPublicKeys } from "../../ledger/checkpoint.ts";
import { readCheckpoints } from "../../ledger/read-checkpoints.ts";
import type { AsideFile } from "../../ledger/spool/set-aside.ts";
import { RowVerifier } from "../../ledger/verify-rows.ts";
import type { UntakenFile } from "../journal/orphans.ts";
import type { LedgerSeal } from "./ledger-area.ts";
import type { LedgerClient } from "./sqlite-ledger.ts";

const rowsAtOnce = 1_000;

export async function verifyLedger(
  area: LedgerClient,
  { signal, onProgress, anchorCopies }: Parameters<LedgerReader["verify"]>[0] & object,
  anchors: AnchorFiles,
): Promise<LedgerVerification> {
  // Before the checkpoints: an anchor never knows one that is newer than what is looked at.
  const copies = await readAnchors(anchors, anchorCopies ?? []);
  // Before the rows, too: what is taken in between is not missed.
  const untaken = await area.read("untaken", undefined);
  const seal = await area.read("seal", undefined);
  const { head } = seal;
  const { checkpoints, problems } = readSeals(seal);
  const verifier = new RowVerifier(head, checkpoints);
  const broken: LedgerProblem[] = [];
  if (seal.unusableKey !== undefined) broken.push({ kind: "key", seq: undefined, message: seal.unusableKey });
  let after = head.cutSeq;
  try {
    while (after < head.seq) {
      signal?.throwIfAborted();
      const rows = await area.read("verifyPage", { after, last: head.seq, limit: rowsAtOnce });
      if (rows.length === 0) break;
      for (const row of rows) verifier.row(row, row.wrong);
      after = rows.at(-1)?.seq ?? head.seq;
      onProgress?.(after, head.seq);
    }
    const [beyond] = await area.read("strays", head);
    if (beyond !== undefined) broken.push(beyond);
    verifier.end(head);
  } catch (error) {
    signal?.throwIfAborted();
    broken.push({
      kind: "unreadable",
      seq: after + 1,
      message: `Rows after ${after} cannot be read: ${messageOf(error)}`,
    });
  }
  // Retention may have removed the front while we walked: then what was seen is no longer what is there.
  const now = await area.read("head", undefined);
  if (now.cutSeq !== head.cutSeq && now.ledgerId === head.ledgerId)
    return verifyLedger(area, { signal, onProgress, anchorCopies }, anchors);
  const compared = compareAnchors(copies, {
    ledgerId: head.ledgerId,
    publicKey: seal.publicKey,
    lines: seal.checkpointLines,
  });
  const left = [...explainUntaken(untaken.files), ...explainAside(untaken.aside)];
  const onTheirWay = untaken.files.filter(({ isOwned }) => isOwned).length;
  const found = [...compared.problems, ...problems, ...verifier.problems, ...broken, ...left].slice(0, 100);
  return {
    ok: found.length === 0,
    ledgerId: head.ledgerId,
    rows: verifier.rows,
    firstSeq: head.cutSeq + 1,
    lastSeq: verifier.lastSeq,
    checkpoints: checkpoints.length,
    sealedSeq: verifier.sealedSeq,
    ...(compared.anchors.length > 0 && { anchors: compared.anchors }),
    ...(onTheirWay > 0 && { onTheirWay }),
    problems: found,
  };
}

/** Records that were acknowledged and that no process is about to take. */
function explainUntaken(files: readonly UntakenFile[]): LedgerProblem[] {
  return files
    .filter(({ isOwned }) => !isOwned)
    .map(({ name, bytes = 0, why }) => {
      const message =
        bytes < 0
          ? `${name} is ${-bytes} bytes shorter than what was taken from it: somebody cut it.`
          : `${name} holds records that are not in the ledger${why === undefined ? "" : `: ${why}`}.`;
      return { kind: "untaken", seq: undefined, message };
    });
}

function explainAside(files: readonly AsideFile[]): LedgerProblem[] {
  return files.map(({ name, bytes }) => ({
    kind: "rejected",
    seq: undefined,
    message: `aside/${name} holds ${bytes} bytes that could not be read as records. Look at them, then move the file away.`,
  }));
}

function readSeals({ head, publicKey, checkpointLines }: LedgerSeal): ReturnType<typeof readCheckpoints> {
  const problem = (kind: LedgerProblem["kind"], message: string) => ({
    checkpoints: [],
    problems: [{ kind, seq: undefined, message }],
  });
  const wasSigned = head.checkpointSeq > 0 || head.cutSeq > 0;
  if (checkpointLines.length === 0) {
    return wasSigned
      ? problem("checkpoint", "The file of signed checkpoints is gone or empty.")
      : { checkpoints: [], problems: [] };
  }
  if (publicKey === undefined) return problem("key", "The key that the checkpoints are signed with is gone.");
  try {
    const read = readCheckpoints(checkpointLines, toPublicKeys(publicKey), head.ledgerId);
    const signed = Math.max(0, ...read.checkpoints.map(({ seq }) => seq));
    if (signed >= head.checkpointSeq || read.problems.length > 0) return read;
    const message = `The ledger was signed up to row ${head.checkpointSeq}, the file of checkpoints ends with ${signed}: its end was removed.`;
    return { ...read, problems: [{ kind: "checkpoint", seq: signed, message }] };
  } catch (error) {
    return problem("key", `The key of the checkpoints cannot be used: ${messageOf(error)}`);
  }
}
