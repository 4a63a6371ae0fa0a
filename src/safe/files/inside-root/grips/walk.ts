/** Finds a requested path below the roots, component by component, following links by hand so that no step can leave. */
import { type BigIntStats, mkdirSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, normalize } from "node:path";
import { guardNames, ownState } from "../guard.ts";
import type { Access } from "../protected-names.ts";
import { errnoOf, quoted, type Refusal, refusalFromErrno, refuse } from "../refusal.ts";
import { joinParts, parseRequest, partsOf } from "../request-path.ts";
import { absoluteOf, type Root, rootOf, takeRoot } from "../roots.ts";
import type { Scope } from "../scope.ts";
import { type Grip, sameThing } from "./grip.ts";
import { startsWith } from "./opened.ts";
import { realLocation } from "./real-location.ts";

export interface WalkOptions {
  readonly access: Access;
  /** Absolute, inside a root; where a relative path starts. Default: the first root. */
  readonly cwd?: string | undefined;
  /** False for what acts on a link itself: remove and move. */
  readonly followLast?: boolean;
  readonly makeParents?: boolean;
  /** That something is there is no secret for protected names and on the way to an opened path; contents are. */
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
  /** The real names below the root. */
  readonly parts: readonly string[];
  readonly root: Root;
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
    return refuse("invalid_path", request, `${quoted(request)} ends in "..". Name the directory itself.`);
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
  /** The link that was followed last: a refusal names it. */
  #via: string | undefined;
  #own: readonly BigIntStats[];
  readonly #scope: Scope;
  readonly #request: string;
  readonly #options: WalkOptions;

