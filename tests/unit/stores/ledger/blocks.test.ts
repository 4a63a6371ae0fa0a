import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockHash, leafHash, merkleRoot } from "../../../../src/stores/ledger/blocks.ts";

const sha = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

/** RFC 6962, 2.1, word by word. */
function treeHash(leaves: readonly string[]): Buffer {
  if (leaves.length === 1) return sha(Buffer.of(0), Buffer.from(leaves[0] ?? ""));
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha(Buffer.of(1), treeHash(leaves.slice(0, half)), treeHash(leaves.slice(half)));
}

describe("the root of a block", () => {
  it("is that of RFC 6962 for any number of rows", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 70 }), (rows) => {
        expect(merkleRoot(rows.map(leafHash))).toBe(treeHash(rows).toString("hex"));
      }),
      { numRuns: 200 },
    );
  });

  it("and every number of the block are covered by its hash", () => {
    const header = { block: 1, firstSeq: 2, rows: 3, root: "r", at: 4, writer: "w", writerBlock: 5 };
    const hash = blockHash("before", header);
    expect(blockHash("other", header)).not.toBe(hash);
    for (const [key, value] of Object.entries(header))
      expect(blockHash("before", { ...header, [key]: `${value}0` }), key).not.toBe(hash);
  });
});
