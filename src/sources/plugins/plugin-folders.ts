/** The folders that plugin files lie in, and which of the names in them are plugin files. */
import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { PluginGrade } from "./load-plugin-file.ts";
import type { PluginError } from "./plugin-error.ts";

export interface PluginFolder {
  /** Absolute. */
  readonly path: string;
  /** Somebody named it, so that it must be there. */
  readonly required?: boolean;
  /** What the file may do, by its path and content. */
  readonly gradeOf: (file: string, sha256: string) => PluginGrade;
  /** Only these files of it. */
  readonly only?: readonly string[];
}

export interface FoundFile {
  readonly file: string;
  readonly folder: PluginFolder;
  /** Changes with the file. Undefined: it cannot be looked at, and reading it will say why. */
  readonly identity: FileIdentity | undefined;
}

export interface FileIdentity {
  readonly key: string;
  /** When the file last changed, by the clock of the machine: no program can set it. */
  readonly changedAtMs: number;
}

/** More files than anybody has; a folder of a million must not hold everything up. */
const maxFiles = 10_000;

export function findPluginFiles(folders: readonly PluginFolder[]): {
  readonly files: readonly FoundFile[];
  readonly errors: readonly PluginError[];
} {
  const errors: PluginError[] = [];
  const files: FoundFile[] = [];
  const seen = new Set<string>();
  for (const folder of folders) {
    const names = namesIn(folder, errors);
    const real = realPath(folder.path);
    // The first one counts: folders are given most trusted first.
    if (names.length === 0 || (folder.only === undefined && seen.has(real))) continue;
    seen.add(real);
    const message = `The folder holds ${names.length} plugin files; only the first ${maxFiles} are loaded.`;
    if (names.length > maxFiles) errors.push({ source: folder.path, message });
    for (const name of names.slice(0, maxFiles)) {
      const file = join(folder.path, name);
      files.push({ file, folder, identity: identityOf(file) });
    }
  }
  return { files, errors };
}

/** `.x.json` is hidden, `x.json~`, `#x.json#` and `.x.json.swp` are an editor's. */
export function isPluginName(name: string): boolean {
  return /^[^.#].*\.(?:json|ya?ml)$/i.test(name);
}

/** In the order of the names, so that of two tools of one name always the same one is loaded. */
function namesIn({ path, required = false, only }: PluginFolder, errors: PluginError[]): readonly string[] {
  if (only !== undefined) return only;
  try {
    return readdirSync(path).filter(isPluginName).sort();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT")
      errors.push({
        source: path,
        message: code === "ENOTDIR" ? "It is not a folder." : `The folder cannot be read: ${message}`,
      });
    else if (required) errors.push({ source: path, message: "There is no such folder." });
    return [];
  }
}

function identityOf(file: string): FileIdentity | undefined {
  try {
    // A link can be turned to another file of the same age; then the link itself has changed.
    const link = lstatSync(file, { bigint: true });
    const stat = link.isSymbolicLink() ? statSync(file, { bigint: true }) : link;
    return {
      key: stat === link ? keyOf(stat) : `${keyOf(link)} ${keyOf(stat)}`,
      changedAtMs: Math.max(Number(stat.ctimeMs), Number(link.ctimeMs)),
    };
  } catch {
    return undefined;
  }
}

function keyOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
