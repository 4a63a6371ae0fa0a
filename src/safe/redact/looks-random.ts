/** Tells a generated key from a word, a path or an identifier by its characters. */

export function looksRandom(value: string): boolean {
  if (value.length < 16 || value.length > 4_096 || !alphabet.test(value)) return false;
  if (uuid.test(value)) return false;
  const digits = count(value, /[0-9]/g);
  if (digits === 0 && !(/[a-z]/.test(value) && /[A-Z]/.test(value))) return false;
  // A path or a sentence of words has slashes or dashes between readable parts; base64 rarely has many.
  const needed = value.includes("/") ? 4.2 : /[-_.].*[-_.]/.test(value) ? 3.6 : 3;
  return entropy(value) >= needed;
}

const alphabet = /^[\w+/=.~%$!@-]+$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Shannon entropy in bits per character. */
function entropy(text: string): number {
  const seen = new Map<string, number>();
  for (const character of text) seen.set(character, (seen.get(character) ?? 0) + 1);
  let bits = 0;
  for (const times of seen.values()) bits -= (times / text.length) * Math.log2(times / text.length);
  return bits;
}
