/** Looks through the folders where a sandboxed process may write: traps, secrets, and later what is new. */

import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isInside } from "../../core/input/inside-folder.ts";
import { quietly } from "../../core/run/quietly.ts";
import { createFolderCache } from "../files/folder-cache.ts";
import { isPlainSource, protectedReason } from "../files/inside-root/protected-names.ts";
import { placesNamedBy, runningPartsOf } from "./git-folder.ts";
import { realPath, statsOf } from "./roots.ts";
import { isPackageFolder, trapReason } from "./trap-names.ts";

export interface Trap {
  /** Why nothing of the kind may appear. */
  readonly reason: string;
  readonly kind: "file" | "folder" | "link";
  /** Another one: it was changed or replaced. */
  readonly stamp: string;
}

export interface Survey {
  readonly traps: ReadonlyMap<string, Trap>;
  /** `.git` folders, and folders that git takes for a bare repository. */
  readonly repositories: ReadonlySet<string>;
  /** Secrets: nothing in a sandbox sees them. */
  readonly secrets: readonly string[];
  /** Symbolic links among the traps and in them, with what they really lead to: that runs as well. */
  readonly links: ReadonlyMap<string, string | undefined>;
  /** Folders of ours into which nobody can look. */
  readonly closed: readonly string[];
  /** Folders whose name is not text, which no argument can name. By what they are in. */
  readonly nameless: ReadonlyMap<string, readonly Buffer[]>;
  readonly complete: boolean;
}

export interface SurveyOptions {
  readonly roots: readonly string[];
  /** So many names are read, then it is not complete. Default: all. */
  readonly maxEntries?: number;
  readonly home?: string;
}

/** Kept between calls, bounded in itself: most of a workspace is as it was when the last command ended. */
const folders = createFolderCache();
/** Others are served after so many names. */
const turnEntries = 2_000;

export async function surveyRoots(options: SurveyOptions): Promise<Survey> {
  const { roots, maxEntries = Number.POSITIVE_INFINITY, home } = options;
  const survey = new Surveying(home);
  const outer = roots.filter((root) => !roots.some((other) => other !== root && isInside(root, other)));
  for (const root of new Set(outer)) {
    if (!(await survey.walk(root, maxEntries))) return survey.result(false);
  }
  survey.addNamedPlaces(roots);
  return survey.result(true);
}

interface Visit {
  readonly folder: string;
  readonly above: readonly string[];
  /** Inside a package only repositories count; inside a trap only secrets and links: it cannot change. */
  readonly kind: "work" | "package" | "trap";
}

class Surveying {
  readonly #home: string | undefined;
  readonly #traps = new Map<string, Trap>();
  readonly #repositories = new Set<string>();
  readonly #secrets: string[] = [];
  readonly #links = new Map<string, string | undefined>();
  readonly #closed: string[] = [];
  readonly #nameless = new Map<string, readonly Buffer[]>();
  #entries = 0;
  #turn = 0;

  constructor(home: string | undefined) {
    this.#home = home;
  }

  result(complete: boolean): Survey {
    for (const repository of this.#repositories) {
      for (const part of runningPartsOf(repository)) this.#addTrap(part, "git runs programs because of it");
    }
    return {
      traps: this.#traps,
      repositories: this.#repositories,
      secrets: this.#secrets,
      links: this.#links,
      closed: this.#closed,
      nameless: this.#nameless,
      complete: complete && this.#nameless.size === 0,
    };
  }

