/**
 * SipHash-2-4: sixteen secret bytes and any text make eight bytes that nobody can make without the secret. In
 * plain JavaScript, because loading `node:crypto` costs the hook more than everything else. In one loop over
 * plain numbers, because it runs cold.
 */
export function sipHash(key: Buffer, data: Uint8Array): Buffer {
  const bytes = new Uint8Array(paddedLength(data.length));
  bytes.set(data);
  bytes[bytes.length - 1] = data.length & 0xff;
  return sipHashOf(key, new Int32Array(bytes.buffer));
}

/** The last byte is the length. In the byte order of this machine: whoever made a tag here checks it here. */
export function paddedLength(bytes: number): number {
  return (bytes & ~7) + 8;
}

/** Of data that is padded already. */
export function sipHashOf(key: Buffer, words: Int32Array): Buffer {
  const k0 = key.readInt32LE(0);
  const k1 = key.readInt32LE(4);
  const k2 = key.readInt32LE(8);
  const k3 = key.readInt32LE(12);
  // Four numbers of 64 bits as pairs of halves.
  let al = k0 ^ 0x70736575;
  let ah = k1 ^ 0x736f6d65;
  let bl = k2 ^ 0x6e646f6d;
  let bh = k3 ^ 0x646f7261;
  let cl = k0 ^ 0x6e657261;
  let ch = k1 ^ 0x6c796765;
  let dl = k2 ^ 0x79746573;
  let dh = k3 ^ 0x74656462;
  let sum = 0;
  let kept = 0;
  // Two rounds for each pair of words, four to end with.
  const steps = words.length + 4;
  for (let step = 0; step < steps; step++) {
    const isData = step < words.length;
    if (isData && (step & 1) === 0) {
      dl ^= words[step] as number;
      dh ^= words[step + 1] as number;
    } else if (step === words.length) cl ^= 0xff;
    sum = (al >>> 0) + (bl >>> 0);
    ah = (ah + bh + (sum > 0xffffffff ? 1 : 0)) | 0;
    al = sum | 0;
    kept = bl;
    bl = ((bl << 13) | (bh >>> 19)) ^ al;
    bh = ((bh << 13) | (kept >>> 19)) ^ ah;
    kept = al;
    al = ah;
    ah = kept;
    sum = (cl >>> 0) + (dl >>> 0);
    ch = (ch + dh + (sum > 0xffffffff ? 1 : 0)) | 0;
    cl = sum | 0;
    kept = dl;
    dl = ((dl << 16) | (dh >>> 16)) ^ cl;
    dh = ((dh << 16) | (kept >>> 16)) ^ ch;
    sum = (al >>> 0) + (dl >>> 0);
    ah = (ah + dh + (sum > 0xffffffff ? 1 : 0)) | 0;
    al = sum | 0;
    kept = dl;
    dl = ((dl << 21) | (dh >>> 11)) ^ al;
    dh = ((dh << 21) | (kept >>> 11)) ^ ah;
    sum = (cl >>> 0) + (bl >>> 0);
    ch = (ch + bh + (sum > 0xffffffff ? 1 : 0)) | 0;
    cl = sum | 0;
    kept = bl;
    bl = ((bl << 17) | (bh >>> 15)) ^ cl;
    bh = ((bh << 17) | (kept >>> 15)) ^ ch;
    kept = cl;
    cl = ch;
    ch = kept;
    if (isData && (step & 1) === 1) {
      al ^= words[step - 1] as number;
      ah ^= words[step] as number;
    }
  }
  const tag = Buffer.alloc(8);
  tag.writeInt32LE(al ^ bl ^ cl ^ dl, 0);
  tag.writeInt32LE(ah ^ bh ^ ch ^ dh, 4);
  return tag;
}
