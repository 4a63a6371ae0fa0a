/**
 * Makes the environment of a child process: a short allowlist of ours plus what the caller declared, never
 * the whole of `process.env`.
 */

export interface EnvironmentOptions {
  /** Further names to copy from our environment, when set there. */
  readonly allow?: readonly string[];
  /** Variables with their values, as declared by the tool's author. */
  readonly declared?: Readonly<Record<string, string>>;
  readonly source?: Readonly<Record<string, string | undefined>>;
}

export type ChildEnvironment =
  | { readonly ok: true; readonly env: Record<string, string> }
  | { readonly ok: false; readonly message: string };

/** Variables which say where things are and how text looks; none of them carries a secret or loads code. */
const INHERITED = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "NO_COLOR"],
  // Behind a company's own certificate authority nothing can be fetched without them; they are paths.
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  // Windows cannot start most programs without these.
  ...["SystemRoot", "windir", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA"],
]);
const LOCALE = /^LC_[A-Z]+$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Our own settings (tokens, store addresses) and the mark by which we find our processes again. */
const RESERVED = /^TOOLGATE_/i;

export function childEnvironment(options: EnvironmentOptions = {}): ChildEnvironment {
  const source = options.source ?? process.env;
  const env: Record<string, string> = Object.create(null);
  const allowed = new Set(options.allow ?? []);
  for (const name of [...allowed, ...Object.keys(options.declared ?? {})]) {
    if (!NAME.test(name)) return refused(name, "is not a variable name");
    if (RESERVED.test(name)) return refused(name, "is reserved for toolgate itself");
  }
  // Names first: each value of our own environment that is looked at costs as much as all names together.
  for (const name of Object.keys(source)) {
    if (!INHERITED.has(name) && !allowed.has(name) && !LOCALE.test(name)) continue;
    const value = source[name];
    if (value !== undefined) env[name] = value;
  }
  for (const [name, value] of Object.entries(options.declared ?? {})) {
    if (typeof value !== "string") return refused(name, "must have a text value");
    if (value.includes("\0")) return refused(name, "holds a NUL character");
    env[name] = value;
  }
  if (env.PATH !== undefined) env.PATH = absoluteEntries(env.PATH);
  // Windows looks for programs in the working directory first, which belongs to the workspace.
  if (process.platform === "win32") env.NoDefaultCurrentDirectoryInExePath = "1";
  return { ok: true, env };
}

/** A relative entry such as `.` would let a file of the workspace stand in for any program. */
function absoluteEntries(path: string): string {
  const windows = process.platform === "win32";
  const absolute = windows ? /^([A-Za-z]:[\\/]|\\\\)/ : /^\//;
  const separator = windows ? ";" : ":";
  return path
    .split(separator)
    .filter((entry) => absolute.test(entry))
    .join(separator);
}

function refused(name: string, why: string): ChildEnvironment {
  return {
    ok: false,
    message: `The variable ${JSON.stringify(name)} ${why}; remove it from the declared environment.`,
  };
}
