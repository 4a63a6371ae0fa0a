/** What a journal says: the files as they were, and the hashes of what they become. Enough to go back. */
import { createHash } from "node:crypto";

export interface JournalFile {
  readonly absolute: string;
  /** Undefined: there was no file. */
  readonly before: { readonly bytes: Buffer; readonly mode: number } | undefined;
  /** The sha256 of the new contents. Undefined: the file goes. */
  readonly afterHash: string | undefined;
}

export interface JournalRecord {
  readonly id: string;
  readonly roots: readonly string[];
  readonly files: readonly JournalFile[];
  /** Directories that did not exist before, outer ones first. */
  readonly newDirectories: readonly string[];
}

interface Header {
  readonly version: 1;
  readonly id: string;
  readonly roots: readonly string[];
  readonly newDirectories: readonly string[];
  readonly files: readonly {
    readonly absolute: string;
    readonly before: { readonly size: number; readonly mode: number; readonly hash: string } | null;
    readonly afterHash: string | null;
  }[];
}

/** One line of JSON, then the old contents one after the other. */
export function encodeRecord({ id, roots, files, newDirectories }: JournalRecord): Buffer {
  const header: Header = {
    version: 1,
    id,
    roots,
    newDirectories,
    files: files.map(({ absolute, before, afterHash }) => ({
      absolute,
      before:
        before === undefined
          ? null
          : { size: before.bytes.length, mode: before.mode, hash: hashOf(before.bytes) },
      afterHash: afterHash ?? null,
    })),
  };
  const contents = files.flatMap(({ before }) => (before === undefined ? [] : [before.bytes]));
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...contents]);
}

/** Throws on anything that we did not write ourselves in full. */
export function decodeRecord(bytes: Buffer): JournalRecord {
  const { id, roots, newDirectories, files, end } = readHeader(bytes);
  let at = end;
  const decoded = files.map(({ absolute, before, afterHash }) => {
    if (before === null) return { absolute, before: undefined, afterHash: afterHash ?? undefined };
    const contents = bytes.subarray(at, at + before.size);
    at += before.size;
    if (hashOf(contents) !== before.hash) throw new Error(`the old contents of ${absolute} are damaged`);
    return { absolute, before: { bytes: contents, mode: before.mode }, afterHash: afterHash ?? undefined };
  });
  return { id, roots, newDirectories, files: decoded };
}

/** Only which files it is about. */
export function pathsOfRecord(bytes: Buffer): readonly string[] {
  return readHeader(bytes).files.map(({ absolute }) => absolute);
}

function readHeader(bytes: Buffer): Header & { readonly end: number } {
  const end = bytes.indexOf(10);
  if (end === -1) throw new Error("it ends within its first line");
  const header = JSON.parse(bytes.toString("utf8", 0, end)) as Header;
  if (header.version !== 1 || !Array.isArray(header.files)) throw new Error("it is of another version");
  return { ...header, end: end + 1 };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
