/** The protected files that a program would meet below a folder, for rules to see. For decisions only. */

import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve, sep } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import type { CommandTree } from "../../core/ports/command.ts";
import type { FindBelow, FoundBelow } from "../../core/ports/location.ts";
import { quietly } from "../../core/run/quietly.ts";
import { createFolderCache, type FolderCache, type ListedFolder } from "./folder-cache.ts";
import { isIgnored } from "./ignored.ts";
import { isPlainSource, protectedReason } from "./inside-root/protected-names.ts";
import { spellingsOf } from "./inside-root/state-paths.ts";
import { isLetIn, type LetIn, letInAbove, letInBy } from "./let-in.ts";
import { fitsName } from "./name-pattern.ts";

export interface FindBelowOptions {
  /** Our own state and configuration. */
  readonly statePaths?: readonly string[];
}

/** Reading so many names takes a tenth of a second, and nobody else is served. Kept names cost less. */
const maxEntries = 25_000;
const maxFound = 100;

/**
 * Packages of others: their keys are examples and public certificates, and they are most of what there is.
 * The insides of `.git` are not looked at either.
 */
const notEntered = new Set(["node_modules", "site-packages", ".git"]);

export function createFindBelow({ statePaths = [] }: FindBelowOptions = {}): FindBelow {
  const cache = createFolderCache();
  // A home may be reached through a link, and the search goes by real names.
  const ownPaths = statePaths.flatMap(spellingsOf);
  return (tree, cwd, concerns) => {
    const start = startOf(tree.path, cwd);
    if (start === undefined) return { paths: [], complete: true };
    const search = new Search(tree, start, cache, concerns);
    for (const own of ownPaths) search.addOwn(own);
    const names = start.split(sep);
    if (!names.some((name) => notEntered.has(name))) search.enter(start, names.slice(-2), search.letIn);
    return search.result();
  };
}

/** The real path: programs follow a link on their command line. Undefined: nothing is below it. */
function startOf(path: string, cwd: string): string | undefined {
  const spelled = /^~(?:\/|$)/.test(path) ? `${homedir()}${path.slice(1)}` : path;
  return quietly(() => realpathSync.native(resolve(cwd, spelled)));
}

class Search {
  readonly #tree: CommandTree;
  readonly #start: string;
  readonly #cache: FolderCache;
  readonly #concerns: (absolute: string) => boolean;
  readonly #withoutFiles: readonly string[][];
  readonly #withoutFolders: readonly string[][];
  readonly #only: readonly string[][] | undefined;
  readonly #hiddenFiles: LetIn;
  /** Hidden names that are opened all the same, by what lies above the folder. */
  readonly letIn: LetIn;
  readonly #paths: string[] = [];
  #entries = 0;
  #complete = true;

  constructor(tree: CommandTree, start: string, cache: FolderCache, concerns: (absolute: string) => boolean) {
    this.#tree = tree;
    this.#start = start;
    this.#cache = cache;
    this.#concerns = concerns;
    // Classes and paths in a pattern are not read: then nothing is left out.
    const { without = [], withoutFiles = [], withoutFolders = [] } = tree;
    const split = (patterns: readonly string[]) => patterns.filter(isSimple).map((pattern) => [...pattern]);
    this.#withoutFiles = split([...without, ...withoutFiles]);
    this.#withoutFolders = split([...without, ...withoutFolders]);
    const only = tree.only?.map((pattern) => (isSimple(pattern) ? [...pattern.toLowerCase()] : ["*"]));
    this.#only = only === undefined || only.length === 0 ? undefined : only;
    this.#hiddenFiles = (tree.hiddenFiles ?? []).map((pattern) => [...pattern.toLowerCase()]);
    this.letIn = tree.skipsHidden === true ? letInAbove(start) : [];
  }

  result(): FoundBelow {
    const { skipsIgnored } = this.#tree;
    const paths =
      skipsIgnored === true ? this.#paths.filter((path) => !isIgnored(path, this.#start)) : this.#paths;
    return { paths, complete: this.#complete };
  }

  /** Ours is found without looking, however much there is above it. */
  addOwn(own: string): void {
    if (own === this.#start || !isInside(own, this.#start)) return;
    const names = own.slice(this.#start.length).split(sep).filter(Boolean);
    let folder = this.#start;
    let letIn = this.letIn;
    for (const name of names) {
      letIn = this.#letInWith(letIn, folder);
      if (this.#isLeftOut(name, this.#withoutFolders, letIn)) return;
      folder = `${folder}${sep}${name}`;
    }
    this.#paths.push(own);
  }

  /** `above`: the last two names on the way, which decide together with the next one. */
  enter(folder: string, above: readonly string[], letInAbove: LetIn): void {
    const listed = this.#list(folder);
    if (listed === undefined) return;
    const letIn = this.#letInWith(letInAbove, folder, listed);
    for (const { name, kind } of listed.entries) {
      if (this.#paths.length > maxFound || this.#entries > maxEntries) {
        this.#complete = false;
        return;
      }
      const isFolder = kind === "folder";
      const without = isFolder ? this.#withoutFolders : this.#withoutFiles;
      const hidden = isFolder || this.#hiddenFiles.length === 0 ? letIn : [...letIn, ...this.#hiddenFiles];
      // A link may be either.
      if (kind !== "link" && this.#isLeftOut(name, without, hidden)) continue;
      const path = folder === sep ? `${sep}${name}` : `${folder}${sep}${name}`;
      if (kind === "link") this.#meetLink(path);
      else if (isFolder) this.#meetFolder(path, name, above, letIn);
      else if (this.#isOpened(name) && this.#isWanted(path, name, above)) this.#paths.push(path);
    }
  }

  #meetFolder(path: string, name: string, above: readonly string[], letIn: LetIn): void {
    if (this.#isWanted(path, name, above)) this.#paths.push(path);
    else if (!notEntered.has(name)) this.enter(path, [above.at(-1) ?? "", name], letIn);
  }

  #letInWith(above: LetIn, folder: string, listed = this.#cache.list(folder)): LetIn {
    if (this.#tree.skipsHidden !== true || listed === undefined) return above;
    const own = letInBy(folder, new Set(listed.entries.map(({ name }) => name)));
    return own.length === 0 ? above : [...above, ...own];
  }

  #meetLink(path: string): void {
    if (this.#tree.followsLinks !== true) return;
    const target = quietly(() => realpathSync.native(path));
    if (target === undefined || isInside(target, this.#start)) return;
    this.#paths.push(path);
    // What lies below its target was not looked at.
    this.#complete = false;
  }

  #isWanted(path: string, name: string, above: readonly string[]): boolean {
    const isProtected = !isPlainSource(name) && protectedReason([...above, name], "read") !== undefined;
    return isProtected || this.#concerns(path);
  }

  #isLeftOut(name: string, without: readonly string[][], letIn: LetIn): boolean {
    if (this.#tree.skipsHidden === true && name.startsWith(".") && !isLetIn(letIn, name)) return true;
    return without.length > 0 && without.some((pattern) => fitsName(pattern, [...name]));
  }

  #isOpened(name: string): boolean {
    return this.#only === undefined || this.#only.some((one) => fitsName(one, [...name.toLowerCase()]));
  }

  #list(folder: string): ListedFolder | undefined {
    const listed = this.#cache.list(folder);
    this.#entries += listed?.isNew === true ? listed.entries.length : 1;
    return listed;
  }
}

function isSimple(pattern: string): boolean {
  return !/[[\]\\/{}]/.test(pattern);
}
