/** Reads a unified diff as git and diff -u write it, and as models do: with wrong counts in the headers. */
import {
  type FilePair,
  patchLines,
  readFilePair,
  readGitMove,
  readGitPair,
} from "../../../../core/input/patch-headers.ts";
import { type Hunk, readHunk } from "./hunk.ts";
import { type PatchOperation, type ReadPatch, wrongAt } from "./operations.ts";

export function readUnifiedDiff(text: string): ReadPatch {
  const lines = patchLines(text);
  const operations: PatchOperation[] = [];
  const notes: string[] = [];
  for (let at = 0; at < lines.length; ) {
    if (!startsFile(lines, at)) {
      at += 1;
      continue;
    }
    const file = readFile(lines, at);
    if ("ok" in file) return file;
    const operation = toOperation(file, at, notes);
    if (operation !== undefined && "ok" in operation) return operation;
    if (operation !== undefined) operations.push(operation);
    at = file.next;
  }
  if (operations.length > 0) return { ok: true, operations, notes };
  return { ok: false, message: notes[0] ?? "The patch changes no file." };
}

export function startsFile(lines: readonly string[], at: number): boolean {
  return lines[at]!.startsWith("diff --git ") || readFilePair(lines[at]!, lines[at + 1]) !== undefined;
}

interface DiffFile {
  readonly git: FilePair | undefined;
  readonly pair: FilePair | undefined;
  readonly moved: { verb?: "rename" | "copy"; from?: string; to?: string };
  readonly headers: readonly string[];
  readonly hunks: readonly Hunk[];
  readonly next: number;
}

function readFile(lines: readonly string[], start: number): DiffFile | ReadPatch {
  let at = start;
  let git: FilePair | undefined;
  const moved: DiffFile["moved"] = {};
  const headers: string[] = [];
  if (lines[at]!.startsWith("diff --git ")) {
    git = readGitPair(lines[at]!);
    at += 1;
    for (; at < lines.length && !startsFile(lines, at) && !lines[at]!.startsWith("@@"); at += 1) {
      const line = lines[at]!;
      if (line.trim() === "") break;
      if (/^(?:GIT binary patch|Binary files )/.test(line))
        return wrongAt(at, "it changes a binary file, which cannot be applied here. Use a git command.");
      const move = readGitMove(line);
      if (move !== undefined) {
        moved.verb = move.verb;
        moved[move.end] = move.path;
      }
      headers.push(line);
    }
  }
  const pair = at < lines.length ? readFilePair(lines[at]!, lines[at + 1]) : undefined;
  if (pair !== undefined) at += 2;
  const hunks: Hunk[] = [];
  while (at < lines.length && lines[at]!.startsWith("@@")) {
    const hunk = readHunk(lines, at);
    if (typeof hunk === "string") return wrongAt(at, hunk);
    hunks.push(hunk);
    at = hunk.next;
  }
  return { git, pair, moved, headers, hunks, next: Math.max(at, start + 1) };
}

function toOperation(
  { git, pair, moved, headers, hunks }: DiffFile,
  at: number,
  notes: string[],
): PatchOperation | ReadPatch | undefined {
  const header = (name: string) =>
    headers
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1)
      .trim();
  const special = [header("new file mode"), header("new mode")].find((mode) =>
    /^1[26]0000$/.test(mode ?? ""),
  );
  if (special !== undefined) return wrongAt(at, "it makes a link or a submodule, which is not done here.");
  const added = header("new file mode");
  const names = pair ?? git;
  if (moved.from !== undefined && moved.to !== undefined) {
    const keep = moved.verb === "copy" ? { keep: true } : {};
    return { kind: "update", path: moved.from, moveTo: moved.to, chunks: hunks, ...keep };
  }
  if (names === undefined) return wrongAt(at, "its file names cannot be read.");
  const { from, to } = names;
  const path = to ?? from;
  if (path === undefined || path === "") return wrongAt(at, "it names no file.");
  if (from === undefined || added !== undefined) {
    const mode = added?.endsWith("755") === true ? { mode: 0o755 } : {};
    return { kind: "add", path, text: textOf(hunks, "+"), ...mode };
  }
  if (to === undefined || header("deleted file mode") !== undefined)
    return { kind: "delete", path: from, text: textOf(hunks, "-") };
  if (from !== to) {
    const names = `${JSON.stringify(from)} and ${JSON.stringify(to)}`;
    return wrongAt(at, `it names two files, ${names}, without saying "rename from" and "rename to".`);
  }
  if (hunks.length > 0) return { kind: "update", path, chunks: hunks };
  if (header("new mode") === undefined) return wrongAt(at, `${JSON.stringify(path)} has no lines to change.`);
  notes.push(`The file mode of ${path} was not changed: use a command for that.`);
  return undefined;
}

/** The whole text of a file that appears or goes. */
function textOf(hunks: readonly Hunk[], sign: "+" | "-"): string {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => line.sign === sign));
  const last = hunks.at(-1);
  const bare = (sign === "+" ? last?.newEndsBare : last?.oldEndsBare) === true;
  const text = lines.map((line) => `${line.text}\n`).join("");
  return bare ? text.slice(0, -1) : text;
}
