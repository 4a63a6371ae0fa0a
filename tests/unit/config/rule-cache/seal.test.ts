import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type ByteSource, sealBytes, unsealed } from "../../../../src/config/rule-cache/seal.ts";
import { sipHash } from "../../../../src/config/rule-cache/sip-hash.ts";

const key = Buffer.from("0123456789abcdef");
const half = Buffer.concat(
  Array.from({ length: 700 }, (_, index) => createHash("sha256").update(`${index}`).digest()),
);
const rules = Buffer.concat([half, half]);

function source(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: (at, target) => bytes.copy(target, 0, at, at + target.length),
    close: () => {},
  };
}

/** How many bytes of the first half can be read, page by page. */
function readable(bytes: Buffer, by = key): number {
  const opened = unsealed(source(bytes), by);
  if (opened === undefined) return -1;
  let whole = 0;
  for (let at = 0; at < half.length; at += 100) {
    const target = Buffer.alloc(Math.min(100, half.length - at));
    const got = opened.read(at, target);
    expect(target.subarray(0, got).equals(half.subarray(at, at + got))).toBe(true);
    whole += got;
  }
  return whole;
}

describe("the tag", () => {
  it("is that of SipHash-2-4", () => {
    const counted = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index));
    const vectors = { 0: "310e0edd47db6f72", 8: "6224939a79f5f593", 15: "e545be4961ca29a1" };
    for (const [length, tag] of Object.entries(vectors))
      expect(sipHash(counted(16), counted(Number(length))).toString("hex")).toBe(tag);
  });
});

describe("sealed rules", () => {
  const good = sealBytes(rules, key, Buffer.alloc(8, 3));

  it("come back as they were", () => {
    expect(readable(good)).toBe(half.length);
  });

  it("are not believed where a bit was turned, in the rules or in the seal", () => {
    for (let at = 0; at < good.length; at += 97) {
      if (at >= half.length && at < rules.length) continue;
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      expect(readable(bytes), `byte ${at}`).toBeLessThan(half.length);
    }
  });

  it("are not believed with another key, nor with pages of another file or another place", () => {
    expect(readable(good, Buffer.from("fedcba9876543210"))).toBe(0);
    const other = sealBytes(rules, key, Buffer.alloc(8, 4));
    const mixed = Buffer.concat([good.subarray(0, rules.length + 8), other.subarray(rules.length + 8)]);
    expect(readable(mixed)).toBe(0);
    const moved = Buffer.from(good);
    good.copy(moved, 0, 512, 1024);
    good.copy(moved, rules.length + 8, rules.length + 16, rules.length + 24);
    expect(readable(moved)).toBeLessThan(half.length);
  });

  it("are none when cut, lengthened, or without a seal", () => {
    for (const length of [0, 7, 8, 100, rules.length, good.length - 1])
      expect(readable(good.subarray(0, length)), `${length}`).toBe(-1);
    expect(readable(Buffer.concat([good, Buffer.alloc(8)]))).toBe(-1);
    expect(readable(rules)).toBe(-1);
  });
});
