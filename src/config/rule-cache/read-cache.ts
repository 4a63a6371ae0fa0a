/** Reads the rules of a cache file: the header at once, everything else when a call needs it. */
import { closeSync, readSync } from "node:fs";
import type { Concerns, RuleIndex } from "../../rules/compile-plan.ts";
import type { Environment } from "../folders.ts";
import { cacheFormat } from "./cache-key.ts";
import { type PoliciesRegion, readPolicies } from "./cached-policies.ts";
import { CachedRoutes, type RouteReader } from "./cached-routes.ts";
import { identityOf } from "./input-identity.ts";
import { fewTries } from "./known-pattern.ts";
import { type CacheHeader, magic, padded, preambleBytes, type Range, type RegionOfRules } from "./layout.ts";
import { openOwnFile } from "./own-files.ts";
import { type ByteSource, unsealed } from "./seal.ts";
import { isSameEnvironment } from "./tracked-environment.ts";

export interface RuleCache extends Omit<CacheHeader, "routes" | "policies" | "fields"> {
  readonly rules: RuleIndex;
  /** A part that was read later turned out to be damaged: what was decided with it does not count. */
  isDamaged(): boolean;
  close(): void;
}

/** Undefined: there is none for this key, or not a whole one, or not one that was sealed with this. */
export function openRuleCache(file: string, key: string, seal: Buffer): RuleCache | undefined {
  const opened = openOwnFile(file);
  if (opened === undefined) return undefined;
  const { fd, size } = opened;
  const bytes: ByteSource = {
    size,
    read: (at, target) => readSync(fd, target, 0, target.length, at),
    close: () => closeSync(fd),
  };
  const rules = unsealed(bytes, seal);
  const cache = rules && readRuleCache(rules, key);
  if (cache === undefined) bytes.close();
  return cache;
}

/** The same for rules that have just been made. */
export function ruleCacheOf(written: Buffer, key: string): RuleCache | undefined {
  return readRuleCache(
    {
      size: written.length,
      read: (at, target) => written.copy(target, 0, at, at + target.length),
      close: () => {},
    },
    key,
  );
}

/** Whether loading the configuration again would give the same rules. */
export function isFresh({ settled, inputs, variables }: RuleCache, env: Environment): boolean {
  if (!settled || !isSameEnvironment(variables, env)) return false;
  return inputs.every(([path, identity]) => identityOf(path) === identity);
}

function readRuleCache(bytes: ByteSource, key: string): RuleCache | undefined {
  try {
    const file = new CacheFile(bytes);
    const { routes, policies, fields, ...facts } = file.header;
    if (facts.key !== key) return undefined;
    return { ...facts, rules: indexOf(file), isDamaged: () => file.isDamaged, close: () => bytes.close() };
  } catch {
    // Cut short, damaged, or of another format: it has to be made again.
    return undefined;
  }
}

function indexOf(file: CacheFile): RuleIndex {
  const { routes, policies, fields } = file.header;
  const tries = fewTries();
  const reader: RouteReader = {
    fields,
    tries,
    readBytes: (range) => file.readRegion(range),
    readBody: (range) => file.readBody(range),
  };
  // A region holds rules that narrow and rules that widen. Where it matters, each is asked again.
  const regionsFor = <Region extends RegionOfRules>(regions: readonly Region[], concerns: Concerns) => {
    const found = regions.filter(({ tools }) => concerns(tools, true));
    return { found, differ: found.some(({ tools }) => !concerns(tools, false)) };
  };
  return {
    version: 1,
    // Counting calls needs a memory that outlives the process; a hook has none.
    limits: [],
    // Who runs them binds them: see `hooks` of the cache.
    hooks: [],
    routesFor(concerns) {
      const { found, differ } = regionsFor(routes, concerns);
      const list = new CachedRoutes(found, reader);
      if (!differ) return list;
      return [...list].filter(({ action, route }) => action !== "allow" || concerns(route.tool, false));
    },
    policiesFor(concerns) {
      const { found, differ } = regionsFor(policies, concerns);
      const regions = found.map((region) => JSON.parse(file.readRegion(region).toString()) as PoliciesRegion);
      const list = readPolicies(regions, tries);
      if (!differ) return list;
      return list.filter(({ action, policy }) => action !== "approve" || concerns(policy.tools, false));
    },
  };
}

/** One read brings preamble and header of most configurations. */
const firstBytes = 2 * 1024;

class CacheFile {
  readonly header: CacheHeader;
  isDamaged = false;
  readonly #bytes: ByteSource;
  readonly #half: number;
  readonly #regionsAt: number;
  readonly #bodiesAt: number;

  constructor(bytes: ByteSource) {
    this.#bytes = bytes;
    this.#half = bytes.size / 2;
    if (bytes.size % 8 !== 0 || this.#half < preambleBytes) throw damaged();
    let start = this.#read(0, Math.min(firstBytes, this.#half));
    if (start.toString("latin1", 0, magic.length) !== magic) throw damaged();
    const words = new Uint32Array(start.buffer, start.byteOffset, preambleBytes / 4);
    const [format, headerBytes = 0, half, bodiesAt = 0] = words.subarray(2);
    const end = preambleBytes + headerBytes;
    if (format !== cacheFormat || half !== this.#half || end > half || bodiesAt > half) throw damaged();
    if (end > start.length) start = this.#read(0, end);
    this.header = JSON.parse(start.toString("utf8", preambleBytes, end)) as CacheHeader;
    this.#regionsAt = preambleBytes + padded(headerBytes);
    this.#bodiesAt = bodiesAt;
  }

  readRegion({ at, length }: Range): Buffer {
    return this.noticing(() => this.#read(this.#regionsAt + at, length));
  }

  readBody({ at, length }: Range): unknown {
    return this.noticing(() => JSON.parse(this.#read(this.#bodiesAt + at, length).toString()));
  }

  noticing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.isDamaged = true;
      throw error;
    }
  }

  /** Both copies, and only if they are the same. */
  #read(at: number, length: number): Buffer {
    if (!Number.isInteger(at) || !(length > 0) || at + length > this.#half) throw damaged();
    // Not from the shared pool: numbers are read in place and have to be aligned.
    const first = Buffer.allocUnsafeSlow(length);
    const second = Buffer.allocUnsafeSlow(length);
    const whole =
      this.#bytes.read(at, first) === length && this.#bytes.read(this.#half + at, second) === length;
    if (!whole || !first.equals(second)) throw damaged();
    return first;
  }
}

function damaged(): Error {
  return new Error("The rule cache is damaged.");
}
