/** A search backend for any service that answers JSON over HTTP: address, headers, and where things are. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import { isJsonObject, type Json } from "../../../../core/input/json.ts";
import { unknownKeys } from "../../../../core/input/unknown-keys.ts";
import { type FetchRequest, safeFetch } from "../../../../safe/net/safe-fetch.ts";
import type { SearchHit, SearchOptions, WebSearchBackend } from "./backend.ts";

export interface HttpSearchOptions {
  /** For messages. Default: the host of the address. */
  readonly name?: string;
  /** With `{query}` and `{limit}` where they go: `https://api.example/search?q={query}&count={limit}`. */
  readonly url: string;
  /** Sent as JSON by POST; texts in it may hold `{query}` and `{limit}`. */
  readonly body?: Json;
  /** A text, or the environment variable that holds the value: keys do not belong into configuration. */
  readonly headers?: Readonly<Record<string, string | { readonly env: string; readonly prefix?: string }>>;
  /** Where things are in the answer, as names with dots between them. */
  readonly map: {
    /** The list of results: `web.results`. Empty: the answer itself. */
    readonly results: string;
    readonly title: string;
    readonly url: string;
    readonly snippet?: string;
    readonly published?: string;
  };
  readonly allowPrivate?: boolean | readonly string[];
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const maxBytes = 2 * 1024 * 1024;

export function createHttpSearchBackend(options: HttpSearchOptions): WebSearchBackend {
  const { host } = checked(options);
  const name = options.name ?? host;
  return {
    name,
    search: async (query, search) => {
      const answer = await safeFetch(requestFor(options, query, search));
      if (!answer.ok) throw new Error(`${answer.message} ${answer.hint}`);
      // What the service says about it may repeat the key.
      if (answer.status === 401 || answer.status === 403)
        throw new Error(`it answered ${answer.status}: the operator has to check the key it is called with.`);
      if (answer.status !== 200) throw new Error(`it answered with HTTP status ${answer.status}.`);
      return readHits(answer.text(), options.map);
    },
  };
}

function checked({ url, map, ...rest }: HttpSearchOptions): URL {
  const known = ["name", "body", "headers", "allowPrivate", "timeoutMs", "env"];
  const [unknown] = unknownKeys(rest, known);
  if (unknown !== undefined)
    throw new ToolgateError(`A search backend has no option "${unknown.key}"; ${unknown.instead}`);
  const address = URL.parse(filledUrl(url, "q", 1));
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new ToolgateError(
      `The url of a search backend must be an http(s) address, not ${JSON.stringify(url)}.`,
    );
  if (!url.includes("{query}") && !JSON.stringify(rest.body ?? "").includes("{query}"))
    throw new ToolgateError("The url or the body of a search backend must hold {query}.");
  if (/\{(?:query|limit)\}/.test(url.replace(/^(https?:\/\/[^/?#]*).*/is, "$1")))
    throw new ToolgateError("The host of a search backend cannot depend on what is searched for.");
  for (const field of ["results", "title", "url"] as const)
    if (typeof map?.[field] !== "string")
      throw new ToolgateError(`map.${field} of a search backend must say where in the answer it is.`);
  return address;
}

function requestFor(
  options: HttpSearchOptions,
  query: string,
  { limit, signal }: SearchOptions,
): FetchRequest {
  const { url, body, allowPrivate = false, timeoutMs = 15_000 } = options;
  const headers = { accept: "application/json", ...headersOf(options) };
  const request = {
    url: filledUrl(url, query, limit),
    ...{ timeoutMs, maxBytes, allowPrivate, signal },
    // The service itself was chosen by the operator; where it points to was not.
    refuseRedirect: () => "the address of a search service has to be given in full.",
  };
  if (body === undefined) return { ...request, headers };
  const sent = { ...headers, "content-type": "application/json" };
  const filledIn = JSON.stringify(filledBody(body, query, limit));
  return { ...request, method: "POST", headers: sent, body: filledIn };
}

function headersOf({ headers = {}, env = process.env }: HttpSearchOptions): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, header] of Object.entries(headers)) {
    if (typeof header === "string") {
      values[name] = header;
      continue;
    }
    const value = env[header.env];
    if (value === undefined || value === "")
      throw new Error(`the environment variable ${header.env}, which holds its key, is not set.`);
    values[name] = `${header.prefix ?? ""}${value}`;
  }
  return values;
}

/** One pass, so that `{limit}` in a query stays what it is. */
function filled(text: string, query: string, limit: number): string {
  return text.replace(/\{(query|limit)\}/g, (_whole, name) => (name === "query" ? query : String(limit)));
}

function filledUrl(url: string, query: string, limit: number): string {
  return filled(url, encodeURIComponent(query.toWellFormed()), limit);
}

function filledBody(value: Json, query: string, limit: number): Json {
  if (value === "{limit}") return limit;
  if (typeof value === "string") return filled(value, query, limit);
  if (Array.isArray(value)) return value.map((one) => filledBody(one as Json, query, limit));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, filledBody(one as Json, query, limit)]),
  );
}

function readHits(text: string, map: HttpSearchOptions["map"]): SearchHit[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error("its answer is not JSON.");
  }
  const results = at(answer, map.results);
  // A service that found nothing often leaves the list out.
  if (results === undefined || results === null) return [];
  if (!Array.isArray(results)) throw new Error(`its answer has no list at "${map.results}".`);
  return results.map((result: unknown) => ({
    title: textAt(result, map.title),
    url: textAt(result, map.url),
    snippet: textAt(result, map.snippet),
    published: textAt(result, map.published),
  }));
}

function textAt(result: unknown, path: string | undefined): string {
  const value = path === undefined ? undefined : at(result, path);
  return typeof value === "string" ? value : "";
}

/** Own properties only. */
function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".").filter(Boolean)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}
