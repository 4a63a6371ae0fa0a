/** Reads one file for a model: a range of its lines, an image, or why it is neither. */
import { createHash } from "node:crypto";
import type { Failure } from "../../../core/call/tool-answer.ts";
import { plural } from "../../../core/text/plural.ts";
import { type FileKind, kindOfFile } from "../../../safe/files/file-kind.ts";
import type { InsideRoot } from "../../../safe/files/inside-root/inside-root.ts";
import { LineWindow, type WindowOptions, type WindowText } from "./line-window.ts";
import { type LoadedImage, loadImage } from "./load-image.ts";
import { type Encoding, TextBlocks } from "./text-blocks.ts";

export interface TextFile extends WindowText {
  readonly kind: "text";
  readonly absolute: string;
  readonly size: number;
  /** From 0. */
  readonly from: number;
  /** Of the whole file; undefined when it is too large to be read to its end. */
  readonly totalLines: number | undefined;
  /** Of the whole file; undefined when it is too large to be read to its end. */
  readonly sha256: string | undefined;
  /** Where to read on, from 0; undefined at the end of the file. */
  readonly nextOffset: number | undefined;
  /** Less than was asked for, because it was too much. */
  readonly truncated: boolean;
  readonly encoding: Encoding | "latin1";
  readonly lineEnding: "lf" | "crlf" | "cr" | "mixed";
}

export interface ReadPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** A first line that is not there is a mistake; lines that are skipped may be more than there are. */
  readonly pastEnd?: "failure" | "empty";
}

/** Up to here a file is read to its end, for hash and number of lines. Beyond, only the lines asked for. */
const maxHashedBytes = 64 * 1024 * 1024;

export async function readFile(
  files: InsideRoot,
  path: string,
  window: WindowOptions,
  place: ReadPlace,
): Promise<TextFile | LoadedImage | Failure> {
  const lines = new LineWindow(window);
  const blocks = new TextBlocks((block) => {
    lines.take(block);
    return undefined;
  });
  const hash = createHash("sha256");
  let seen = 0;
  let found: FileKind | undefined;
  const scanned = await files.scan(
    path,
    (piece) => {
      found ??= kindOfFile(piece);
      if (found.kind !== "text") return false;
      seen += piece.length;
      hash.update(piece);
      blocks.piece(piece);
      return !(lines.isFull && seen > maxHashedBytes);
    },
    place,
  );
  if (!scanned.ok) return scanned;
  if (found?.kind === "image") return loadImage(files, path, place);
  if (found?.kind === "binary") return binaryFile(path, scanned.size, found.what);
  if (scanned.atEnd) blocks.end();
  const isWhole = scanned.atEnd;
  const { from } = window;
  if (isWhole && lines.lineCount <= from && from > 0 && place.pastEnd !== "empty")
    return pastTheEnd(path, lines.lineCount, from);
  const next = from + lines.keptCount;
  const text = lines.text();
  return {
    kind: "text",
    ...text,
    absolute: scanned.absolute,
    size: scanned.size,
    from,
    totalLines: isWhole ? lines.lineCount : undefined,
    sha256: isWhole ? hash.digest("hex") : undefined,
    nextOffset: next < lines.lineCount || !isWhole ? next : undefined,
    truncated: lines.outOfSpace || text.lines.some(({ cutBytes }) => cutBytes > 0),
    encoding: text.latin1 ? "latin1" : blocks.encoding,
    lineEnding: endingOf(lines),
  };
}

function endingOf({ windowsEndings, byReturns, lineCount }: LineWindow): TextFile["lineEnding"] {
  if (byReturns) return "cr";
  if (windowsEndings === 0) return "lf";
  // The last line may have no ending at all.
  return windowsEndings >= lineCount - 1 ? "crlf" : "mixed";
}

function binaryFile(path: string, size: number, what: string): Failure {
  const message = `${JSON.stringify(path)} is ${what} (${size} bytes), not text, so it is not shown. Use a program that understands it, or read another file.`;
  return { code: "binary_file", message };
}

function pastTheEnd(path: string, total: number, from: number): Failure {
  const message = `${JSON.stringify(path)} has ${plural(total, "line")}; line ${from + 1} is past its end. The last line is ${total}.`;
  return { code: "past_the_end", message };
}
