/** Gives new text the byte order mark and the line endings of the text that it replaces. */

const byteOrderMark = "\ufeff";

export function keepTextShape(original: string, newText: string): string {
  const hadMark = original.startsWith(byteOrderMark);
  const before = hadMark ? original.slice(1) : original;
  const after = newText.startsWith(byteOrderMark) ? newText.slice(1) : newText;
  return `${hadMark || (original === "" && newText !== after) ? byteOrderMark : ""}${withEndingsOf(before, after)}`;
}

function withEndingsOf(before: string, after: string): string {
  const windows = count(before, /\r\n/g);
  const all = count(before, /\n/g);
  // A file of the old kind ends its lines with carriage returns alone.
  if (all === 0) return before.includes("\r") ? after.replace(/\r?\n/g, "\r") : after;
  if (windows === 0) return after.replaceAll("\r\n", "\n");
  if (windows === all) return after.replace(/\r?\n/g, "\r\n");
  return withMixedEndings(before, after, windows * 2 >= all ? "\r\n" : "\n");
}

/**
 * Lines before and after the change keep the ending each of them had; changed lines get the more common one.
 */
function withMixedEndings(before: string, after: string, common: string): string {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head]!.text === fresh[head]!.text) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail)!.text === fresh.at(-1 - tail)!.text) tail += 1;
  return fresh
    .map(({ text, ending }, index) => {
      if (ending === "") return text;
      const fromEnd = fresh.length - index;
      const kept = index < head ? old[index] : fromEnd <= tail ? old[old.length - fromEnd] : undefined;
      return text + (kept?.ending || common);
    })
    .join("");
}

function linesOf(text: string): { readonly text: string; readonly ending: string }[] {
  return text.split(/(?<=\n)/).map((line) => {
    const ending = line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : "";
    return { text: line.slice(0, line.length - ending.length), ending };
  });
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
