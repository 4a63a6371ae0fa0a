/** The chosen files below a folder that may hold a match, found by ripgrep, in the order of their names. */
import { join } from "node:path";
import { type CandidateEnd, findCandidates } from "../../../safe/files/ripgrep.ts";
import { type FileChoice, neverEntered } from "./file-choice.ts";
import { type IgnoreLevels, isIgnored, levelsAbove, readGitignore, withLevel } from "./ignore-levels.ts";
import type { SearchPlace } from "./search-place.ts";
import type { TakeFile } from "./walked-files.ts";

/** Of those that ripgrep names, the first ones in order are kept. */
const maxCandidates = 20_000;

export type RipgrepEnd = CandidateEnd & { readonly complete?: boolean };

export interface RipgrepSearch {
  readonly program: string;
  readonly pattern: string;
  readonly place: SearchPlace;
  readonly choice: FileChoice;
}

export async function ripgrepFiles(wanted: RipgrepSearch, take: TakeFile): Promise<RipgrepEnd> {
  const { program, pattern, place, choice } = wanted;
  const { files, root, folder, signal } = place;
  const { hidden, ignored } = choice;
  const candidates = new FirstInOrder(maxCandidates);
  const names = plainNames(choice.include);
  const where = { root, folder: folder.join("/"), hidden, ignored, names, skip: neverEntered };
  const search = { pattern, ...where, signal };
  const end = await findCandidates(program, search, (path) => candidates.add(path));
  if (!end.ok) return end;
  const gate = new PathGate(place, choice);
  for (const path of candidates.sorted()) {
    if (signal.aborted) return { ok: false, cancelled: true, message: "The search was cancelled." };
    const names = path.split("/").slice(folder.length);
    if (!(await gate.letsPass(names))) continue;
    const absolute = join(place.absolute, ...names);
    const go = await take({ names, scan: (piece) => files.scan(absolute, piece, { signal }) });
    if (go === false) return { ok: true, complete: false };
  }
  return { ok: true, complete: !candidates.overflowed };
}

/** ripgrep takes these as file names by itself; for all other globs its files are sorted out here. */
function plainNames(include: readonly string[]): readonly string[] {
  return include.every((glob) => /^[\w.*?-]+$/.test(glob) && glob !== "**") ? include : [];
}

/** Asks of every folder on the way what a walk asks: ripgrep's own answer is only a first choice. */
class PathGate {
  readonly #place: SearchPlace;
  readonly #choice: FileChoice;
  /** What counts inside of a folder, by its path; undefined for one that is not entered. */
  readonly #folders = new Map<string, Promise<IgnoreLevels | undefined>>();

  constructor(place: SearchPlace, choice: FileChoice) {
    this.#place = place;
    this.#choice = choice;
  }

  async letsPass(names: readonly string[]): Promise<boolean> {
    if (!this.#choice.wantsFile(names)) return false;
    const levels = await this.#levelsIn(names.slice(0, -1));
    return levels !== undefined && !isIgnored(levels, [...this.#place.folder, ...names], false);
  }

  #levelsIn(names: readonly string[]): Promise<IgnoreLevels | undefined> {
    const key = names.join("/");
    const known = this.#folders.get(key);
    if (known !== undefined) return known;
    const made = this.#look(names);
    this.#folders.set(key, made);
    return made;
  }

  async #look(names: readonly string[]): Promise<IgnoreLevels | undefined> {
    const { files, root, folder } = this.#place;
    if (this.#choice.ignored) return this.#isOpen(names) ? [] : undefined;
    const here = [...folder, ...names];
    let above: IgnoreLevels | undefined;
    if (names.length === 0) above = await levelsAbove(files, root, folder);
    else {
      above = await this.#levelsIn(names.slice(0, -1));
      if (above === undefined || !this.#choice.mayEnter(names) || isIgnored(above, here, true))
        return undefined;
    }
    return withLevel(above, here.length, await readGitignore(files, root, here));
  }

  #isOpen(names: readonly string[]): boolean {
    return names.every((_, index) => this.#choice.mayEnter(names.slice(0, index + 1)));
  }
}

/** Keeps the first paths in the order in which a walk would meet them, without holding all of them. */
class FirstInOrder {
  overflowed = false;
  #paths: string[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(path: string): void {
    this.#paths.push(path);
    if (this.#paths.length >= this.#most * 2) this.#cut();
  }

  sorted(): readonly string[] {
    this.#cut();
    return this.#paths;
  }

  /** Name by name: what sorts below a slash must not come between a folder and what is in it. */
  #cut(): void {
    const keys = this.#paths.map((path) => path.replaceAll("/", "\0")).sort();
    if (keys.length > this.#most) this.overflowed = true;
    this.#paths = keys.slice(0, this.#most).map((key) => key.replaceAll("\0", "/"));
  }
}