  /** False: there is more than may be read. */
  async walk(root: string, maxEntries: number): Promise<boolean> {
    const left: Visit[] = [{ folder: root, above: root.split(sep).slice(-2), kind: "work" }];
    for (let visit = left.pop(); visit !== undefined; visit = left.pop()) {
      this.#enter(visit, left);
      if (this.#entries > maxEntries) return false;
      if (this.#entries - this.#turn < turnEntries) continue;
      this.#turn = this.#entries;
      await setImmediate();
    }
    return true;
  }

  /** Hooks and configuration that git is told to take from elsewhere in the workspace. */
  addNamedPlaces(roots: readonly string[]): void {
    for (const repository of this.#repositories) {
      for (const place of placesNamedBy(repository, this.#home)) {
        const isOurs = roots.some((root) => place !== root && isInside(place, root));
        if (isOurs) this.#addTrap(place, "git runs what its configuration names");
      }
    }
  }

  #enter({ folder, above, kind }: Visit, left: Visit[]): void {
    const listed = folders.list(folder);
    this.#entries++;
    if (listed === undefined) {
      if (isOurFolder(folder)) this.#closed.push(folder);
      return;
    }
    const { entries } = listed;
    this.#entries += entries.length;
    if (kind !== "trap" && isBareRepository(entries)) this.#repositories.add(folder);
    for (const { name, kind: type } of entries) {
      const path = folder === sep ? `${sep}${name}` : `${folder}${sep}${name}`;
      if (type === "folder" && name.includes("\ufffd")) this.#nameless.set(folder, namesOfBytes(folder));
      if (type === "folder" && name.toLowerCase() === ".git" && kind !== "trap") {
        this.#repositories.add(path);
        continue;
      }
      const next = this.#judge(path, name, above, kind);
      if (type === "link" && next === "trap") this.#links.set(path, realPath(path));
      if (type !== "folder") continue;
      left.push({ folder: path, above: [above.at(-1) ?? "", name], kind: next });
    }
  }

  #judge(path: string, name: string, above: readonly string[], kind: Visit["kind"]): Visit["kind"] {
    const reason = kind === "trap" ? "it is part of one" : this.#trapReason(name, above, kind);
    if (reason !== undefined && kind !== "trap") this.#setTrap(path, reason);
    const mayBeSecret = kind !== "package" && !isPlainSource(name);
    const isSecret = mayBeSecret && protectedReason([...above, name], "read") !== undefined;
    if (isSecret) this.#secrets.push(path);
    if (reason !== undefined) return "trap";
    // A folder of secrets is looked through as well: one that is new could hold a repository.
    return kind === "package" || isPackageFolder(name) ? "package" : "work";
  }

  #trapReason(name: string, above: readonly string[], kind: Visit["kind"]): string | undefined {
    // A file or a link: it names the repository.
    if (name.toLowerCase() === ".git") return "git runs programs because of it";
    return kind === "package" ? undefined : trapReason(above, name);
  }

  #addTrap(path: string, reason: string): void {
    const kind = this.#setTrap(path, reason);
    if (kind === "link") this.#links.set(path, realPath(path));
    if (kind !== "folder") return;
    for (const { name, kind: type } of folders.list(path)?.entries ?? [])
      if (type === "link") this.#links.set(join(path, name), realPath(join(path, name)));
  }

  #setTrap(path: string, reason: string): Trap["kind"] | undefined {
    const stats = statsOf(path);
    if (stats === undefined) return undefined;
    // Found and yet out of reach: a name at the end of a very long path.
    if (stats === "unknown") {
      this.#traps.set(path, { reason, kind: "file", stamp: "unknown" });
      return "file";
    }
    const { dev, ino, ctimeNs } = stats;
    const kind = stats.isSymbolicLink() ? "link" : stats.isDirectory() ? "folder" : "file";
    this.#traps.set(path, { reason, kind, stamp: `${dev}:${ino}:${ctimeNs}` });
    return kind;
  }
}

/** As git finds it: with `commondir` the other two are elsewhere. */
function isBareRepository(entries: readonly { readonly name: string }[]): boolean {
  let seen = 0;
  for (const { name } of entries) {
    if (name === "HEAD") seen |= 1;
    else if (name === "commondir") seen |= 6;
    else if (name === "objects") seen |= 2;
    else if (name === "refs") seen |= 4;
  }
  return seen === 7;
}

/** One of somebody else is closed to a sandboxed process, too. */
function isOurFolder(folder: string): boolean {
  const stats = statsOf(folder);
  if (stats === undefined || stats === "unknown") return stats === "unknown";
  return stats.isDirectory() && Number(stats.uid) === process.getuid?.();
}

function namesOfBytes(folder: string): Buffer[] {
  // One that was moved away meanwhile is found where it is now, or at the next look.
  const names = quietly(() => readdirSync(folder, { encoding: "buffer" })) ?? [];
  return names.filter((name) => !Buffer.from(name.toString("utf8")).equals(name));
}
