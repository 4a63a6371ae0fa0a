/** Which file holds the rules for this place, this environment, this toolgate and this Node. */
import { shortHash } from "../../core/text/short-hash.ts";

/** Grows with every change of the layout or of its meaning. */
export const cacheFormat = 7;

export interface CachePlace {
  /** Version and build of toolgate: another one may read the same rules differently. */
  readonly build: string;
  readonly cwd: string;
  readonly projectDir: string | undefined;
  readonly configFile: string | undefined;
  /** The variables that choose which files are read. What else loading asks for stands in the file. */
  readonly variables: readonly (string | undefined)[];
}

export interface CacheKey {
  /** Everything, in full: it stands in the file, so that two keys with one file name are told apart. */
  readonly text: string;
  readonly fileName: string;
}

export function cacheKey({ build, cwd, projectDir, configFile, variables }: CachePlace): CacheKey {
  // Patterns were tried by one V8 and lie in the file in the byte order of one machine.
  const engine = [process.version, process.arch, process.platform];
  const place = [cwd, projectDir ?? null, configFile ?? null, ...variables.map((one) => one ?? null)];
  const text = JSON.stringify([cacheFormat, build, ...engine, ...place]);
  return { text, fileName: `${shortHash(text)}.rules` };
}
