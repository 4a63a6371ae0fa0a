/**
 * A quick look at a call that no rule speaks about: could it touch what is toolgate's own, or be a command of
 * ours? Says yes where it is not sure; then the judges look, which takes a hundred times as long.
 */
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, resolve, sep } from "node:path";
import type { NearOwn } from "../../core/ports/location.ts";
import { quietly } from "../../core/run/quietly.ts";

export interface NearOwnOptions {
  readonly statePaths: readonly string[];
  readonly programPaths: readonly string[];
}

/** More is worth a real look. */
const maxWords = 200;
const maxFolders = 8;

export function createNearOwn({ statePaths, programPaths }: NearOwnOptions): NearOwn {
  let own: { readonly state: readonly string[]; readonly programs: readonly string[] } | undefined;
  const real = () => {
    own ??= { state: spellings(statePaths), programs: spellings(programPaths) };
    return own;
  };
  const isOn = (paths: readonly string[], path: string, orAbove: boolean): boolean => {
    const folded = folder(realPath(path));
    return paths.some((one) => folded.startsWith(one) || (orAbove && one.startsWith(folded)));
  };
  const isNear = (path: string): boolean =>
    isOn(real().state, path, true) || isOn(real().programs, path, true);
  /** Where a shell stands counts, because of `grep -r` and `rm -r`. A project with our package does not. */
  const isAround = (cwd: string): boolean =>
    !isAbsolute(cwd) || isOn(real().state, cwd, true) || isOn(real().programs, cwd, false);
  return {
    path: (path, cwd) => telling.test(path) || isNear(resolve(cwd, path)),
    command(line, cwd) {
      const bare = line.replace(/\\\r?\n|["'\\]/g, "");
      if (telling.test(bare) || notLiteral.test(bare) || isAround(cwd)) return true;
      const words = bare.split(/[\s;&|()<>=:,@]+/).filter((word) => word !== "");
      if (words.length > maxWords) return true;
      // Any folder that the line names may be where the rest of it happens (`cd`, `git -C`).
      const folders = [cwd];
      for (const word of words) {
        for (const path of pathsIn(word)) {
          for (const base of [...folders]) {
            const full = resolve(base, path);
            if (isNear(full)) return true;
            if (!folders.includes(full) && quietly(() => realpathSync.native(full)) !== undefined)
              folders.push(full);
          }
        }
        if (folders.length > maxFolders) return true;
      }
      return false;
    },
  };
}

/** Our names anywhere; file: URLs, which have many spellings; what makes words of its input. */
const telling =
  /toolgate|\bcli\.[cm]?[jt]s|\bhook\.(?:sh|cjs)|approvals|file:|xargs|~|\.local\b|\.config\b|\.cache\b/i;
/** The shell makes other words of these, also of the program's name. */
const notLiteral = /[$`*?[\]{}^]|\.\.|\bcd\s*(?:$|[;&|\n])|\b(?:parallel|eval|pushd|popd)\b/;

/** `-f/x` and `-fx` name a file, too. */
function pathsIn(word: string): string[] {
  const paths = [word];
  const slash = word.indexOf("/");
  if (slash > 0) paths.push(word.slice(slash));
  if (word.startsWith("-") && word.length > 2) paths.push(word.slice(2));
  return paths;
}

/** As far as it is there; the rest as written. A link to what is not there yet leads there all the same. */
function realPath(path: string, links = 0): string {
  const real = quietly(() => realpathSync.native(path));
  const above = dirname(path);
  if (real !== undefined || above === path) return real ?? path;
  const target = links < maxLinks ? quietly(() => readlinkSync(path)) : undefined;
  if (target !== undefined) return realPath(resolve(above, target), links + 1);
  return resolve(realPath(above, links), basename(path));
}

const maxLinks = 40;

function spellings(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [path, realPath(path)]))].map(folder);
}

function folder(path: string): string {
  return (path.endsWith(sep) ? path : `${path}${sep}`).toLowerCase();
}
