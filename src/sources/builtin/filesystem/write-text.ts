/** Writes a range of a file for a model: numbered lines, then in brackets what is left out. */
import type { TextFile } from "./read-file.ts";

/** `byLine`: the range was asked for by startLine, so that is how to go on. */
export function writeText(
  file: TextFile,
  { lineNumbers, byLine }: { readonly lineNumbers: boolean; readonly byLine: boolean },
): string {
  // Lines were skipped until none was left: an empty text is what there is.
  if (file.lines.length === 0) return file.totalLines === 0 ? "[The file is empty.]" : "";
  const lines = file.lines.map(({ text, cutBytes }, index) => {
    const cut =
      cutBytes === 0
        ? ""
        : `… [${cutBytes === Number.POSITIVE_INFINITY ? "much" : `${cutBytes} bytes`} more in this line]`;
    return lineNumbers ? `${file.from + index + 1}\t${text}${cut}` : `${text}${cut}`;
  });
  return [...lines, ...notes(file, byLine)].join("\n");
}

/** What programs want to know; `sha256` is what a later write can name to notice that the file changed. */
export function textFacts(path: string, file: TextFile, asked: number | undefined) {
  const { from, lines, totalLines, nextOffset, sha256, size, encoding, lineEnding } = file;
  const isShort = nextOffset !== undefined && (asked === undefined || lines.length < asked);
  return {
    path,
    startLine: lines.length === 0 ? 0 : from + 1,
    endLine: lines.length === 0 ? 0 : from + lines.length,
    ...(totalLines !== undefined && { totalLines }),
    truncated: file.truncated || isShort,
    ...(nextOffset !== undefined && { nextOffset }),
    ...(sha256 !== undefined && { sha256 }),
    size,
    encoding,
    lineEnding,
  };
}

const endingNames = { crlf: "CRLF", cr: "CR", mixed: "mixed CRLF and LF" } as const;

function notes(file: TextFile, byLine: boolean): string[] {
  const { from, lines, totalLines, nextOffset, encoding, lineEnding } = file;
  const said: string[] = [];
  if (nextOffset !== undefined) {
    const of = totalLines === undefined ? "" : ` of ${totalLines}`;
    const on = byLine ? `startLine ${nextOffset + 1}` : `offset ${nextOffset}`;
    said.push(`[Lines ${from + 1}-${from + lines.length}${of}. Read on with ${on}.]`);
  }
  if (lines.length > 1 && lines.some(({ cutBytes }) => cutBytes > 0))
    said.push(`[Long lines are cut: ask for one alone${byLine ? "" : ", with limit 1,"} to see more of it.]`);
  if (encoding === "latin1") said.push("[The bytes are not UTF-8; they are shown as Latin-1.]");
  else if (encoding.startsWith("utf-16")) said.push(`[The file is ${encoding}.]`);
  if (lineEnding !== "lf") said.push(`[Line endings: ${endingNames[lineEnding]}.]`);
  return said;
}
