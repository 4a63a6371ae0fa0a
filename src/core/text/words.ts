/** Lists that are long and plain are written as one text, a blank between two words. */

export function words(text: string): readonly string[] {
  return text.split(" ");
}

/** One entry of a table for each word. */
export function eachWord<Value>(text: string, value: Value): [string, Value][] {
  return text.split(" ").map((word) => [word, value]);
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
