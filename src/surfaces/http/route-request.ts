/** One request as its route sees it. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Cancellation } from "../../core/run/abort.ts";
import type { PeerPorts } from "../../safe/net/foreign-peer.ts";
import { bothPlaces, type CallerLimits } from "./caller-limits.ts";
import type { Exchange } from "./exchange.ts";
import type { ProblemAnswer } from "./problem.ts";
import type { TokenHolder } from "./rights.ts";

/** What was read of a request, and checked by its route's schemas. */
export interface ReadRequest<Params, Query, Body> {
  /** Decoded. */
  readonly params: Params;
  /** Numbers, booleans and lists have the types of the schema. */
  readonly query: Query;
  /** Frozen. */
  readonly body: Body;
  /** The body as it came. Empty if there was none. */
  readonly bodyText: string;
  /** Of public routes: `nobody`. */
  readonly holder: TokenHolder;
}

interface RequestSource {
  readonly incoming: IncomingMessage;
  readonly exchange: Exchange;
  readonly callerLimits: CallerLimits;
}

export class RouteRequest<Params, Query, Body> implements ReadRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly bodyText: string;
  readonly holder: TokenHolder;
  readonly #from: RequestSource;

  constructor(read: ReadRequest<Params, Query, Body>, from: RequestSource) {
    this.params = read.params;
    this.query = read.query;
    this.body = read.body;
    this.bodyText = read.bodyText;
    this.holder = read.holder;
    this.#from = from;
  }

  /** Cancelled when the client is gone. */
  get cancellation(): Cancellation {
    return this.#from.exchange.cancellation;
  }

  /** The same for code that needs an AbortSignal. */
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  /** Tells a client that waits for long that we are there (102). */
  stillWorking(): void {
    const { response } = this.#from.exchange;
    if (!response.headersSent && !response.destroyed) response.writeProcessing();
  }

  /** The request becomes one of the caller's streams. A problem: there are too many streams. */
  becomeStream(): ProblemAnswer | undefined {
    const { exchange, callerLimits } = this.#from;
    const place = callerLimits.take(this.holder.caller.id, "stream");
    if (place.kind === "problem") return place;
    exchange.place?.give();
    exchange.place = place;
    return undefined;
  }

  /** The work goes on without its client, and counts as a request until the returned function is called. */
  holdPlace(): () => void {
    return this.#from.exchange.holdPlace();
  }

  /** The request counts as so many from now on. A problem: the caller may not have so many. */
  becomeSeveral(count: number): ProblemAnswer | undefined {
    const { exchange, callerLimits } = this.#from;
    const more = callerLimits.take(this.holder.caller.id, "request", count - 1);
    if (more.kind === "problem") return more;
    exchange.place = bothPlaces(exchange.place, more);
    return undefined;
  }

  /** Undefined: nobody knows; the routes are mounted in another server. */
  get peerPorts(): PeerPorts | undefined {
    const { remotePort, localPort } = (this.#from.incoming.socket as Partial<Socket> | undefined) ?? {};
    return remotePort === undefined || localPort === undefined ? undefined : { remotePort, localPort };
  }

  /** Undefined: as with its ports. Behind a proxy it is the proxy's. */
  get peerAddress(): string | undefined {
    return (this.#from.incoming.socket as Partial<Socket> | undefined)?.remoteAddress;
  }

  /** By its name in lower case. */
  header(name: string): string | undefined {
    return headerOf(this.#from.incoming, name);
  }

  /** What came behind a body in chunks, by its name in lower case. */
  trailer(name: string): string | undefined {
    return this.#from.incoming.trailers[name];
  }

  /** Does `Accept` name this type? A bare `*` does not count. */
  accepts(type: string): boolean {
    const accept = this.#from.incoming.headers.accept;
    if (accept === undefined || !accept.includes("/")) return false;
    return accept.split(",").some((one) => one.split(";", 1)[0]?.trim().toLowerCase() === type);
  }
}

export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
