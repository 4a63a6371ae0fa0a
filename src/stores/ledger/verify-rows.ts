/** Walks the rows of a ledger and compares them with their hashes and with the signed checkpoints. */
import type { LedgerProblem } from "../../core/ports/ledger-reader.ts";
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

export class RowVerifier {
  readonly problems: LedgerProblem[] = [];
  rows = 0;
  sealedSeq = 0;
  #seq: number;
  #hash: string;
  readonly #start: ChainStart;
  readonly #sealed: ReadonlyMap<number, string>;
  readonly #lastSealed: number;

  constructor(start: ChainStart, checkpoints: readonly Checkpoint[]) {
    this.#start = start;
    this.#seq = start.cutSeq;
    this.#hash = start.cutHash;
    const seals = checkpoints.filter(({ kind }) => kind === "checkpoint");
    this.#sealed = new Map(seals.map(({ seq, hash }) => [seq, hash]));
    this.#lastSealed = Math.max(0, ...this.#sealed.keys());
    this.#checkStart(checkpoints);
  }

  get lastSeq(): number {
    return this.#seq;
  }

  row({ seq, hash, body }: ChainRow, explainWrong?: string): void {
    this.rows += 1;
    const expected = this.#seq + 1;
    if (seq > expected) this.#wrong("missing", expected, `Rows ${expected} to ${seq - 1} are missing.`);
    else if (seq < expected) this.#wrong("inserted", seq, `Row ${seq} is there where ${expected} should be.`);
    else if (nextHash(this.#hash, seq, body) !== hash)
      this.#wrong("edited", seq, `Row ${seq}, or the hash before it, was changed.`);
    if (explainWrong !== undefined) this.#wrong("edited", seq, explainWrong);
    this.#seq = seq;
    this.#hash = hash;
    const sealed = this.#sealed.get(seq);
    if (sealed === undefined) return;
    if (sealed === hash) this.sealedSeq = seq;
    else
      this.#wrong(
        "edited",
        seq,
        `Row ${seq} is not the one that was signed: it or a row before was changed.`,
      );
  }

  /** `head` is what the ledger itself says about its end. */
  end(head: ChainEnd): void {
    if (this.#seq < this.#lastSealed)
      this.#wrong(
        "truncated",
        this.#seq + 1,
        `The ledger ends with row ${this.#seq}, but ${this.#lastSealed} rows were signed: the end was removed.`,
      );
    if (head.seq !== this.#seq || head.hash !== this.#hash)
      this.#wrong(
        "truncated",
        this.#seq,
        `The ledger's head says row ${head.seq}, the last row is ${this.#seq}: rows were removed or added at the end.`,
      );
  }

  #checkStart(checkpoints: readonly Checkpoint[]): void {
    const { cutSeq, cutHash, ledgerId } = this.#start;
    if (cutSeq === 0) {
      if (cutHash !== firstHash(ledgerId))
        this.#wrong("replaced", undefined, "The start of the chain does not belong to this ledger.");
      return;
    }
    const isSigned = checkpoints.some(
      ({ kind, seq, hash }) => kind === "cut" && seq === cutSeq && hash === cutHash,
    );
    if (!isSigned)
      this.#wrong(
        "missing",
        cutSeq,
        `Rows up to ${cutSeq} are gone, and no signed note says that they were removed.`,
      );
  }

  #wrong(kind: LedgerProblem["kind"], seq: number | undefined, message: string): void {
    if (this.problems.length < maxProblems) this.problems.push({ kind, seq, message });
  }
}
