/** For lists of names that a reader takes in by the line: a text in place of one quoted name on each line. */
export function words(text: string): string[] {
  return text.split(/[ \n]+/).filter((word) => word !== "");
}
