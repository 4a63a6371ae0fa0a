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

/** The same for repositories alone. Nearly always there are none, which one look at the bytes tells. */
export function repositoriesInIndex(gitDir: string): readonly string[] | undefined {
  const contents = contentsOf(gitDir);
  if (contents === undefined) return undefined;
  if (contents.every((content) => !content.includes(repositoryMode))) return [];
  return readIndex(gitDir)
    ?.filter(({ isRepository }) => isRepository)
    .map(({ path }) => path);
}

const maxBytes = 128 * 1024 * 1024;
const repositoryMode = Buffer.from([0, 0, 0xe0, 0]);

/** A split index keeps most of its entries in a shared file. */
function contentsOf(gitDir: string): readonly Buffer[] | undefined {
  try {
    const names = readdirSync(gitDir).filter((name) => name === "index" || name.startsWith("sharedindex."));
    const files = names.map((name) => join(gitDir, name));
    const stats = files.map((file) => statSync(file));
    if (stats.some((one) => !one.isFile() || one.size > maxBytes)) return undefined;
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
  if (content.length < 12 || content.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = content.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const files: TrackedFile[] = [];
  let at = 12;
  let before = "";
  for (let left = content.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + 40 + idBytes;
    if (flagsAt + 4 > content.length) return undefined;
    const mode = content.readUInt32BE(at + 24);
    if (!knownModes.has(mode)) return undefined;
    let nameAt = flagsAt + 2 + ((content.readUInt16BE(flagsAt) & 0x4000) === 0 ? 0 : 2);
    let kept = "";
    if (version === 4) {
      const { value, end } = readNumber(content, nameAt);
      if (value > before.length) return undefined;
      kept = before.slice(0, before.length - value);
      nameAt = end;
    }
    const nameEnd = content.indexOf(0, nameAt);
    if (nameEnd < 0) return undefined;
    // Byte for byte, because an entry takes over bytes of the one before it.
    const name = kept + content.toString("latin1", nameAt, nameEnd);
    files.push({ path: Buffer.from(name, "latin1").toString("utf8"), isRepository: mode === 0xe000 });
    before = name;
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7);
  }
  return files;
}

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