  constructor(scope: Scope, request: string, options: WalkOptions) {
    this.#scope = scope;
    this.#request = request;
    this.#options = options;
    this.#root = scope.roots[0];
    this.#own = scope.statePaths.identities();
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
        this.#push(child);
        continue;
      }
      if (!child.stats.isSymbolicLink()) {
        if (rest.length === 0) return this.#end(name, child, mustBeDirectory);
        this.#scope.grips.release(child);
        return refuse(
          "not_a_directory",
          this.#request,
          `${this.#show(name)} is not a directory, so nothing is inside it.`,
        );
      }
      if (rest.length === 0 && this.#options.followLast === false)
        return this.#end(name, child, mustBeDirectory);
      this.#scope.grips.release(child);
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
    let place = rootOf(this.#scope.roots, parts);
    if (place === undefined) {
      // Perhaps another spelling of a place inside (`/tmp` for `/private/tmp`). Only a hint: the walk from the root decides.
      place = rootOf(this.#scope.roots, otherSpelling(parts));
    }
    if (place === undefined) return this.#outside(parts);
    this.release();
    this.#names = [];
    this.#root = place.root;
    const grip = takeRoot(this.#scope.grips, place.root);
    if (grip === undefined) {
      return refuse(
        "root_changed",
        this.#request,
        `The root ${quoted(place.root.real)} was replaced by another directory since the start. Restart with the roots that are meant.`,
      );
    }
    this.#held.push(grip);
    return { ok: true, below: place.below };
  }

  #take(name: string, rest: readonly string[]): Grip | Refusal | undefined {
    const { grips } = this.#scope;
    const directory = this.#held.at(-1)!;
    const way = [...this.#root.realParts, ...this.#names, name];
    if (this.#root.opened === true && !this.#scope.opened.leadsTo(way))
      return this.#outside([...way, ...rest]);
    try {
      return grips.takeChild(directory, name);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
    }
    if (rest.length === 0) return undefined;
    if (this.#options.makeParents !== true || rest.includes("..")) {
      return refuse(
        "not_found",
        this.#request,
        `The directory ${this.#show(name)} does not exist. Create it first, or list its parent to see which names are there.`,
      );
    }
    const wanted = [...this.#names, name, ...rest];
    const refused = this.#beyond(wanted) ?? this.#elsewhere(wanted) ?? this.#guard(wanted);
    if (refused !== undefined) return refused;
    if (!grips.settled(directory, this.#held[0]!)) return this.#moved();
    try {
      mkdirSync(`${directory.at}/${name}`);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
    return grips.takeChild(directory, name);
  }

  #push(child: Grip): void {
    this.#held.push(child);
    this.#names.push(child.name);
  }

  #followLink(name: string, rest: readonly string[]): Entered | Refusal {
    // A link called `.env` is protected although what it points to has another name.
    const refused = this.#guard([...this.#names, name]);
    if (refused !== undefined) return refused;
    this.#links += 1;
    if (this.#links > maxLinks) {
      return refuse(
        "too_many_links",
        this.#request,
        `${quoted(this.#request)} is a chain of links that does not end. Name the real file.`,
      );
    }
    const text = readlinkSync(`${this.#held.at(-1)!.at}/${name}`);
    this.#via = `${this.#show(name)} is a link to ${quoted(text)}`;
    const below = [...partsOf(text), ...rest];
    return isAbsolute(text) ? this.#enter(below) : { ok: true, below };
  }

  #end(name: string, target: Grip | undefined, mustBeDirectory: boolean): Spot | Refusal {
    const names = [...this.#names, target?.name ?? name];
    const refused =
      this.#beyond(names) ??
      this.#elsewhere(names, target === undefined) ??
      this.#guard(names) ??
      this.#guardIdentity(target === undefined ? [] : [target]) ??
      (mustBeDirectory ? this.#noDirectory(name, target) : undefined);
    if (refused === undefined) return this.#spot(names, this.#held.at(-1)!, target);
    if (target !== undefined) this.#scope.grips.release(target);
    return refused;
  }

  #noDirectory(name: string, target: Grip | undefined): Refusal {
    const what = target === undefined ? "does not exist" : "is not a directory";
    return refuse(
      target === undefined ? "not_found" : "not_a_directory",
      this.#request,
      `${this.#show(name)} ${what}. Leave the last / away to mean a file.`,
    );
  }

  #endAtDirectory(): Spot | Refusal {
    const refused =
      this.#beyond(this.#names) ??
      this.#elsewhere(this.#names, this.#options.access === "read") ??
      this.#guard(this.#names) ??
      this.#guardIdentity([]);
    if (refused !== undefined) return refused;
    const target = this.#held.at(-1)!;
    return this.#spot(this.#names, this.#held.at(-2), target);
  }

  #spot(names: readonly string[], parent: Grip | undefined, target: Grip | undefined): Spot {
    const { grips } = this.#scope;
    const held = this.#held.splice(0);
    const rootGrip = held[0]!;
    const kept = new Set([rootGrip, ...(parent ? [parent] : []), ...(target ? [target] : [])]);
    for (const grip of held) if (!kept.has(grip)) grips.release(grip);
    return {
      ok: true,
      rootGrip,
      ...(parent && { parent }),
      ...(target && { target }),
      name: names.at(-1) ?? "",
      parts: names,
      root: this.#root,
      absolute: absoluteOf(this.#root, names),
      release: () => {
        for (const grip of kept) grips.release(grip);
        kept.clear();
      },
      targetIsGone: () => {
        if (target !== undefined && kept.delete(target)) grips.releaseLater(target);
      },
    };
  }

  #guard(names: readonly string[]): Refusal | undefined {
    const parts = [...this.#root.realParts, ...names];
    return guardNames(this.#scope, this.#request, parts, this.#options);
  }

  /** Only what was opened may be used; the folder it lies in is just the way to it. */
  #beyond(names: readonly string[]): Refusal | undefined {
    if (this.#root.opened !== true) return undefined;
    const parts = [...this.#root.realParts, ...names];
    const { opened } = this.#scope;
    const open = opened.covers(parts, this.#options.access);
    return open || (this.#options.metadataOnly === true && opened.leadsTo(parts))
      ? undefined
      : this.#outside(parts);
  }

  /** Inside, but not where the path led when it was judged: a link was put in its place since. */
  #elsewhere(names: readonly string[], mayBeOnTheWay = false): Refusal | undefined {
    const { only } = this.#scope;
    if (only === undefined) return undefined;
    const parts = [...this.#root.realParts, ...names];
    const isJudged = (way: readonly string[]) => only.some((judged) => startsWith(way, judged));
    if (isJudged(parts)) return undefined;
    // Whoever makes a new file looks at the folders above it first, and makes those that are missing.
    if (mayBeOnTheWay && only.some((judged) => startsWith(judged, parts))) return undefined;
    // What acts on a link itself was judged by where the link leads.
    if (this.#options.followLast === false && isJudged(otherSpelling(parts))) return undefined;
    return refuse(
      "changed",
      this.#request,
      `${quoted(this.#request)} leads to ${quoted(joinParts(parts))} now, and led elsewhere when the call was decided. Look at it, then call again.`,
    );
  }

  #guardIdentity(more: readonly Grip[]): Refusal | undefined {
    if (this.#own.length === 0) return undefined;
    const touched = [...this.#held, ...more];
    if (!touched.some((grip) => this.#own.some((own) => sameThing(own, grip.stats)))) return undefined;
    return ownState(this.#request);
  }

  #outside(parts: readonly string[]): Refusal {
    const own = this.#scope.roots.filter((root) => root.opened !== true);
    const roots = own.map((root) => quoted(root.real)).join(", ");
    const target = quoted(normalize(joinParts(parts)));
    const where = this.#via
      ? `${this.#via}, which leads to ${target}`
      : `${quoted(this.#request)} is ${target}`;
    return refuse(
      "outside_root",
      this.#request,
      `${where}, outside of ${roots}. Use a path inside, or ask for that directory to be added as a root.`,
    );
  }

  #moved(): Refusal {
    return refuse(
      "changed",
      this.#request,
      `The directory of ${quoted(this.#request)} was moved while it was used. Try again.`,
    );
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

/** What is outside must not show through different answers, so its errors count as elsewhere. */
function otherSpelling(parts: readonly string[]): readonly string[] {
  try {
    return partsOf(realLocation(joinParts(parts)).path);
  } catch {
    return [];
  }
}
