/** `${NAME}` and `${NAME:-otherwise}` in files: secrets stay in the environment, files only name them. */

const reference = /\$\{([^}]*)\}/g;
const inside = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?$/;

/** Why a text cannot be filled in; undefined: it can, or holds nothing to fill in. */
export function explainBadReferences(text: string): string | undefined {
  for (const [whole, name = ""] of text.matchAll(reference))
    if (!inside.test(name)) return `${whole} is not the name of an environment variable.`;
  return undefined;
}

export type Filled =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: readonly string[] };

/** A variable that is not set, or empty, is missing: an empty key would be sent as if it were one. */
export function fillIn(text: string, env: Readonly<Record<string, string | undefined>>): Filled {
  if (!text.includes("${")) return { ok: true, text };
  const missing: string[] = [];
  const filled = text.replaceAll(reference, (whole, written: string) => {
    const [, name = "", otherwise] = inside.exec(written) ?? [];
    const value = env[name] || otherwise;
    if (value === undefined) missing.push(name || whole);
    return value ?? "";
  });
  return missing.length > 0 ? { ok: false, missing } : { ok: true, text: filled };
}

/** Names of the variables that a text needs or would take. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(reference)].flatMap(([, written = ""]) => inside.exec(written)?.[1] ?? []);
}
