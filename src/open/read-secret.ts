/** A secret that a configuration file only names: by an environment variable, or by a file that holds it. */
import type { Environment } from "../config/folders.ts";
import { ToolgateError } from "../core/call/errors.ts";
import { readSmallFile } from "../safe/files/small-file.ts";

const maxBytes = 16 * 1024;

export interface SecretPlace {
  readonly variable?: string | undefined;
  readonly file?: string | undefined;
}

/**
 * Read whenever it is needed: a secret can be changed while the server runs. Throws then if it is not there.
 * Undefined: no place is named.
 */
export function createSecretReader(
  { variable, file }: SecretPlace,
  env: Environment,
): (() => string) | undefined {
  if (variable !== undefined)
    return () => {
      const secret = env[variable];
      if (secret?.trim()) return secret;
      throw new ToolgateError(`the environment variable ${variable} is not set.`);
    };
  if (file === undefined) return undefined;
  return () => {
    const read = readSmallFile(file, maxBytes);
    if (typeof read === "object") return read.text;
    throw new ToolgateError(`${file}: ${whyNot[read]}`);
  };
}

const whyNot = {
  missing: "there is no such file.",
  odd: "it is no plain file.",
  "too large": `a secret has no more than ${maxBytes} bytes.`,
  closed: "it may not be read.",
} as const;
