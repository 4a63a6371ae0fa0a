/** By which names may this server be asked, and by whose pages? This ends DNS rebinding. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { type ProblemAnswer, problem } from "./problem.ts";

export interface Names {
  /** Lower case, with the port unless it is the scheme's own. */
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  /** The routes are mounted in a server of somebody else, who names hosts and origins. */
  readonly isMounted?: boolean;
}

export interface NamesRequest {
  readonly scheme: "http" | "https";
  /** The address that the server listens on. */
  readonly host: string;
  readonly port: number;
  /** Other names of the server: `gate.example.com` or `gate.example.com:8443`. */
  readonly hosts: readonly string[];
  /** Pages that may ask besides its own: `https://console.example.com`. */
  readonly origins: readonly string[];
}

export function namesOf({ scheme, host, port, hosts, origins }: NamesRequest): Names {
  const isDefaultPort = port === (scheme === "https" ? 443 : 80);
  const own = isLoopback(host)
    ? ["127.0.0.1", "localhost", "[::1]", bracketed(host)]
    : isWildcard(host)
      ? ["127.0.0.1", "localhost", "[::1]"]
      : [bracketed(host)];
  const known = new Set<string>();
  for (const name of own) {
    known.add(`${name}:${port}`);
    if (isDefaultPort) known.add(name);
  }
  for (const name of hosts.map((one) => one.toLowerCase())) {
    known.add(name);
    // A name without a port means this server's port, and the usual port of a proxy before it.
    if (!/:\d+$/.test(name)) known.add(`${name}:${port}`);
  }
  return {
    hosts: known,
    origins: new Set([
      ...[...known].map((name) => `${scheme}://${name}`),
      // Before a named host there may be a proxy that ends TLS: its pages come from there.
      ...hosts.map((name) => `https://${name.toLowerCase()}`),
      ...origins,
    ]),
  };
}

/** Undefined: fine. `mayFollowLink`: what is asked for is a page that anybody may see. */
export function checkOrigin(
  { headers }: Pick<IncomingMessage, "headers">,
  { hosts, origins, isMounted = false }: Names,
  mayFollowLink = false,
): ProblemAnswer | undefined {
  const { host, origin, "sec-fetch-site": site } = headers;
  if (host === undefined || !(hosts.has(host) || hosts.has(host.toLowerCase())))
    return problem("wrong_host", "The Host header does not name this server.", {
      hint: isMounted
        ? "Who mounts the handler names its hosts in the option hosts."
        : "Use the address that `toolgate serve` printed, or name the host in server.hosts of the configuration.",
    });
  if (origin !== undefined && !origins.has(origin))
    return problem("wrong_origin", "The Origin header names a page that may not ask this server.", {
      hint: isMounted
        ? "Who mounts the handler names such origins in the option origins."
        : "Pages of other origins are named in server.origins of the configuration.",
    });
  // A page without data may be opened from anywhere: by a person, in a window of its own, never in a frame.
  if (mayFollowLink && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document")
    return undefined;
  // Browsers say so even where they send no Origin: a link, an image, a form of another site.
  if (origin === undefined && (site === "cross-site" || site === "same-site"))
    return problem("wrong_origin", "A page of another site asks, and does not say which.");
  return undefined;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
}
