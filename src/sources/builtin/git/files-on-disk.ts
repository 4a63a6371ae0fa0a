/** Sorts the paths that git lists by what is on the disk: files to take, files that are gone, others. */
import { lstatSync, type Stats } from "node:fs";
import type { Failure } from "../../../core/call/tool-answer.ts";
import type { GitEnd } from "./open-git.ts";

export interface FilesOnDisk {
  /** Regular files and links. All names are bytes in latin1: a name need not be text. */
  readonly present: readonly string[];
  readonly gone: readonly string[];
  /** Submodules and other repositories: they have files and an index of their own. */
  readonly folders: readonly string[];
  readonly tooLarge: readonly string[];
}

const yieldEvery = 2_000;

export async function filesOnDisk(
  top: string,
  names: Iterable<string>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<FilesOnDisk> {
  const found = {
    present: [] as string[],
    gone: [] as string[],
    folders: [] as string[],
    tooLarge: [] as string[],
  };
  const realFolders = new Map<string, boolean>();
  let looked = 0;
  for (const name of new Set(names)) {
    if (++looked % yieldEvery === 0) await new Promise((resolve) => setImmediate(resolve));
    if (name.endsWith("/")) found.folders.push(name.slice(0, -1));
    else {
      // Behind a link is another place: what git knew there is gone.
      const stats = isReached(top, name, realFolders) ? look(top, name) : undefined;
      if (stats?.isDirectory() === true) found.folders.push(name);
      else if (stats?.isFile() !== true && stats?.isSymbolicLink() !== true) found.gone.push(name);
      else if (stats.size > maxBytes) found.tooLarge.push(name);
      else found.present.push(name);
    }
  }
  return found;
}

/** The names in what git printed with `-z`. */
export function namesIn(printed: Buffer): string[] {
  return printed
    .toString("latin1")
    .split("\0")
    .filter((name) => name !== "");
}

/** As git reads them with `-z`. */
export function toInput(names: readonly string[]): Buffer {
  return Buffer.from(names.map((name) => `${name}\0`).join(""), "latin1");
}

/** Takes files into an index, and others out of it. `run` is git with the index that is meant. */
export async function updateIndex(
  run: (args: readonly string[], options: { readonly input: Buffer }) => Promise<GitEnd>,
  { present, gone }: Pick<FilesOnDisk, "present" | "gone">,
): Promise<Failure | undefined> {
  // Gone first: a file may have become a folder.
  for (const [names, options] of [
    [gone, ["--force-remove"]],
    [present, ["--add", "--remove", "--replace"]],
  ] as const) {
    if (names.length === 0) continue;
    const end = await run(["update-index", "-z", ...options, "--stdin"], { input: toInput(names) });
    if (!end.ok) return end;
  }
  return undefined;
}

/** For messages. */
export function shownNames(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(Buffer.from(name, "latin1").toString()));
  return `${shown.join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;
}

/** Nothing that is no folder stands on the way: it could be made. */
export function couldBeMade(top: string, name: string): boolean {
  for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) {
    const stats = look(top, name.slice(0, slash));
    if (stats === undefined) return true;
    if (!stats.isDirectory()) return false;
  }
  return true;
}

/** Every folder on the way is a folder itself. */
function isReached(top: string, name: string, known: Map<string, boolean>): boolean {
  const slash = name.lastIndexOf("/");
  if (slash === -1) return true;
  const folder = name.slice(0, slash);
  let real = known.get(folder);
  if (real === undefined) {
    real = isReached(top, folder, known) && look(top, folder)?.isDirectory() === true;
    known.set(folder, real);
  }
  return real;
}

function look(top: string, name: string): Stats | undefined {
  try {
    return lstatSync(Buffer.concat([Buffer.from(`${top}/`), Buffer.from(name, "latin1")]));
  } catch {
    return undefined;
  }
}
