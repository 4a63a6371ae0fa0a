/** A short name for a text, the same in every process; only to tell texts apart. */

/**
 * Nothing may be trusted because of it: whoever can choose the text can make two that agree. `node:crypto` would
 * cost a hook more than all the rest. Code is slow the first time it runs, so two characters are taken at a time.
 */
export function shortHash(text: string): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 2) {
    const both = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
    one = Math.imul(one ^ both, 2_654_435_761);
    other = Math.imul(other ^ both ^ (one >>> 15), 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return (one >>> 0).toString(16) + (other >>> 0).toString(16);
}
