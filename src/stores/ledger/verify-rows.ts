/** Walks the rows of a ledger and compares them with their hashes and with the signed checkpoints. */
import type { LedgerProblem } from "../../core/ports/ledger-reader.ts";
import { type BlockHeader, blockHash, leafHash, merkleRoot } from "./blocks.ts";
import { firstHash, nextHash } from "./chain.ts";
import type { Checkpoint } from "./checkpoint.ts";

export interface ChainStart {
  readonly ledgerId: string;
  /** Rows up to this one were removed by retention; its hash. */
  readonly cutSeq: number;
  readonly cutHash: string;
}

export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

export interface ChainRow {
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

const maxProblems = 100;

/** What holds for every chain: it begins where it should, has what was signed, and ends where its head says. */
abstract class ChainVerifier {
  readonly problems: LedgerProblem[] = [];
  rows = 0;
  sealedSeq = 0;
  protected seq: number;
  protected hash: string;
  readonly #start: ChainStart;
  readonly #sealed: ReadonlyMap<number, string>;
  readonly #lastSealed: number;

  constructor(start: ChainStart, checkpoints: readonly Checkpoint[]) {
    this.#start = start;
    this.seq = start.cutSeq;
    this.hash = start.cutHash;
    const seals = checkpoints.filter(({ kind }) => kind === "checkpoint");
    this.#sealed = new Map(seals.map(({ seq, hash }) => [seq, hash]));
    this.#lastSealed = Math.max(0, ...this.#sealed.keys());
    this.#checkStart(checkpoints);
  }

  get lastSeq(): number {
    return this.seq;
  }

  /** The chain stands at this row now. */
  protected moveTo(seq: number, hash: string): void {
    this.seq = seq;
    this.hash = hash;
    const sealed = this.#sealed.get(seq);
    if (sealed === hash) this.sealedSeq = seq;
    else if (sealed !== undefined) this.notSigned(seq);
  }

  protected isSealed(seq: number): boolean {
    return this.#sealed.has(seq);
  }

  protected notSigned(seq: number): void {
    this.wrong("edited", seq, `Row ${seq} is not the one that was signed: it or a row before was changed.`);
  }

  /** `head` is what the ledger itself says about its end. */
  end(head: ChainEnd): void {
    if (this.seq < this.#lastSealed)
      this.wrong(
        "truncated",
        this.seq + 1,
        `The ledger ends with row ${this.seq}, but ${this.#lastSealed} rows were signed: the end was removed.`,
      );
    if (head.seq !== this.seq || head.hash !== this.hash)
      this.wrong(
        "truncated",
        this.seq,
        `The ledger's head says row ${head.seq}, the last row is ${this.seq}: rows were removed or added at the end.`,
      );
  }

  #checkStart(checkpoints: readonly Checkpoint[]): void {
    const { cutSeq, cutHash, ledgerId } = this.#start;
    if (cutSeq === 0) {
      if (cutHash !== firstHash(ledgerId))
        this.wrong("replaced", undefined, "The start of the chain does not belong to this ledger.");
      return;
    }
    const isSigned = checkpoints.some(
      ({ kind, seq, hash }) => kind === "cut" && seq === cutSeq && hash === cutHash,
    );
    if (!isSigned)
      this.wrong(
        "missing",
        cutSeq,
        `Rows up to ${cutSeq} are gone, and no signed note says that they were removed.`,
      );
  }

  protected wrong(kind: LedgerProblem["kind"], seq: number | undefined, message: string): void {
    if (this.problems.length < maxProblems) this.problems.push({ kind, seq, message });
  }
}

export class RowVerifier extends ChainVerifier {
  row({ seq, hash, body }: ChainRow, explainWrong?: string): void {
    this.rows += 1;
    const expected = this.seq + 1;
    if (seq > expected) this.wrong("missing", expected, `Rows ${expected} to ${seq - 1} are missing.`);
    else if (seq < expected) this.wrong("inserted", seq, `Row ${seq} is there where ${expected} should be.`);
    else if (nextHash(this.hash, seq, body) !== hash)
      this.wrong("edited", seq, `Row ${seq}, or the hash before it, was changed.`);
    if (explainWrong !== undefined) this.wrong("edited", seq, explainWrong);
    this.moveTo(seq, hash);
  }
}

export interface ChainBlock extends BlockHeader {
  /** Hash of the block before. */
  readonly before: string;
  readonly hash: string;
}

/** A ledger whose rows are chained in blocks. */
export class BlockVerifier extends ChainVerifier {
  #block: number;

  constructor(start: ChainStart & { readonly cutBlock: number }, checkpoints: readonly Checkpoint[]) {
    super(start, checkpoints);
    this.#block = start.cutBlock;
  }

  get lastBlock(): number {
    return this.#block;
  }

  /** `rows`: those that are there of its numbers, in order. `explainWrong`: what is wrong with a row itself. */
  block(header: ChainBlock, rows: readonly (ChainRow & { readonly wrong?: string | undefined })[]): void {
    const { block, firstSeq, hash } = header;
    const lastSeq = firstSeq + header.rows - 1;
    this.rows += rows.length;
    const expected = this.#block + 1;
    if (block !== expected) this.wrong("missing", firstSeq, `Block ${expected} is missing.`);
    else if (firstSeq !== this.seq + 1)
      this.wrong(
        "missing",
        this.seq + 1,
        `Block ${block} begins with row ${firstSeq}, not with ${this.seq + 1}.`,
      );
    else if (header.before !== this.hash || blockHash(header.before, header) !== hash)
      this.wrong("edited", firstSeq, `Block ${block}, or the hash before it, was changed.`);
    this.#checkRows(header, rows);
    for (const { seq, wrong } of rows) if (wrong !== undefined) this.wrong("edited", seq, wrong);
    // Only the ends of blocks are signed.
    for (const { seq } of rows) if (seq < lastSeq && this.isSealed(seq)) this.notSigned(seq);
    this.#block = block;
    this.moveTo(Math.max(this.seq, lastSeq), hash);
  }

  #checkRows({ block, firstSeq, rows: count, root }: ChainBlock, rows: readonly ChainRow[]): void {
    const missing = rows.findIndex(({ seq }, index) => seq !== firstSeq + index);
    if (rows.length !== count || missing !== -1) {
      const seq = firstSeq + (missing === -1 ? rows.length : missing);
      this.wrong("missing", seq, `Row ${seq} of block ${block} is missing.`);
      return;
    }
    const leaves = rows.map(({ body }) => leafHash(body));
    for (const [index, leaf] of leaves.entries()) {
      const row = rows[index] as ChainRow;
      if (leaf.toString("hex") !== row.hash) this.wrong("edited", row.seq, `Row ${row.seq} was changed.`);
    }
    if (merkleRoot(leaves) !== root)
      this.wrong(
        "edited",
        firstSeq,
        `Rows ${firstSeq} to ${firstSeq + count - 1} are not those of block ${block}.`,
      );
  }
}
