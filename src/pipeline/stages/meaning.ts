/**
 * What a call means on this machine: where its paths lead, which files its programs are, which rule asks. A
 * yes is bound to it, so that what is put in the place of a path meanwhile (a link, another program) does not
 * inherit the yes.
 */

import type { Meaning } from "../../core/call/approval.ts";
import type { RuleRef } from "../../core/call/errors.ts";
import { fingerprint } from "../../core/input/fingerprint.ts";
import { isInside } from "../../core/input/inside-folder.ts";
import type { Json } from "../../core/input/json.ts";
import type { Location } from "../../core/ports/location.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { valuesOf } from "./derived-values.ts";
import { placesOf } from "./opened-paths.ts";

/** Of the places that were decided on, not of those that a second look would find. Made once a decision. */
export function meaningOf(call: Call, parts: DecidingParts): Meaning {
  call.meaning ??= readMeaning(call, parts);
  return call.meaning;
}

/** The same look at the disk as it is now. */
export function meaningNow(call: Call, parts: DecidingParts): Meaning {
  return readMeaning({ ...call, ...placesOf(call, valuesOf(call), parts) }, parts);
}

function readMeaning(call: Call, parts: DecidingParts): Meaning {
  const { subjects = [], bound, cwd, roots } = call;
  const places = new Map<string, Location>();
  const names = new Set<string>();
  for (const { path, command } of subjects) {
    if (typeof path === "object") places.set(path.absolute, path);
    if (command === undefined) continue;
    const [program, ...wrappers] = [command.argv[0], ...command.via];
    if (program !== undefined && !command.dynamic.includes(0)) names.add(program);
    for (const wrapper of wrappers) if (wrapper !== undefined) names.add(wrapper);
  }
  if (bound !== undefined) places.set(bound.absolute, bound);
  if (names.size > 0) {
    const here = parts.judges.locatePath(".", { cwd, roots, access: "read" });
    if (!places.has(here.absolute)) places.set(here.absolute, here);
  }
  // A line may change its folder before it starts `./build`: every place that it names is one to look in.
  const folders = [...places.keys()];
  return Object.freeze({
    paths: [...places.values()].map(shownPlace).sort(by(({ path }) => path)),
    programs: [...names]
      .map((name) => ({ name, files: parts.findProgramFiles(name, folders) }))
      .sort(by(({ name }) => name)),
  });
}

function shownPlace({ absolute, inside, protected: reason }: Location): Meaning["paths"][number] {
  return { path: absolute, inside, ...(reason !== undefined && { protected: reason }) };
}

function by<Item>(key: (item: Item) => string) {
  return (one: Item, other: Item) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0);
}

export interface MeaningHashes {
  readonly here: string;
  /** With the workspace taken out: the same in another project. */
  readonly anywhere: string;
  /** The rule alone. */
  readonly tool: string;
}

/** The first word keeps the kinds apart: none of them can be taken for another. */
export function hashMeaning(
  meaning: Meaning,
  rule: RuleRef | undefined,
  roots: readonly string[],
): MeaningHashes {
  const asked: Json = rule === undefined ? null : [rule.kind, rule.name, rule.source?.file ?? null];
  return {
    here: fingerprint(["here", asked, toJson(meaning, (path) => path)]),
    anywhere: fingerprint(["anywhere", asked, toJson(meaning, (path) => withoutRoot(path, roots))]),
    tool: fingerprint(["tool", asked]),
  };
}

function toJson({ paths, programs }: Meaning, spell: (path: string) => string): Json {
  return {
    paths: paths.map(({ path, inside, protected: reason = null }) => [spell(path), inside, reason]),
    programs: programs.map(({ name, files }) => [name, ...files.map(spell)]),
  };
}

function withoutRoot(path: string, roots: readonly string[]): string {
  const index = roots.findIndex((root) => isInside(path, root));
  return index === -1 ? path : `root ${index}:${path.slice(roots[index]?.length)}`;
}

/** For whoever is told that the yes is void. Undefined: nothing differs. */
export function explainChange(asked: Meaning, now: Meaning): string | undefined {
  const before = new Map(asked.paths.map((place) => [place.path, place]));
  for (const place of now.paths) {
    const was = before.get(place.path);
    if (was === undefined) return `it leads to ${place.path} now, which nobody was shown`;
    if (was.inside !== place.inside || was.protected !== place.protected)
      return `${place.path} is ${place.inside ? "inside" : "outside of"} the workspace now, or protected for another reason`;
  }
  const [gone] = asked.paths.filter(({ path }) => !now.paths.some((place) => place.path === path));
  if (gone !== undefined) return `it no longer leads to ${gone.path}`;
  for (const { name, files } of now.programs) {
    const was = asked.programs.find((program) => program.name === name);
    if (was?.files.join("\0") !== files.join("\0"))
      return `${name} is ${files.length === 0 ? "no program" : files.join(", ")} now, and was ${was?.files.join(", ") || "none"}`;
  }
  return undefined;
}
