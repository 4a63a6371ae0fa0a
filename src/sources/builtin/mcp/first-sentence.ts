/** What a description says first, which is what the tool is for. */

/** On one line. A sentence of a few letters (`Note.`) is not taken for the whole. */
export function firstSentence(description: string): string {
  const line = description.trim().replace(/\s+/g, " ");
  return /^.{20,}?[.!?](?= )/u.exec(line)?.[0] ?? line;
}
