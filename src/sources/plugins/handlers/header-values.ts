/** The headers of an http handler: only `${NAME}` changes, into the value of a declared variable. */
import { checkRequest } from "../../../safe/net/request-parts.ts";
import type { HandlerPlace, HandlerProblem } from "./prepared-handler.ts";

export interface HeaderValues {
  readonly ok: true;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of variables that their name or header calls credentials: the model must not get them back. */
  readonly secrets: readonly string[];
  /** Declared variables that have no value. */
  readonly unset: readonly string[];
}

export type FilledHeaders =
  | HeaderValues
  | { readonly ok: false; readonly problems: readonly HandlerProblem[] };

export function fillHeaders(written: Readonly<Record<string, string>>, place: HandlerPlace): FilledHeaders {
  const problems: HandlerProblem[] = [];
  const headers: Record<string, string> = Object.create(null);
  const secrets = new Set<string>();
  const unset = new Set<string>();
  for (const [name, value] of Object.entries(written)) {
    const problem = explainBad(value, place);
    if (problem !== undefined) {
      problems.push({ field: `headers.${name}`, message: problem });
      continue;
    }
    headers[name] = value.replace(reference, (_, variable: string) => {
      const found = own(place.env, variable);
      if (found === undefined) unset.add(variable);
      else if (namesCredential(name) || namesCredential(variable)) secrets.add(found);
      return found ?? "";
    });
    const checked = checkRequest("POST", { [name]: headers[name] }, undefined);
    if (!checked.ok)
      problems.push({ field: `headers.${name}`, message: `${checked.message} ${checked.hint}` });
  }
  const together = checkRequest("POST", headers, undefined);
  if (problems.length === 0 && !together.ok)
    problems.push({ field: "headers", message: `${together.message} ${together.hint}` });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, headers, secrets: [...secrets], unset: [...unset] };
}

/** By its name. A team or a region is no secret, and taking such words out would damage answers. */
export function namesCredential(name: string): boolean {
  return /auth|cookie|key|token|secret|passw|credential|session/i.test(name);
}

const reference = /\$\{([^}]*)\}/g;

function explainBad(value: unknown, { env, declared }: HandlerPlace): string | undefined {
  if (typeof value !== "string") return "A header's value must be text.";
  if (value.includes("{{"))
    return "A header cannot hold a placeholder: it would carry the caller's text past the rules. Send it in the path, the query or the body.";
  for (const [whole, name = ""] of value.matchAll(reference)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return `${whole} does not name a variable; write \${NAME}.`;
    if (/^TOOLGATE_/i.test(name)) return `${whole} belongs to toolgate itself and is not given to plugins.`;
    if (!(declared ?? Object.keys(env)).includes(name))
      return `${whole} is not among the variables that this file declares; add ${name} to its env.`;
  }
  return value.replace(reference, "").includes("${") ? `A ${"${"} is never closed.` : undefined;
}

function own(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
