/** Which file holds the rules for this place, this environment, this toolgate and this Node. */

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
  return { text, fileName: `${shortName(text)}.rules` };
}

/**
 * Only a name: the full key decides. `node:crypto` would cost more than all the rest. Code is slow the first
 * time it runs, so two characters are taken at a time.
 */
function shortName(text: string): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 2) {
    const both = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
    one = Math.imul(one ^ both, 2_654_435_761);
    other = Math.imul(other ^ both ^ (one >>> 15), 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return (one >>> 0).toString(16) + (other >>> 0).toString(16);
}
