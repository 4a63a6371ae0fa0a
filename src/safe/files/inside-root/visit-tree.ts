/** Goes through the tree below a directory by name, every step by a held handle; links are only shown. */
import { lstatSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Grip } from "./grips/grip.ts";
import type { Spot } from "./grips/walk.ts";
import { cancelled, missing, withSpot } from "./grips/with-spot.ts";
import { protectedReason } from "./protected-names.ts";
import { readInside } from "./read.ts";
import { type Refusal, refusePath } from "./refusal.ts";
import { joinParts } from "./request-path.ts";
import { type Scanned, scanChild, type TakePiece } from "./scan.ts";
import type { Scope } from "./scope.ts";
import { type EntryKind, readNames, takeDirectory } from "./tree.ts";

export interface TreeVisitor {
  /** Before the entries of a directory, the first one included; `names` lead there from the first one. */
  enter?(names: readonly string[], directory: DirectoryView): void | Promise<void>;
  /** After the last entry. */
  leave?(): void;
  /** `false`: not told about, not entered. */
  wants?(names: readonly string[], kind: EntryKind): boolean;
  /** `false`: the visit ends. */
  entry(entry: VisitedEntry): boolean | undefined | Promise<boolean | undefined>;
}

export interface DirectoryView {
  has(name: string): boolean;
  /** A small file in it, as text; undefined when it cannot be read. */
  read(name: string): Promise<string | undefined>;
}

export interface VisitedEntry {
  /** From the directory where the visit began. */
  readonly names: readonly string[];
  readonly kind: EntryKind;
  readonly protected?: string;
  /** Only while the visitor is told about the entry. */
  modifiedMs(): number | undefined;
  /** Only while the visitor is told about the entry, and only for files. Protected ones are refused. */
  scan(take: TakePiece): Promise<Scanned | Refusal>;
}

export interface TreeVisit {
  readonly ok: true;
  readonly absolute: string;
  /** All entries were visited. */
  readonly complete: boolean;
}

export interface VisitOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

const maxDepth = 200;
/** Names of one directory that are held to be sorted. */
const maxNames = 200_000;
const maxSmallFile = 256 * 1024;
/** Other work of the process gets a turn at least this often. */
const sliceMs = 20;

export function visitTreeInside(
  scope: Scope,
  request: string,
  visitor: TreeVisitor,
  options: VisitOptions = {},
): Promise<TreeVisit | Refusal> {
  return withSpot(scope, request, { access: "read", cwd: options.cwd }, async (spot) => {
    if (spot.target === undefined) return missing(request);
    if (!spot.target.stats.isDirectory())
      return refusePath("not_a_directory", request, "is not a directory.");
    const visit = new Visit(scope, visitor, spot, options.signal);
    const complete = await visit.directory(spot.target, []);
    if (options.signal?.aborted) return cancelled(request);
    return { ok: true, absolute: spot.absolute, complete: complete && !visit.leftOut };
  });
}

class Visit {
  /** Something was too deep or too much. */
  leftOut = false;
  #turnEnds = performance.now() + sliceMs;
  readonly #scope: Scope;
  readonly #visitor: TreeVisitor;
  /** Where it begins. */
  readonly #top: Spot;
  readonly #signal: AbortSignal | undefined;

  constructor(scope: Scope, visitor: TreeVisitor, top: Spot, signal: AbortSignal | undefined) {
    this.#scope = scope;
    this.#visitor = visitor;
    this.#top = top;
    this.#signal = signal;
  }

  /** False when the visitor has seen enough. */
  async directory(directory: Grip, names: readonly string[]): Promise<boolean> {
    const limits = { most: maxNames, lenient: names.length > 0 };
    const listed = await readNames(this.#scope, this.#top.rootGrip, directory, limits);
    if (listed === undefined) return true;
    this.leftOut ||= listed.truncated;
    const kinds = listed.kinds;
    await this.#visitor.enter?.(names, {
      has: (name) => kinds.has(name),
      read: (name) => this.#readSmall([...names, name]),
    });
    for (const name of [...kinds.keys()].sort()) {
      if (this.#signal?.aborted || !(await this.#one(directory, [...names, name], kinds.get(name)!)))
        return false;
    }
    this.#visitor.leave?.();
    return true;
  }

  async #one(directory: Grip, names: readonly string[], kind: EntryKind): Promise<boolean> {
    const parts = [...this.#top.parts, ...names];
    if (this.#scope.statePaths.holds(parts)) return true;
    if (this.#visitor.wants?.(names, kind) === false) return true;
    if (performance.now() > this.#turnEnds) {
      await nextTurn();
      this.#turnEnds = performance.now() + sliceMs;
    }
    const name = names.at(-1)!;
    const absolute = joinParts(parts);
    const reason = protectedReason(parts, "read");
    const closed = reason !== undefined && !this.#scope.allowProtected(absolute, "read");
    const go = await this.#visitor.entry({
      names,
      kind,
      ...(reason !== undefined && { protected: reason }),
      modifiedMs: () => lstatSync(`${directory.at}/${name}`, { throwIfNoEntry: false })?.mtimeMs,
      scan: async (take) =>
        closed
          ? refusePath("protected", name, `may not be read: ${reason}.`)
          : scanChild(this.#scope, directory, { request: name, absolute, take, signal: this.#signal }),
    });
    if (go === false) return false;
    if (kind !== "directory" || closed) return true;
    if (names.length >= maxDepth) {
      this.leftOut = true;
      return true;
    }
    const child = takeDirectory(this.#scope, directory, name);
    if (child === undefined) return true;
    try {
      return await this.directory(child, names);
    } finally {
      this.#scope.grips.release(child);
    }
  }

  async #readSmall(names: readonly string[]): Promise<string | undefined> {
    const absolute = joinParts([...this.#top.parts, ...names]);
    const file = await readInside(this.#scope, absolute, { maxBytes: maxSmallFile });
    return file.ok ? file.bytes.toString("utf8") : undefined;
  }
}
