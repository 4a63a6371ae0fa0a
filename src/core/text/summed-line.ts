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

/** As zlib computes it, by half bytes: a table for whole ones takes longer to make than a line to sum. */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    sum = (sum >>> 4) ^ (ofHalf[(sum ^ byte) & 0xf] as number);
    sum = (sum >>> 4) ^ (ofHalf[(sum ^ (byte >>> 4)) & 0xf] as number);
  }
  return (sum ^ 0xffff_ffff) >>> 0;
}

const ofHalf = [
  0, 0x1db7_1064, 0x3b6e_20c8, 0x26d9_30ac, 0x76dc_4190, 0x6b6b_51f4, 0x4db2_6158, 0x5005_713c, 0xedb8_8320,
  0xf00f_9344, 0xd6d6_a3e8, 0xcb61_b38c, 0x9b64_c2b0, 0x86d3_d2d4, 0xa00a_e278, 0xbdbd_f21c,
];
