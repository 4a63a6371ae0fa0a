/**
 * A line of JSON with its length and sum as the last member, so that whoever reads it later can tell a whole
 * one from a torn one. For a process that lives for one call: loading a library for the sum would take longer
 * than the sum.
 */

/** `json`: an object with at least one member. */
export function summedLine(json: string): string {
  const facts = json.slice(0, -1);
  const bytes = new TextEncoder().encode(facts);
  return `${facts},"sum":"${bytes.length}-${crc32(bytes).toString(16).padStart(8, "0")}"}`;
}

/** As zlib computes it. */
function crc32(bytes: Uint8Array): number {
  const table = makeTable();
  let sum = 0xffff_ffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] as number);
  return (sum ^ 0xffff_ffff) >>> 0;
}

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
    return value;
  });
}
