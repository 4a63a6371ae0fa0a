// The same sequence in every run, so that a miss can be repeated.

export function createRandom(seed) {
  let state = seed >>> 0 || 1;
  const below = (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
  return {
    below,
    text: (length, alphabet) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join(""),
    one: (list) => list[below(list.length)],
  };
}
