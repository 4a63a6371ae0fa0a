/** A pattern that finds one of these texts, the first that fits. */
export function anyOf(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
}
