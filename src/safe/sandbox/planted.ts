/** What a sandboxed process put where a program outside would run it: found by comparing, and taken away. */

import { randomBytes } from "node:crypto";
import { chmodSync, renameSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isInside } from "../../core/input/inside-folder.ts";
import type { Grip } from "../files/inside-root/grips/grip.ts";
import { procGrips } from "../files/inside-root/grips/proc-grips.ts";
import { isHarmlessPart, isHarmlessRepository, isRunningPart } from "./git-folder.ts";
import { isBelowAny, statsOf } from "./roots.ts";
import type { Survey } from "./survey.ts";

export interface Planted {
  readonly path: string;
  readonly reason: string;
  /** Its name now. Undefined: it was there before and is only reported, or it could not be moved. */
  readonly movedTo?: string;
  /** It was locked, so something outside has changed it or taken its lock away. */
  readonly changedOutside?: true;
}

type Found = Omit<Planted, "movedTo"> & { readonly name?: Buffer };

/** Renamed, not deleted, because somebody outside may have made it just now. Nothing runs the new name. */
export async function takeAway(before: Survey, now: Survey, roots: readonly string[]): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const [at, { name, ...found }] of findPlanted(before, now, roots).entries()) {
    if (at % turn === turn - 1) await setImmediate();
    const movedTo = found.changedOutside === true ? undefined : rename(found.path, name, roots);
    if (movedTo !== undefined) planted.push({ ...found, movedTo });
    else if (statsOf(found.path) !== undefined) planted.push(found);
  }
  return planted;
}

/** Others are served after so many. */
const turn = 100;

function findPlanted(before: Survey, now: Survey, roots: readonly string[]): Found[] {
  const found: Found[] = [];
  const fresh = new Set([...now.repositories].filter((path) => !before.repositories.has(path)));
  const harmful = [...fresh].filter((path) => !isHarmlessRepository(path));
  for (const path of harmful) {
    // A bare repository may be the workspace itself; without its HEAD it is none.
    const target = basename(path).toLowerCase() === ".git" ? path : join(path, "HEAD");
    found.push({ path: target, reason: "git runs programs because of it" });
  }
  // Only its own parts: a bare repository may be the whole workspace, and the rest of that counts.
  const isPartOfFresh = (path: string): boolean => isRunningPart(path) && fresh.has(dirname(path));
  for (const [path, trap] of now.traps) {
    const known = before.traps.get(path);
    const { reason } = trap;
    if (known === undefined) {
      if (!isPartOfFresh(path) && !isHarmlessNew(path, before)) found.push({ path, reason });
    } else if (known.stamp !== trap.stamp) {
      if (known.kind === "link") found.push({ path, reason });
      if (known.kind === "file") found.push({ path, reason, changedOutside: true });
    }
  }
  for (const [link, target] of now.links) {
    if (target === undefined || !before.links.has(link) || before.links.get(link) === target) continue;
    if (roots.some((root) => target !== root && isInside(target, root)))
      found.push({ path: target, reason: `${basename(link)} leads to it` });
  }
  const closed = new Set(before.closed);
  for (const path of now.closed)
    if (!closed.has(path)) found.push({ path, reason: "nobody can look into it" });
  for (const [folder, names] of now.nameless) {
    for (const name of names)
      found.push({ path: join(folder, name.toString("utf8")), name, reason: "its name is not text" });
  }
  return outermost(found);
}

/** `git init` in a repository that lacked its hooks folder. */
function isHarmlessNew(path: string, before: Survey): boolean {
  return before.repositories.has(dirname(path)) && isRunningPart(path) && isHarmlessPart(path);
}

function outermost(found: readonly Found[]): Found[] {
  const paths = new Set(found.map(({ path }) => path));
  return found.filter(({ path }) => !isBelowAny(path, paths));
}

/** Step by step without following links: another sandboxed process may move folders about meanwhile. */
function rename(path: string, name: Buffer | undefined, roots: readonly string[]): string | undefined {
  const root = roots.find((one) => path !== one && isInside(path, one));
  if (root === undefined) return undefined;
  const ending = `.refused-${randomBytes(3).toString("hex")}`;
  const held: Grip[] = [];
  try {
    held.push(procGrips.takeRoot(root));
    for (const step of relative(root, dirname(path)).split("/").filter(Boolean))
      held.push(procGrips.takeChild(held.at(-1)!, step));
    const folder = held.at(-1)!;
    const last = name ?? Buffer.from(basename(path));
    const from = Buffer.concat([Buffer.from(`${folder.at}/`), last]);
    const to = name === undefined ? `${basename(path)}${ending}` : `nameless${ending}`;
    try {
      renameSync(from, `${folder.at}/${to}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
      chmodSync(folder.at, Number(folder.stats.mode & 0o777n) | 0o700);
      renameSync(from, `${folder.at}/${to}`);
    }
    return join(dirname(path), to);
  } catch {
    return undefined;
  } finally {
    for (const grip of held) procGrips.release(grip);
  }
}

/** For the model and for the person: what was refused, why, and what to do instead. */
export function tellPlanted(planted: readonly Planted[], folder: string): string[] {
  const shown = (path: string): string => (isInside(path, folder) ? relative(folder, path) : path);
  const lines = planted.slice(0, maxTold).map(({ path, reason, movedTo, changedOutside }) => {
    if (changedOutside === true)
      return `[${shown(path)} was changed while this ran, although nothing in the sandbox could: look at it, because ${reason}.]`;
    if (movedTo === undefined)
      return `[Refused by the sandbox: ${shown(path)}, because ${reason}. It could not be moved away: remove it.]`;
    return `[Refused by the sandbox: ${shown(path)}, because ${reason}. It is now called ${basename(movedTo)}, and nothing runs it. If it is wanted, a person has to put it there outside of the sandbox.]`;
  });
  const more = planted.length - lines.length;
  return more === 0
    ? lines
    : [...lines, `[${more} more were refused by the sandbox and renamed to NAME.refused-….]`];
}

const maxTold = 20;
