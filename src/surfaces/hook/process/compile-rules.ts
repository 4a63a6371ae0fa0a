/** The slow way to the rules: loads the configuration, compiles it, keeps the result for the next call. */
import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { encodeRules } from "../../../config/rule-cache/encode-rules.ts";
import { readSealKey, sealBytes, sealKeyBytes, sealKeyFile } from "../../../config/rule-cache/seal.ts";
import { writeRuleCache } from "../../../config/rule-cache/write-cache.ts";
import { anchorFiles } from "../../../config/settings/ledger-settings.ts";
import { messageOf } from "../../../core/call/errors.ts";
import { createPrivateFile, replacePrivateFile } from "../../../safe/files/private-file.ts";
import { compilePattern } from "../../../safe/regex/safe-regex.ts";
import { type LoadRequest, loadNow } from "./load-now.ts";

export interface CompileRequest extends LoadRequest {
  /** Holds the key by which the cache is known to be ours. */
  readonly stateFolder: string;
  readonly cacheFile: string;
  readonly key: string;
  /** Nobody reads the warnings of this call. */
  readonly isUnheard?: boolean | undefined;
}

export type CompiledNow =
  /** As they were written, whether or not the file could be kept. */
  | { readonly ok: true; readonly bytes: Buffer; readonly warnings: readonly string[] }
  /** Each with file, line and column where it has them. */
  | { readonly ok: false; readonly problems: readonly string[] };

export async function compileNow(request: CompileRequest): Promise<CompiledNow> {
  const { key, cacheFile, stateFolder } = request;
  const loaded = await loadNow(request);
  if (!loaded.ok) return loaded;
  const { config, settled, inputs, variables, warnings } = loaded;
  const { hooks = [] } = config.rules;
  const anchors = anchorFiles(config);
  const bytes = encodeRules(
    {
      key,
      settled,
      inputs,
      variables,
      projectDir: realFolder(config.projectDir),
      checkDefault: config.settings.checkDefault,
      ...(config.settings.asking && { asking: config.settings.asking }),
      ...(config.settings.shellDialect && { shellDialect: config.settings.shellDialect }),
      ...(anchors.length > 0 && { anchorFiles: anchors }),
      ...(hooks.length > 0 && { hooks }),
    },
    config.compiled.rules,
    readPattern,
  );
  // Warnings are told once, when rules are kept: who cannot tell them leaves both to the next call.
  const isLeft = request.isUnheard === true && warnings.length > 0;
  const failed = isLeft ? undefined : keep(bytes, cacheFile, stateFolder);
  return { ok: true, bytes, warnings: [...warnings, ...(failed === undefined ? [] : [failed])] };
}

/** Undefined: kept. Otherwise why not. */
function keep(bytes: Buffer, cacheFile: string, stateFolder: string): string | undefined {
  try {
    let key = readSealKey(stateFolder);
    if (key === undefined) {
      const file = sealKeyFile(stateFolder);
      const text = randomBytes(sealKeyBytes).toString("hex");
      // A key that cannot be believed is replaced. Processes that make the first one all take the same.
      if (!createPrivateFile(file, text) && readSealKey(stateFolder) === undefined)
        replacePrivateFile(file, text);
      key = readSealKey(stateFolder);
    }
    if (key === undefined) return `The compiled rules are not kept: ${stateFolder} holds no key of yours.`;
    return writeRuleCache(cacheFile, sealBytes(bytes, key, randomBytes(8)));
  } catch (error) {
    return `The compiled rules are not kept: ${messageOf(error)}`;
  }
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
