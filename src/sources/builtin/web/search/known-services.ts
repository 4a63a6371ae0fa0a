/** Search services whose questions and answers are known, so that a configuration only has to name one. */
import type { WebSearchBackend } from "./backend.ts";
import { createHttpSearchBackend, type HttpSearchOptions } from "./http-backend.ts";

export interface KnownSearchOptions {
  /** Without the question. */
  readonly url: string;
  readonly format: keyof typeof services;
  /** The environment variable that holds the key. */
  readonly keyEnv?: string;
  readonly keyHeader?: string;
  readonly keyPrefix?: string;
  /** The service is in one's own network: its own host and port may be private, and nothing else. */
  readonly allowPrivate?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Throws when the address is none. */
export function createKnownSearchBackend(options: KnownSearchOptions): WebSearchBackend {
  const { format, keyEnv, keyPrefix, allowPrivate = false, env } = options;
  const { question, header, map } = services[format];
  const address = new URL(options.url);
  const key = keyEnv !== undefined && { env: keyEnv, ...(keyPrefix !== undefined && { prefix: keyPrefix }) };
  const port = address.port || (address.protocol === "https:" ? "443" : "80");
  return createHttpSearchBackend({
    url: `${address.href}${address.search === "" ? "?" : "&"}${question}`,
    map,
    ...(key !== false && { headers: { [options.keyHeader ?? header]: key } }),
    ...(allowPrivate && { allowPrivate: [`${address.hostname}:${port}`] }),
    ...(env !== undefined && { env }),
  });
}

interface Service extends Pick<HttpSearchOptions, "map"> {
  readonly question: string;
  /** Where the key goes. */
  readonly header: string;
}

const services = {
  searxng: {
    question: "q={query}&format=json",
    header: "Authorization",
    map: { results: "results", title: "title", url: "url", snippet: "content", published: "publishedDate" },
  },
  brave: {
    question: "q={query}&count={limit}",
    header: "X-Subscription-Token",
    map: { results: "web.results", title: "title", url: "url", snippet: "description", published: "age" },
  },
} as const satisfies Record<string, Service>;
