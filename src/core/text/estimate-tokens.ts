/** About how many tokens a model counts for a text: cheap, and rather too many than too few. */

/**
 * Counts as tokenizers of the o200k kind cut: a run of letters with the space before it is a token for each
 * ten letters, digits and marks go by three, and other alphabets by the character. On JSON of tool
 * definitions it lies up to a tenth above the true count.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let kind = space;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const next = kindOf(text.charCodeAt(at));
    // `pageSize` is two words; `URL` is one.
    const goesOn = next === kind || (kind === upper && next === lower);
    if (goesOn) run++;
    else {
      tokens += tokensOf(kind, run);
      run = 1;
    }
    kind = next;
  }
  return tokens + tokensOf(kind, run);
}

const space = 0;
const lower = 1;
const upper = 2;
const digit = 3;
const mark = 4;
const other = 5;

function kindOf(code: number): number {
  if (code > 127) return other;
  if (code >= 97 && code <= 122) return lower;
  if (code <= 32) return space;
  if (code >= 65 && code <= 90) return upper;
  return code >= 48 && code <= 57 ? digit : mark;
}

function tokensOf(kind: number, length: number): number {
  if (length === 0) return 0;
  // Real words are known whole; what is longer is no word, and is cut into small pieces.
  if (kind === lower) return Math.ceil(length / (length <= 16 ? 10 : 4));
  if (kind === upper) return Math.ceil(length / 4);
  if (kind === digit) return Math.ceil(length / 3);
  if (kind === mark) return Math.ceil(length / 3);
  // One space belongs to the word behind it.
  return kind === space ? Math.ceil((length - 1) / 8) : length;
}
