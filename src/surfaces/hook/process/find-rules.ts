/** The rules of a call: from the cache if nothing changed, else compiled anew, else the last good ones. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findFolders } from "../../../config/folders.ts";
import { type CacheKey, cacheKey } from "../../../config/rule-cache/cache-key.ts";
import { identityOf } from "../../../config/rule-cache/input-identity.ts";
import { checkOwnFolder } from "../../../config/rule-cache/own-files.ts";
import {
  isFresh,
  openRuleCache,
  type RuleCache,
  ruleCacheOf,
} from "../../../config/rule-cache/read-cache.ts";
import { readSealKey } from "../../../config/rule-cache/seal.ts";
import type { Warnings } from "./answer.ts";
import { placeVariables } from "./find-place.ts";
import type { LoadRequest } from "./load-now.ts";
import { toolgateBuild } from "./version.ts";

export interface RulesRequest extends Omit<LoadRequest, "before"> {
  /** The cache turned out to be damaged: it counts as missing. */
  readonly withoutCache?: boolean;
  /** Nobody reads the warnings of this call. */
  readonly isUnheard?: boolean;
}

/** Warnings are said once, when the rules are compiled. */
export type FoundRules =
  | (Warnings & { readonly ok: true; readonly cache: RuleCache })
  | { readonly ok: false; readonly message: string };

export async function findRules(request: RulesRequest): Promise<FoundRules> {
  const { cache: cacheFolder, state } = findFolders(request.env);
  const folder = join(cacheFolder, "rules");
  const own = checkOwnFolder(folder);
  if (!own.ok) return { ok: false, message: own.message };
  const key = keyOf(request);
  const file = join(folder, key.fileName);
  const seal = own.exists && request.withoutCache !== true ? readSealKey(state) : undefined;
  const kept = seal && openRuleCache(file, key.text, seal);
  if (kept !== undefined && isFresh(kept, request.env)) return { ok: true, cache: kept, warnings: [] };
  const before = new Map(kept?.inputs.map(([path]) => [path, identityOf(path)]));
  const { compileNow } = await import("./compile-rules.ts");
  const refused = kept === undefined && existsSync(file) ? [describeRefused(file)] : [];
  const made = await compileNow({ ...request, stateFolder: state, cacheFile: file, key: key.text, before });
  if (made.ok) {
    kept?.close();
    const cache = ruleCacheOf(made.bytes, key.text);
    if (cache === undefined) throw new Error("the rules that were just compiled cannot be read back");
    return { ok: true, cache, warnings: [...refused, ...made.warnings] };
  }
  if (kept === undefined) return { ok: false, message: describeBroken(made.problems) };
  return { ok: true, cache: kept, warnings: [], outdated: describeOutdated(made.problems) };
}

function describeRefused(file: string): string {
  return `The compiled rules in ${file} are not as toolgate left them. They were thrown away and compiled anew; if nothing else explains it (a full disk, another state folder), somebody has changed them.`;
}

export function describeBroken(problems: readonly string[]): string {
  return `The configuration of toolgate cannot be used, so every call is denied.\n${told(problems)}`;
}

export function describeOutdated(problems: readonly string[]): string {
  return `The configuration of toolgate cannot be used; the last rules that worked still hold.\n${told(problems)}`;
}

const toldProblems = 5;

function told(problems: readonly string[]): string {
  const more = problems.length - toldProblems;
  return [
    ...problems.slice(0, toldProblems),
    ...(more > 0 ? [`… and ${more} more: toolgate config validate`] : []),
  ].join("\n");
}

function keyOf({ cwd, projectDir, configFile, env }: RulesRequest): CacheKey {
  return cacheKey({
    build: toolgateBuild(),
    cwd,
    projectDir,
    configFile,
    variables: placeVariables.map((name) => env[name]),
  });
}
