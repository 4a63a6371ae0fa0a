/** Where an absolute path leads once links are followed, there or not. For decisions, never for an open. */
import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, normalize, parse } from "node:path";
import { quietly } from "../../../../core/run/quietly.ts";
import { joinParts, partsOf } from "../request-path.ts";

export interface RealLocation {
  readonly path: string;
  /** Every link that was followed, by its own real path. */
  readonly links: readonly string[];
  /** Another process may see another place under this path. */
  readonly doubt?: string;
}

const maxLinks = 40;

/** Throws the errno of the system (`ELOOP`, `EACCES`). */
export function realLocation(absolute: string): RealLocation {
  const plain = withoutLinks(absolute);
  const found = plain === undefined ? followed(absolute) : { path: plain, links: [] };
  return kernelPath.test(found.path)
    ? { ...found, doubt: "it leads into a file system of the kernel" }
    : found;
}

const kernelPath = /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/;

/** The common case by a few system calls: no link on the way, and at most the last name missing. */
function withoutLinks(absolute: string): string | undefined {
  if (normalize(absolute) !== absolute) return undefined;
  if (lstatSync(absolute, { throwIfNoEntry: false }) !== undefined)
    return isReal(absolute) ? absolute : undefined;
  const parent = dirname(absolute);
  if (lstatSync(parent, { throwIfNoEntry: false }) === undefined) return undefined;
  return isReal(parent) ? absolute : undefined;
}

/** A link that leads nowhere is not real; where it leads is found step by step. */
function isReal(path: string): boolean {
  return quietly(() => realpathSync.native(path)) === path;
}

/** Where file systems ignore case or know short names, the name that the file system uses. */
function spelled(path: string, name: string): string {
  return process.platform === "linux" ? name : basename(realpathSync.native(path)) || name;
}

function followed(absolute: string): RealLocation {
  const anchor = partsOf(parse(absolute).root).length;
  let here = partsOf(absolute).slice(0, anchor);
  let pending = partsOf(absolute).slice(anchor);
  const links: string[] = [];
  let missing = false;
  let doubt: string | undefined;
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (next === "..") {
      if (missing) doubt = "it steps upwards from something that does not exist";
      if (here.length > anchor) here = here.slice(0, -1);
      continue;
    }
    const path = joinParts([...here, next]);
    const stats: Stats | undefined = missing ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) {
      missing ||= stats === undefined;
      here = [...here, stats === undefined ? next : spelled(path, next)];
      continue;
    }
    links.push(path);
    if (links.length > maxLinks) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    // `/proc/self/cwd` is one place for us and another for the tool that will run.
    if (kernelPath.test(path)) doubt = "it leads through a file system of the kernel";
    const text = readlinkSync(path);
    if (isAbsolute(text)) here = partsOf(parse(text).root);
    pending = [...partsOf(text).slice(isAbsolute(text) ? here.length : 0), ...pending];
  }
  const path = joinParts(here);
  return doubt === undefined ? { path, links } : { path, links, doubt };
}
