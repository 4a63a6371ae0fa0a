/** Reads the format that begins with "*** Begin Patch". */
import { patchLines, readSection } from "../../../../core/input/patch-headers.ts";
import {
  type Chunk,
  type PatchLine,
  type PatchOperation,
  quote,
  type ReadPatch,
  wrongAt,
} from "./operations.ts";

export function readBeginPatch(text: string): ReadPatch {
  const lines = patchLines(text);
  const first = lines.findIndex((line) => isMarker(line, "Begin Patch"));
  const last = lines.findLastIndex((line) => isMarker(line, "End Patch"));
  if (last <= first) return { ok: false, message: 'The patch has no line "*** End Patch"; was it cut off?' };
  const stray = [...lines.keys()].find(
    (index) => (index < first || index > last) && !isWrapper(lines[index]!),
  );
  if (stray !== undefined) return wrongAt(stray, `${quote(lines[stray]!)} stands outside of the patch.`);
  const operations: PatchOperation[] = [];
  for (let at = first + 1; at < last; ) {
    if (lines[at]!.trim() === "") {
      at += 1;
      continue;
    }
    const section = readSection(lines[at]!);
    if (section === undefined || section.kind === "move") return wrongAt(at, expected(lines[at]!));
    const { kind, path } = section;
    const read =
      kind === "delete"
        ? { operation: { kind, path }, next: at + 1 }
        : (kind === "add" ? readAdd : readUpdate)(lines, at + 1, last, path);
    if ("ok" in read) return read;
    operations.push(read.operation);
    at = read.next;
  }
  if (operations.length === 0) return { ok: false, message: "The patch names no file." };
  return { ok: true, operations, notes: [] };
}

export function isMarker(line: string, name: string): boolean {
  return line.trim().toLowerCase() === `*** ${name.toLowerCase()}`;
}

/** What shells and chats put around a patch. */
function isWrapper(line: string): boolean {
  return /^(?:|```\w*|(?:apply_patch\s*)?<<-?\s*["']?\w+["']?|apply_patch\s*["']?|\w*EOF|["'])$/.test(
    line.trim(),
  );
}

interface Section {
  readonly operation: PatchOperation;
  readonly next: number;
}

function readAdd(lines: readonly string[], start: number, last: number, path: string): Section {
  let text = "";
  let blank = "";
  let next = start;
  for (; next < last; next += 1) {
    const line = lines[next]!;
    // A blank line without its + counts only between lines that have one.
    if (line.trim() === "") blank += "\n";
    else if (line.startsWith("+")) {
      text += `${blank}${line.slice(1)}\n`;
      blank = "";
    } else break;
  }
  return { operation: { kind: "add", path, text }, next };
}

function readUpdate(
  lines: readonly string[],
  start: number,
  last: number,
  path: string,
): Section | ReadPatch {
  let at = start;
  const move = readSection(lines[at] ?? "");
  if (move?.kind === "move") at += 1;
  const chunks: Chunk[] = [];
  let open = newChunk();
  const close = () => {
    const chunk = closeChunk(open);
    if (chunk !== undefined) chunks.push(chunk);
    open = newChunk();
  };
  for (; at < last; at += 1) {
    const line = lines[at]!;
    const sign = line[0] ?? "";
    if (sign === " " || sign === "+" || sign === "-") {
      if (open.atEnd) close();
      open.lines.push({ sign, text: line.slice(1) });
    } else if (line === "") open.lines.push(blankLine);
    else if (line.startsWith("@@")) {
      if (open.lines.some((one) => one !== blankLine)) close();
      open.lines = [];
      readAnchor(line, open);
    } else if (isMarker(line, "End of File")) open.atEnd = true;
    else if (readSection(line) !== undefined) break;
    else return wrongAt(at, `${quote(line)} must begin with a space, + or - (or with @@).`);
  }
  close();
  const moveTo = move?.kind === "move" ? { moveTo: move.path } : {};
  if (chunks.length === 0 && move?.kind !== "move")
    return wrongAt(start - 1, `${JSON.stringify(path)} has no lines to change.`);
  return { operation: { kind: "update", path, chunks, ...moveTo }, next: at };
}

/** A blank line that lost its space; at the end of a chunk it only sets it apart. */
const blankLine: PatchLine = { sign: " ", text: "" };

interface OpenChunk {
  lines: PatchLine[];
  anchors: string[];
  oldStart?: number;
  atEnd: boolean;
}

function newChunk(): OpenChunk {
  return { lines: [], anchors: [], atEnd: false };
}

/** `@@ class A` names a line above; `@@ -10,6 +10,7 @@` is the other format's and tells where. */
function readAnchor(line: string, open: OpenChunk): void {
  const numbers = /^@@\s*-(\d+)(?:,\d+)?\s+\+\d+(?:,\d+)?\s*@@/.exec(line);
  if (numbers !== null) {
    open.oldStart = Number(numbers[1]);
    return;
  }
  const said = line.slice(2).trimEnd();
  const anchor = (said.endsWith("@@") ? said.slice(0, -2).trimEnd() : said).replace(/^ /, "");
  if (anchor.trim() !== "") open.anchors.push(anchor);
}

function closeChunk({ lines, ...rest }: OpenChunk): Chunk | undefined {
  const kept = [...lines];
  while (kept.at(-1) === blankLine) kept.pop();
  while (kept[0] === blankLine) kept.shift();
  if (kept.every(({ sign }) => sign === " ")) return undefined;
  return { ...rest, lines: kept };
}

function expected(line: string): string {
  const hint = /^(?:---|\+\+\+|diff --git) /.test(line)
    ? " A unified diff is also taken, but without the lines Begin Patch and End Patch."
    : "";
  return `expected "*** Add File: ...", "*** Update File: ..." or "*** Delete File: ...", not ${quote(line)}.${hint}`;
}
