/** The slow way to the rules: loads the configuration, compiles and screens everything, keeps the result for the next call. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { describeConfigProblem } from "../../config/config-problem.ts";
import type { Environment } from "../../config/folders.ts";
import { encodeRules } from "../../config/rule-cache/encode-rules.ts";
import { identityOf, isSettled, notThere } from "../../config/rule-cache/input-identity.ts";
import { trackEnvironment } from "../../config/rule-cache/tracked-environment.ts";
import { writeRuleCache } from "../../config/rule-cache/write-cache.ts";
import { openConfig } from "../../open-config.ts";
import { compilePattern } from "../../safe/safe-regex.ts";

export interface CompileRequest {
  readonly cwd: string;
  readonly projectDir: string | undefined;
  readonly configFile: string | undefined;
  readonly shippedFile: string | undefined;
  readonly env: Environment;
  readonly cacheFile: string;
  readonly key: string;
  /** What was where before loading began, as far as it is known which paths matter. */
  readonly before: ReadonlyMap<string, string>;
}

export type CompiledNow =
  /** As they were written, whether or not the file could be kept. */
  | { readonly ok: true; readonly bytes: Buffer; readonly warnings: readonly string[] }
  /** Each with file, line and column where it has them. */
  | { readonly ok: false; readonly problems: readonly string[] };

export async function compileNow(request: CompileRequest): Promise<CompiledNow> {
  const { cwd, projectDir, configFile, shippedFile, key, cacheFile } = request;
  const startedAt = Date.now();
  const place = `${projectDir ?? cwd}/`;
  const placeBefore = identityOf(place);
  const { env, read: variables } = trackEnvironment(request.env);
  const config = await openConfig({
    cwd,
    env,
    ...(projectDir !== undefined && { projectDir }),
    ...(configFile !== undefined && { configFile }),
    ...(shippedFile !== undefined && { shippedFile }),
  });
  const { compiled } = config;
  if (!compiled.ok) return { ok: false, problems: compiled.problems.map(describeConfigProblem) };
  const { hooks = [] } = config.rules;
  const read = new Set(config.sources.map(({ file }) => file));
  const paths = [...config.inputs, place, `${config.projectDir}/`];
  const inputs = paths.map((path): [string, string] => [path, identityOf(path)]);
  const bytes = encodeRules(
    {
      key,
      settled:
        identityOf(place) === placeBefore &&
        inputs.every(([path, now]) => {
          if (isSettled(path, startedAt)) return true;
          // Folders in which an agent works change all the time; that this path was not there before, nor read, nor is there now, will do.
          return now === notThere && request.before.get(path) === notThere && !read.has(path);
        }),
      inputs,
      variables: variables(),
      projectDir: realFolder(config.projectDir),
      checkDefault: config.settings.checkDefault,
      ...(hooks.length > 0 && { hooks }),
    },
    compiled.rules,
    readPattern,
  );
  const failed = writeRuleCache(cacheFile, bytes);
  const ignored = config.ignored.map(
    ({ file, line, what, why }) =>
      `${file}${line === undefined ? "" : `:${line}`}: ${what} is ignored: ${why} (toolgate trust)`,
  );
  return {
    ok: true,
    bytes,
    warnings: [...ignored, ...config.notes, ...(failed === undefined ? [] : [failed])],
  };
}

/** Links are followed once, as a gate does with its roots. */
function realFolder(folder: string): string {
  try {
    return realpathSync(resolve(folder));
  } catch {
    return resolve(folder);
  }
}

function readPattern(source: string) {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.message);
  const { pattern } = compiled;
  const written = { source, flags: undefined };
  return { written, source: pattern.source, flags: pattern.flags, linear: pattern.linear };
}
