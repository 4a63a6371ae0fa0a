/** Reads the arguments of `toolgate check` quickly: an agent waits for it on every call. */

export interface CheckArgs {
  readonly agent?: string;
  readonly config?: string;
}

/** Undefined: help is wanted, or something is wrong; the full program says what. */
export function readCheckArgs(argv: readonly string[]): CheckArgs | undefined {
  const found: { agent?: string; config?: string } = {};
  for (let index = 0; index < argv.length; index++) {
    const match = /^--(agent|config)(?:=(.*))?$/s.exec(argv[index] ?? "");
    if (match === null) return undefined;
    const value = match[2] ?? argv[++index];
    if (value === undefined) return undefined;
    found[match[1] as "agent" | "config"] = value;
  }
  return found;
}
