/** Where arguments go that the URL does not use: into the JSON body, or into the query without one. */
import type { HandlerInput } from "./prepared-handler.ts";

export type RequestContent =
  | {
      readonly ok: true;
      readonly body: string | undefined;
      /** Encoded pairs. */
      readonly query: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

const withBody = new Set(["POST", "PUT", "PATCH"]);

export function requestContent(
  method: string,
  args: HandlerInput,
  used: { readonly names: readonly string[]; readonly queryNames: readonly string[] },
): RequestContent {
  const rest = Object.entries(args).filter(
    ([name, value]) => !used.names.includes(name) && value !== undefined,
  );
  if (withBody.has(method)) return { ok: true, body: JSON.stringify(Object.fromEntries(rest)), query: [] };
  const query: string[] = [];
  for (const [name, value] of rest) {
    // Of two equal names servers take any: the caller could undo what the author fixed.
    if (used.queryNames.includes(name))
      return refuse(`The argument ${JSON.stringify(name)} is fixed by the tool's URL and cannot be given.`);
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one === null) continue;
      if (typeof one === "object" || typeof one === "function")
        return refuse(`The argument ${JSON.stringify(name)} is an object, which cannot stand in a query.`);
      query.push(`${encoded(name)}=${encoded(String(one))}`);
    }
  }
  return { ok: true, body: undefined, query };
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function refuse(message: string): RequestContent {
  return { ok: false, message };
}
