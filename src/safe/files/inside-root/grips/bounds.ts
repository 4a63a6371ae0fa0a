/** Where one walk may end: at a path that is inside or opened, that was judged, and is not protected. */
import type { BigIntStats } from "node:fs";
import { normalize } from "node:path";
import { quietly } from "../../../../core/run/quietly.ts";
import { guardNames, ownState } from "../guard.ts";
import { quoted, type Refusal, refuse, refusePath } from "../refusal.ts";
import { joinParts, partsOf, startsWith } from "../request-path.ts";
import type { Root } from "../roots.ts";
import type { Scope } from "../scope.ts";
import { type Grip, sameThing } from "./grip.ts";
import { realLocation } from "./real-location.ts";
import type { WalkOptions } from "./walk.ts";

export class Bounds {
  /** The link that was followed last, in words: a refusal names it. */
  via: string | undefined;
  readonly #scope: Scope;
  readonly #request: string;
  readonly #options: WalkOptions;
  readonly #own: readonly BigIntStats[];

  constructor(scope: Scope, request: string, options: WalkOptions) {
    this.#scope = scope;
    this.#request = request;
    this.#options = options;
    this.#own = scope.statePaths.identities();
  }

  /** By its names. `mayBeOnTheWay`: it may also be a folder above what was judged. */
  refuse(root: Root, names: readonly string[], mayBeOnTheWay = false): Refusal | undefined {
    const parts = [...root.realParts, ...names];
    return this.#beyond(root, parts) ?? this.#elsewhere(parts, mayBeOnTheWay) ?? this.guard(parts);
  }

  guard(parts: readonly string[]): Refusal | undefined {
    return guardNames(this.#scope, this.#request, parts, this.#options);
  }

  /** By what it is: our own state may have other names. */
  refuseOwn(grips: readonly Grip[]): Refusal | undefined {
    const isOwn = grips.some((grip) => this.#own.some((own) => sameThing(own, grip.stats)));
    return isOwn ? ownState(this.#request) : undefined;
  }

  outside(parts: readonly string[]): Refusal {
    const own = this.#scope.roots.filter((root) => root.opened !== true);
    const roots = own.map((root) => quoted(root.real)).join(", ");
    const target = quoted(normalize(joinParts(parts)));
    const where = this.via
      ? `${this.via}, which leads to ${target}`
      : `${quoted(this.#request)} is ${target}`;
    return refuse(
      "outside_root",
      this.#request,
      `${where}, outside of ${roots}. Use a path inside, or ask for that directory to be added as a root.`,
    );
  }

  /** Only what was opened may be used; the folder it lies in is just the way to it. */
  #beyond(root: Root, parts: readonly string[]): Refusal | undefined {
    if (root.opened !== true) return undefined;
    const { opened } = this.#scope;
    const { access, metadataOnly } = this.#options;
    const isOpen = opened.covers(parts, access) || (metadataOnly === true && opened.leadsTo(parts));
    return isOpen ? undefined : this.outside(parts);
  }

  /** Inside, but not where the path led when it was judged: a link was put in its place since. */
  #elsewhere(parts: readonly string[], mayBeOnTheWay: boolean): Refusal | undefined {
    const { only } = this.#scope;
    if (only === undefined) return undefined;
    const isJudged = (way: readonly string[]) => only.some((judged) => startsWith(way, judged));
    if (isJudged(parts)) return undefined;
    // Whoever makes a new file looks at the folders above it first, and makes those that are missing.
    if (mayBeOnTheWay && only.some((judged) => startsWith(judged, parts))) return undefined;
    // What acts on a link itself was judged by where the link leads.
    if (this.#options.followLast === false && isJudged(otherSpelling(parts))) return undefined;
    const now = quoted(joinParts(parts));
    return refusePath(
      "changed",
      this.#request,
      `leads to ${now} now, and led elsewhere when the call was decided. Look at it, then call again.`,
    );
  }
}

/** The same place without links. Errors count as elsewhere: answers must not show what is outside. */
export function otherSpelling(parts: readonly string[]): readonly string[] {
  return quietly(() => partsOf(realLocation(joinParts(parts)).path)) ?? [];
}
