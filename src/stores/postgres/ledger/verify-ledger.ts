/** Verifies the ledger of a database: checkpoints first, then every block, while others go on writing. */
import { messageOf } from "../../../core/call/errors.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerProblem, LedgerReader, LedgerVerification } from "../../../core/ports/ledger-reader.ts";
import { compareAnchor } from "../../anchors/compare-anchor.ts";
import { type AnchorFiles, compareAnchors, readAnchors } from "../../anchors/read-anchors.ts";
import { toPublicKeys } from "../../ledger/checkpoint.ts";
import { readCheckpoints } from "../../ledger/read-checkpoints.ts";
import { listAside } from "../../ledger/spool/set-aside.ts";
import { BlockVerifier } from "../../ledger/verify-rows.ts";
import type { PostgresContext } from "../context.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { type Head, readHead } from "./head.ts";
import { keyNoteCode } from "./key-note.ts";
import { readBlocks } from "./read-blocks.ts";

type VerifyOptions = Parameters<LedgerReader["verify"]>[0] & object;

export async function verifyLedger(
  context: PostgresContext,
  sources: {
    readonly checkpoints: Checkpoints;
    readonly anchors: AnchorFiles;
    readonly spoolProblems: readonly LedgerProblem[];
  },
  options: VerifyOptions,
): Promise<LedgerVerification> {
  const { db } = context;
  const { signal, onProgress, anchorCopies = [] } = options;
  // Before the checkpoints: neither the file here nor an anchor knows one that is newer than what is looked at.
  const copies = await readAnchors(sources.anchors, anchorCopies);
  const local = sources.checkpoints.lines();
  const { lines, pems } = await readSeals(context);
  const head = await readHead(db);
  const problems: LedgerProblem[] = [];
  const wrong = (kind: LedgerProblem["kind"], seq: number | undefined, message: string) =>
    problems.push({ kind, seq, message });
  const keys = pems.length === 0 ? [] : toPublicKeys(pems.join("\n"));
  const read = readCheckpoints(lines, keys, head.ledgerId);
  const ofHere = readCheckpoints(local, keys, head.ledgerId);
  problems.push(...read.problems);
  const state = {
    ledgerId: head.ledgerId,
    publicKey: pems.length === 0 ? undefined : pems.join("\n"),
    lines,
    what: "database",
  };
  if (local.length > 0)
    problems.push(
      ...compareAnchor({ name: sources.checkpoints.file, lines: local, isExcerpt: false }, state).problems,
    );
  const verifier = new BlockVerifier(head, [...read.checkpoints, ...ofHere.checkpoints]);
  const noted = new Set<string>();
  try {
    for await (const { header, rows } of readBlocks(db, head.cutBlock, head.block)) {
      signal?.throwIfAborted();
      verifier.block(header, rows);
      for (const { body } of rows) noteKeys(body, noted);
      onProgress?.(verifier.lastSeq, head.seq);
    }
    verifier.end(head);
    await findStrays(context, head, wrong);
  } catch (error) {
    signal?.throwIfAborted();
    wrong(
      "unreadable",
      verifier.lastSeq + 1,
      `Rows after ${verifier.lastSeq} cannot be read: ${messageOf(error)}`,
    );
  }
  // Retention may have removed the front while we walked: then what was seen is no longer what is there.
  const now = await readHead(db);
  if (now.cutSeq !== head.cutSeq && now.ledgerId === head.ledgerId)
    return verifyLedger(context, sources, options);
  // The note of a key may be older than what is kept.
  if (head.cutSeq === 0)
    for (const pem of pems)
      if (!noted.has(pem))
        wrong(
          "key",
          undefined,
          "A key that checkpoints are signed with is not noted in the ledger: somebody added it.",
        );
  for (const { name, bytes } of listAside(context.stateFolder))
    wrong(
      "rejected",
      undefined,
      `aside/${name} holds ${bytes} bytes that could not be read as records. Look at them, then move the file away.`,
    );
  const compared = compareAnchors(copies, state);
  const found = [...compared.problems, ...problems, ...verifier.problems, ...sources.spoolProblems].slice(
    0,
    100,
  );
  return {
    ok: found.length === 0,
    ledgerId: head.ledgerId,
    rows: verifier.rows,
    firstSeq: head.cutSeq + 1,
    lastSeq: verifier.lastSeq,
    checkpoints: read.checkpoints.length,
    sealedSeq: verifier.sealedSeq,
    ...(compared.anchors.length > 0 && { anchors: compared.anchors }),
    problems: found,
  };
}

export async function readSeals({
  db,
}: PostgresContext): Promise<{ readonly lines: readonly string[]; readonly pems: readonly string[] }> {
  const lines = await db.look("SELECT line FROM toolgate.ledger_checkpoints ORDER BY number");
  const keys = await db.look("SELECT pem FROM toolgate.ledger_keys ORDER BY pem");
  return { lines: lines.map(({ line }) => String(line)), pems: keys.map(({ pem }) => String(pem)) };
}

function noteKeys(body: string, noted: Set<string>): void {
  if (!body.includes(keyNoteCode)) return;
  const { code, row, about } = JSON.parse(body) as JsonObject;
  if (row === "note" && code === keyNoteCode) noted.add(String((about as JsonObject | undefined)?.publicKey));
}

/** Rows and blocks before the cut, or after the head as it is now. */
async function findStrays(
  { db }: PostgresContext,
  { cutSeq, cutBlock }: Head,
  wrong: (kind: LedgerProblem["kind"], seq: number | undefined, message: string) => void,
): Promise<void> {
  const [found] = await db.look(
    `SELECT (SELECT min(l.seq) FROM toolgate.ledger l WHERE l.seq <= LEAST($1, h.cut_seq) OR l.seq > h.seq) AS row,
       (SELECT min(b.block) FROM toolgate.ledger_block b WHERE b.block <= LEAST($2, h.cut_block) OR b.block > h.block) AS block,
       h.seq AS last, h.cut_seq AS cut FROM toolgate.ledger_head h`,
    [cutSeq, cutBlock],
  );
  if (found === undefined) return;
  const { row, block, last, cut } = found;
  if (row !== null)
    wrong(
      "inserted",
      Number(row),
      `Row ${row} is there, but the ledger has rows ${Number(cut) + 1} to ${last} only.`,
    );
  if (block !== null) wrong("inserted", undefined, `Block ${block} is there, but the head does not know it.`);
}
