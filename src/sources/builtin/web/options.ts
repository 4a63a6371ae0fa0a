/** What whoever makes the web tools may choose. */
import { ToolgateError } from "../../../core/call/errors.ts";
import { unknownKeys } from "../../../core/input/unknown-keys.ts";
import { type SafeFetch, safeFetch } from "../../../safe/net/safe-fetch.ts";
import type { MayFollow } from "./page/follow-redirects.ts";
import type { WebSearchBackend } from "./search/backend.ts";

export interface WebOptions {
  /** Who answers web.search. Without one it says how to configure it. */
  readonly search?: WebSearchBackend;
  /** `true`, or the `host:port` pairs of one's own network that may be fetched. Default: only public ones. */
  readonly allowPrivate?: boolean | readonly string[];
  /** Asked before a redirect is followed; a text says why not. Default: only to the same host. */
  readonly mayFollow?: MayFollow;
  /** Of one page. Default 5 MiB. */
  readonly maxBytes?: number;
}

export interface WebSettings {
  readonly search: WebSearchBackend | undefined;
  readonly allowPrivate: boolean | readonly string[];
  readonly mayFollow: MayFollow | undefined;
  readonly maxBytes: number;
  readonly fetch: SafeFetch;
}

/** More than this no process should have to convert. */
const mostBytes = 20 * 1024 * 1024;

export function readOptions(options: WebOptions = {}): WebSettings {
  const [unknown] = unknownKeys(options, ["search", "allowPrivate", "mayFollow", "maxBytes"]);
  if (unknown !== undefined)
    throw new ToolgateError(`The web tools have no option "${unknown.key}"; ${unknown.instead}`);
  const { search, allowPrivate = false, mayFollow, maxBytes = 5 * 1024 * 1024 } = options;
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1 || maxBytes > mostBytes)
    throw new ToolgateError(`maxBytes must be a whole number from 1 to ${mostBytes}, not ${maxBytes}.`);
  const isPairs = Array.isArray(allowPrivate) && allowPrivate.every((one) => /^.+:\d+$/.test(one));
  if (typeof allowPrivate !== "boolean" && !isPairs)
    throw new ToolgateError("allowPrivate is true, false or a list of host:port pairs.");
  if (search !== undefined && (typeof search.search !== "function" || typeof search.name !== "string"))
    throw new ToolgateError("search must be an object with a name and search(query, { limit, signal }).");
  return { search, allowPrivate, mayFollow, maxBytes, fetch: safeFetch };
}
