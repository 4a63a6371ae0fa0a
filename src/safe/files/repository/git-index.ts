/** Reads git's index: which files it tracks, and which of them are repositories of their own (submodules). */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface TrackedFile {
  readonly path: string;
  readonly isRepository: boolean;
}

/** Undefined: too large, or not a form that is known. */
export function readIndex(gitDir: string): readonly TrackedFile[] | undefined {
  const files: TrackedFile[] = [];
  for (const content of contentsOf(gitDir) ?? [undefined]) {
    const found = content === undefined ? undefined : parseIndex(content);
    if (found === undefined) return undefined;
    files.push(...found);
  }
  return files;
}

/** The same for repositories alone. Nearly always there are none, so names become text late. */
export function repositoriesInIndex(gitDir: string): readonly string[] | undefined {
  const contents = contentsOf(gitDir);
  if (contents === undefined) return undefined;
  const found = contents.map((content) => holdsRepository(content, 20) ?? holdsRepository(content, 32));
  if (found.includes(undefined)) return undefined;
  if (!found.includes(true)) return [];
  return readIndex(gitDir)
    ?.filter(({ isRepository }) => isRepository)
    .map(({ path }) => path);
}

/**
 * Of all its files together: half a million tracked files. Whoever asks waits for it, and so does everybody
 * else on a server.
 */
const maxBytes = 64 * 1024 * 1024;

/** A split index keeps most of its entries in a shared file. */
function contentsOf(gitDir: string): readonly Buffer[] | undefined {
  try {
    const names = readdirSync(gitDir).filter((name) => name === "index" || name.startsWith("sharedindex."));
    const files = names.map((name) => join(gitDir, name));
    const stats = files.map((file) => statSync(file));
    const bytes = stats.reduce((sum, { size }) => sum + size, 0);
    if (bytes > maxBytes || stats.some((one) => !one.isFile())) return undefined;
    return files.map((file) => readFileSync(file));
  } catch {
    return undefined;
  }
}

function parseIndex(content: Buffer): readonly TrackedFile[] | undefined {
  // Ids are 20 bytes long, or 32; nothing in the file says so, but only one of them fits.
  return parseEntries(content, 20) ?? parseEntries(content, 32);
}

function parseEntries(content: Buffer, idBytes: number): readonly TrackedFile[] | undefined {
  const files: TrackedFile[] = [];
  let before = "";
  const isWhole = eachEntry(content, idBytes, ({ mode, nameAt, nameEnd, dropped }) => {
    if (dropped !== undefined && dropped > before.length) return false;
    const kept = dropped === undefined ? "" : before.slice(0, before.length - dropped);
    // Byte for byte, because an entry takes over bytes of the one before it.
    before = kept + content.toString("latin1", nameAt, nameEnd);
    files.push({
      path: Buffer.from(before, "latin1").toString("utf8"),
      isRepository: mode === repositoryMode,
    });
    return true;
  });
  return isWhole ? files : undefined;
}

function holdsRepository(content: Buffer, idBytes: number): boolean | undefined {
  let found = false;
  const isWhole = eachEntry(content, idBytes, ({ mode }) => {
    found ||= mode === repositoryMode;
    return true;
  });
  return isWhole ? found : undefined;
}

interface Entry {
  readonly mode: number;
  readonly nameAt: number;
  readonly nameEnd: number;
  /** How many bytes of the name before are not taken over; undefined: the name stands there in full. */
  readonly dropped: number | undefined;
}

/** False: it is not an index of this form, or `take` does not want to go on. */
function eachEntry(content: Buffer, idBytes: number, take: (entry: Entry) => boolean): boolean {
  if (content.length < 12 || content.toString("latin1", 0, 4) !== "DIRC") return false;
  const version = content.readUInt32BE(4);
  if (version < 2 || version > 4) return false;
  let at = 12;
  for (let left = content.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + 40 + idBytes;
    if (flagsAt + 4 > content.length) return false;
    const mode = content.readUInt32BE(at + 24);
    if (!knownModes.has(mode)) return false;
    let nameAt = flagsAt + 2 + ((content.readUInt16BE(flagsAt) & 0x4000) === 0 ? 0 : 2);
    let dropped: number | undefined;
    if (version === 4) {
      const { value, end } = readNumber(content, nameAt);
      dropped = value;
      nameAt = end;
    }
    const nameEnd = content.indexOf(0, nameAt);
    if (nameEnd < 0 || !take({ mode, nameAt, nameEnd, dropped })) return false;
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7);
  }
  return true;
}

const repositoryMode = 0xe000;
const knownModes = new Set([0x81a4, 0x81ed, 0x81b4, 0xa000, 0xe000, 0x4000]);

function readNumber(content: Buffer, from: number): { value: number; end: number } {
  let at = from;
  let byte = content[at++] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0 && at < content.length) {
    byte = content[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at };
}
