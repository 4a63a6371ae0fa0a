/** Which project files the user trusts: pinned by path and content, kept outside of every repository. */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { replacePrivateFile } from "../../safe/files/private-file.ts";

export interface TrustedFile {
  /** Links followed. */
  readonly path: string;
  readonly sha256: string;
  /** ISO time. */
  readonly at: string;
}

export type Trust =
  | { readonly ok: true; readonly files: readonly TrustedFile[] }
  /** Nothing is trusted while the list cannot be read. */
  | { readonly ok: false; readonly files: readonly []; readonly message: string };

export function trustFile(stateFolder: string): string {
  return join(stateFolder, "trust.json");
}

export function readTrust(stateFolder: string): Trust {
  const file = trustFile(stateFolder);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { ok: true, files: [] };
    return unreadable(file, (error as Error).message);
  }
  try {
    const { files } = JSON.parse(text) as { files: unknown };
    if (Array.isArray(files) && files.every(isTrustedFile)) return { ok: true, files };
    return unreadable(file, "it does not hold a list of files");
  } catch (error) {
    return unreadable(file, (error as Error).message);
  }
}

export function isTrusted(trust: Trust, path: string, sha256: string): boolean {
  const real = realPath(path);
  return trust.files.some((file) => file.path === real && file.sha256 === sha256);
}

/** A file has one pin: trusting a new content ends the trust in the old one. */
export function addTrust(
  stateFolder: string,
  files: readonly { readonly path: string; readonly sha256: string }[],
  now: Date = new Date(),
): TrustedFile[] {
  const added = files.map(({ path, sha256 }) => ({ path: realPath(path), sha256, at: now.toISOString() }));
  const kept = readTrust(stateFolder).files.filter(({ path }) => !added.some((one) => one.path === path));
  write(stateFolder, [...kept, ...added]);
  return added;
}

/** Answers the pins that are gone. */
export function revokeTrust(stateFolder: string, paths: readonly string[]): TrustedFile[] {
  const real = paths.map(realPath);
  const { files } = readTrust(stateFolder);
  const gone = files.filter(({ path }) => real.includes(path) || paths.includes(path));
  if (gone.length > 0)
    write(
      stateFolder,
      files.filter((file) => !gone.includes(file)),
    );
  return gone;
}

function write(stateFolder: string, files: readonly TrustedFile[]): void {
  replacePrivateFile(trustFile(stateFolder), `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}

function unreadable(file: string, why: string): Trust {
  return { ok: false, files: [], message: `${file} cannot be read, so no project file is trusted: ${why}` };
}

function isTrustedFile(value: unknown): value is TrustedFile {
  const { path, sha256, at } = (value ?? {}) as Record<string, unknown>;
  return typeof path === "string" && typeof sha256 === "string" && typeof at === "string";
}

/** A file that is gone can still be revoked by the path it had. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
