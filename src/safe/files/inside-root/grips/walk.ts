/** Finds a path below the roots, name by name, following links by hand so that no step can leave. */
import { mkdirSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { Access } from "../protected-names.ts";
import {
  errnoOf,
  quoted,
  type Refusal,
  type RefusalCode,
  refusalFromErrno,
  refuse,
  refuseAs,
  refusePath,
} from "../refusal.ts";
import { joinParts, parseRequest, partsOf } from "../request-path.ts";
import { type Root, rootOf, takeRoot } from "../roots.ts";
import type { Scope } from "../scope.ts";
import { Bounds, otherSpelling } from "./bounds.ts";
import type { Grip } from "./grip.ts";

export interface WalkOptions {
  readonly access: Access;
  /** Absolute, inside a root; where a relative path starts. Default: the first root. */
  readonly cwd?: string | undefined;
  /** False for what acts on a link itself: remove and move. */
  readonly followLast?: boolean;
  readonly makeParents?: boolean | undefined;
  /** That a protected name or a folder above an opened path exists is no secret; contents are. */
  readonly metadataOnly?: boolean;
}

/** Where a walk ended. `parent` and `target` stay held until `release`. */
export interface Spot {
  readonly ok: true;
  readonly rootGrip: Grip;
  readonly parent?: Grip;
  readonly target?: Grip;
  readonly name: string;
  readonly absolute: string;
  /** Of the absolute path, links followed. */
  readonly parts: readonly string[];
  release(): void;
  /** The target was replaced or removed: its handle is given back in the background. */
  targetIsGone(): void;
}

const maxLinks = 40;

type Entered = { readonly ok: true; readonly below: readonly string[] };

export function walk(scope: Scope, request: string, options: WalkOptions): Spot | Refusal {
  const parsed = parseRequest(inHome(request, scope.home));
  if (!parsed.ok) return parsed;
  // `link/..` is not where it seems to be: nothing is removed or moved under such a name.
  if (options.followLast === false && parsed.parts.at(-1) === "..") {
    return refusePath("invalid_path", request, `ends in "..". Name the directory itself.`);
  }
  let start = parsed.parts;
  if (!parsed.absolute) {
    const cwd = options.cwd === undefined ? undefined : parseRequest(options.cwd);
    if (cwd?.ok === false || cwd?.absolute === false) {
      return refuse("invalid_path", request, "The working directory must be an absolute path inside a root.");
    }
    start = [...(cwd?.parts ?? scope.roots[0].realParts), ...parsed.parts];
  }
  const trail = new Trail(scope, request, options);
  try {
    const spot = trail.follow(start, parsed.mustBeDirectory);
    if (!spot.ok) trail.release();
    return spot;
  } catch (error) {
    trail.release();
    return refusalFromErrno(error, request);
  }
}

/** The state of one walk: the directories held so far, from a root downwards. */
class Trail {
  #root: Root;
  #held: Grip[] = [];
  #names: string[] = [];
  #links = 0;
  readonly #scope: Scope;
  readonly #request: string;
  readonly #options: WalkOptions;
  readonly #bounds: Bounds;

  constructor(scope: Scope, request: string, options: WalkOptions) {
    this.#scope = scope;
    this.#request = request;
    this.#options = options;
    this.#root = scope.roots[0];
    this.#bounds = new Bounds(scope, request, options);
  }

  follow(start: readonly string[], mustBeDirectory: boolean): Spot | Refusal {
    const entered = this.#enter(start);
    if (!entered.ok) return entered;
    let pending = entered.below;
    while (pending.length > 0) {
      const [name, ...rest] = pending as [string, ...string[]];
      pending = rest;
      if (name === "..") {
        if (this.#held.length > 1) {
          this.#scope.grips.release(this.#held.pop()!);
          this.#names.pop();
          continue;
        }
        const above = this.#enter([...partsOf(dirname(this.#root.real)), ...rest]);
        if (!above.ok) return above;
        pending = above.below;
        continue;
      }
      const child = this.#take(name, rest);
      if (child === undefined) return this.#end(name, undefined, mustBeDirectory);
      if (!("fd" in child)) return child;
      if (child.stats.isDirectory()) {
        this.#held.push(child);
        this.#names.push(child.name);
        continue;
      }
      const isLink = child.stats.isSymbolicLink();
      if (rest.length === 0 && (!isLink || this.#options.followLast === false))
        return this.#end(name, child, mustBeDirectory);
      this.#scope.grips.release(child);
      if (!isLink)
        return this.#refuse(
          "not_a_directory",
          `${this.#show(name)} is not a directory, so nothing is inside it.`,
        );
      const next = this.#followLink(name, rest);
      if (!next.ok) return next;
      pending = next.below;
    }
    return this.#endAtDirectory();
  }

  release(): void {
    for (const grip of this.#held.splice(0)) this.#scope.grips.release(grip);
  }

  #enter(parts: readonly string[]): Entered | Refusal {
    const { roots, grips } = this.#scope;
    // Perhaps another spelling of a place inside (`/tmp`, `/private/tmp`). Only a hint: the walk decides.
    const place = rootOf(roots, parts) ?? rootOf(roots, otherSpelling(parts));
    if (place === undefined) return this.#bounds.outside(parts);
    this.release();
    this.#names = [];
    this.#root = place.root;
    const grip = takeRoot(grips, place.root);
    if (grip === undefined)
      return this.#refuse(
        "root_changed",
        `The root ${quoted(place.root.real)} was replaced by another directory since the start. Restart with the roots that are meant.`,
      );
    this.#held.push(grip);
    return { ok: true, below: place.below };
  }

  #take(name: string, rest: readonly string[]): Grip | Refusal | undefined {
    const { grips, opened } = this.#scope;
    const directory = this.#held.at(-1)!;
    const way = this.#parts([...this.#names, name]);
    if (this.#root.opened === true && !opened.leadsTo(way)) return this.#bounds.outside([...way, ...rest]);
    try {
      return grips.takeChild(directory, name);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
    }
    if (rest.length === 0) return undefined;
    if (this.#options.makeParents !== true || rest.includes(".."))
      return this.#refuse(
        "not_found",
        `The directory ${this.#show(name)} does not exist. Create it first, or list its parent to see which names are there.`,
      );
    const refused = this.#bounds.refuse(this.#root, [...this.#names, name, ...rest]);
    if (refused !== undefined) return refused;
    if (!grips.settled(directory, this.#held[0]!))
      return this.#refuse(
        "changed",
        `The directory of ${quoted(this.#request)} was moved while it was used. Try again.`,
      );
    try {
      mkdirSync(`${directory.at}/${name}`);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
    return grips.takeChild(directory, name);
  }

  #followLink(name: string, rest: readonly string[]): Entered | Refusal {
    // A link called `.env` is protected although what it points to has another name.
    const refused = this.#bounds.guard(this.#parts([...this.#names, name]));
    if (refused !== undefined) return refused;
    this.#links += 1;
    if (this.#links > maxLinks) return refuseAs("ELOOP", this.#request);
    const text = readlinkSync(`${this.#held.at(-1)!.at}/${name}`);
    this.#bounds.via = `${this.#show(name)} is a link to ${quoted(text)}`;
    const below = [...partsOf(text), ...rest];
    return isAbsolute(text) ? this.#enter(below) : { ok: true, below };
  }

  #end(name: string, target: Grip | undefined, mustBeDirectory: boolean): Spot | Refusal {
    const names = [...this.#names, target?.name ?? name];
    const refused =
      this.#bounds.refuse(this.#root, names, target === undefined) ??
      this.#bounds.refuseOwn(target === undefined ? this.#held : [...this.#held, target]) ??
      (mustBeDirectory ? this.#noDirectory(name, target) : undefined);
    if (refused === undefined) return this.#spot(names, this.#held.at(-1)!, target);
    if (target !== undefined) this.#scope.grips.release(target);
    return refused;
  }

  #noDirectory(name: string, target: Grip | undefined): Refusal {
    const hint = "Leave the last / away to mean a file.";
    return target === undefined
      ? this.#refuse("not_found", `${this.#show(name)} does not exist. ${hint}`)
      : this.#refuse("not_a_directory", `${this.#show(name)} is not a directory. ${hint}`);
  }

  #endAtDirectory(): Spot | Refusal {
    return (
      this.#bounds.refuse(this.#root, this.#names, this.#options.access === "read") ??
      this.#bounds.refuseOwn(this.#held) ??
      this.#spot(this.#names, this.#held.at(-2), this.#held.at(-1)!)
    );
  }

  #spot(names: readonly string[], parent: Grip | undefined, target: Grip | undefined): Spot {
    const { grips } = this.#scope;
    const held = this.#held.splice(0);
    const rootGrip = held[0]!;
    const kept = new Set([rootGrip, ...(parent ? [parent] : []), ...(target ? [target] : [])]);
    for (const grip of held) if (!kept.has(grip)) grips.release(grip);
    const parts = this.#parts(names);
    return {
      ok: true,
      rootGrip,
      ...(parent && { parent }),
      ...(target && { target }),
      name: names.at(-1) ?? "",
      parts,
      absolute: joinParts(parts),
      release: () => {
        for (const grip of kept) grips.release(grip);
        kept.clear();
      },
      targetIsGone: () => {
        if (target !== undefined && kept.delete(target)) grips.releaseLater(target);
      },
    };
  }

  #parts(names: readonly string[]): readonly string[] {
    return [...this.#root.realParts, ...names];
  }

  #refuse(code: RefusalCode, message: string): Refusal {
    return refuse(code, this.#request, message);
  }

  #show(name: string): string {
    return quoted([...this.#names, name].join("/"));
  }
}

export function inHome(request: string, home: string | undefined): string {
  return home !== undefined && typeof request === "string" && /^~(?:[\\/]|$)/.test(request)
    ? home + request.slice(1)
    : request;
}
