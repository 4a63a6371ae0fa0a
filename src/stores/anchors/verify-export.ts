/** Verifies an exported ledger by its lines alone, better with the public key from a trusted place. */

import { messageOf } from "../../core/call/errors.ts";
import { canonicalJson } from "../../core/input/canonical-json.ts";
import type { Json } from "../../core/input/json.ts";
import type { LedgerProblem, LedgerVerification } from "../../core/ports/ledger-reader.ts";
import { toPublicKeys } from "../ledger/checkpoint.ts";
import { parseLine } from "../ledger/parse-line.ts";
import { readCheckpoints } from "../ledger/read-checkpoints.ts";
import { BlockVerifier, type ChainBlock, type ChainRow, RowVerifier } from "../ledger/verify-rows.ts";
import { compareAnchors, readAnchors } from "./read-anchors.ts";

interface ExportHead {
  /** 2: rows are chained in blocks. */
  readonly v: number;
  readonly cutBlock?: number;
  readonly ledger: string;
  readonly seq: number;
  readonly hash: string;
  readonly cutSeq: number;
  readonly cutHash: string;
  readonly publicKey?: string;
}

/** The key in the export proves only that whoever made the export had its other half: give `publicKey`. */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  {
    publicKey,
    anchorCopies = [],
  }: { readonly publicKey?: string | undefined; readonly anchorCopies?: readonly string[] | undefined } = {},
): Promise<LedgerVerification> {
  let head: ExportHead | undefined;
  const rows: ChainRow[] = [];
  const blocks: ChainBlock[] = [];
  const checkpointLines: string[] = [];
  const problems: LedgerProblem[] = [];
  let count = 0;
  for await (const line of lines) {
    count += 1;
    if (line.trim() === "") continue;
    const read = parseLine(line);
    if (read?.type === "ledger") head = read as unknown as ExportHead;
    else if (read?.type === "checkpoint") checkpointLines.push(String(read.line));
    else if (read?.type === "block") blocks.push(read as unknown as ChainBlock);
    else if (read?.type === "row")
      rows.push({ seq: Number(read.seq), hash: String(read.hash), body: canonicalJson(read.body as Json) });
    else problems.push({ kind: "unreadable", seq: undefined, message: `Line ${count} is not of an export.` });
  }
  if (head === undefined) {
    problems.push({
      kind: "unreadable",
      seq: undefined,
      message: "The first line of the export is missing.",
    });
    return ended("", undefined, problems, 0);
  }
  const key = publicKey ?? head.publicKey;
  let checkpoints: ReturnType<typeof readCheckpoints>["checkpoints"] = [];
  if (key === undefined) {
    problems.push({ kind: "key", seq: undefined, message: "There is no public key to verify with." });
  } else {
    try {
      const read = readCheckpoints(checkpointLines, toPublicKeys(key), head.ledger);
      checkpoints = read.checkpoints;
      problems.push(...read.problems);
    } catch (error) {
      problems.push({ kind: "key", seq: undefined, message: `The public key is none: ${messageOf(error)}` });
    }
  }
  const verifier = verifyChain(head, { blocks, rows, checkpoints });
  const copies = await readAnchors({ files: [], stateFolder: undefined }, anchorCopies);
  const state = { ledgerId: head.ledger, publicKey: key, lines: checkpointLines };
  const { anchors, problems: ofAnchors } = compareAnchors(copies, state);
  const found = [...ofAnchors, ...problems, ...verifier.problems];
  return {
    ...ended(head.ledger, verifier, found, checkpoints.length),
    ...(anchors.length > 0 && { anchors }),
  };
}

function verifyChain(
  { v, ledger: ledgerId, cutSeq, cutHash, cutBlock = 0, seq, hash }: ExportHead,
  {
    blocks,
    rows,
    checkpoints,
  }: {
    readonly blocks: readonly ChainBlock[];
    readonly rows: readonly ChainRow[];
    readonly checkpoints: ReturnType<typeof readCheckpoints>["checkpoints"];
  },
): RowVerifier | BlockVerifier {
  const start = { ledgerId, cutSeq, cutHash, cutBlock };
  if (v !== 2) {
    const verifier = new RowVerifier(start, checkpoints);
    for (const row of rows) verifier.row(row);
    verifier.end({ seq, hash });
    return verifier;
  }
  const verifier = new BlockVerifier(start, checkpoints);
  let next = 0;
  for (const block of blocks) {
    verifier.block(block, rows.slice(next, next + block.rows));
    next += block.rows;
  }
  // Rows that no block has move the end away from what the head says.
  const beyond = rows[next];
  verifier.end(beyond === undefined ? { seq, hash } : { seq: beyond.seq, hash });
  return verifier;
}

function ended(
  ledgerId: string,
  verifier: RowVerifier | BlockVerifier | undefined,
  problems: readonly LedgerProblem[],
  checkpoints: number,
): LedgerVerification {
  const rows = verifier?.rows ?? 0;
  const lastSeq = verifier?.lastSeq ?? 0;
  const sealedSeq = verifier?.sealedSeq ?? 0;
  const ok = problems.length === 0;
  return { ok, ledgerId, rows, firstSeq: lastSeq - rows + 1, lastSeq, checkpoints, sealedSeq, problems };
}
