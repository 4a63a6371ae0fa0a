/**
 * A chain of blocks: rows that were written together are the leaves of a Merkle tree (RFC 6962), and the hash of a
 * block covers its root, its numbers and the block before. A row is proven by its path, and no row, block or end can
 * be changed alone.
 */
import { createHash, hash } from "node:crypto";

/** What the hash of a block is of, besides the block before. */
export interface BlockHeader {
  readonly block: number;
  readonly firstSeq: number;
  readonly rows: number;
  /** Hexadecimal. */
  readonly root: string;
  /** When it was written, by the clock of the database; never falls. */
  readonly at: number;
  readonly writer: string;
  /** The writer's own number of it: the same block sent twice is one. */
  readonly writerBlock: number;
}

const leafMark = Buffer.of(0);
const nodeMark = Buffer.of(1);

/** Leaves and nodes are told apart, so no node can be shown as a row. */
export function leafHash(body: string): Buffer {
  return createHash("sha256").update(leafMark).update(body, "utf8").digest();
}

/** Of at least one leaf. */
export function merkleRoot(leaves: readonly Buffer[]): string {
  let level = leaves;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at] as Buffer, level[at + 1]];
      // One without a partner goes up as it is.
      above.push(right === undefined ? left : nodeHash(left, right));
    }
    level = above;
  }
  return (level[0] ?? Buffer.alloc(0)).toString("hex");
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash("sha256").update(nodeMark).update(left).update(right).digest();
}

/** The database computes the same: see `append` of the PostgreSQL store. */
export function blockHash(before: string, header: BlockHeader): string {
  const { block, firstSeq, rows, root, at, writer, writerBlock } = header;
  const parts = [blockMark, before, block, firstSeq, rows, root, at, writer, writerBlock];
  return hash("sha256", parts.join("\n"), "hex");
}

export const blockMark = "toolgate block 1";
