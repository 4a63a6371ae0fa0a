/** One request as its route sees it. */
import type { IncomingMessage } from "node:http";
import type { Cancellation } from "../../core/run/abort.ts";
import type { Exchange } from "./exchange.ts";
import { bothPlaces, type PrincipalLimits } from "./principal-limits.ts";
import type { ProblemAnswer } from "./problem.ts";
import type { Principal } from "./rights.ts";
import type { RouteRequest } from "./route.ts";

/** What was read and checked of a request. */
export interface ReadRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly bodyText: string;
  readonly principal: Principal;
}

export interface RequestSource {
  readonly incoming: IncomingMessage;
  readonly exchange: Exchange;
  readonly principalLimits: PrincipalLimits;
}

export class OpenRequest implements RouteRequest<Readonly<Record<string, string>>, unknown, unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly bodyText: string;
  readonly principal: Principal;
  readonly #from: RequestSource;

  constructor({ params, query, body, bodyText, principal }: ReadRequest, from: RequestSource) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.bodyText = bodyText;
    this.principal = principal;
    this.#from = from;
  }

  get cancellation(): Cancellation {
    return this.#from.exchange.cancellation;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  stillWorking(): void {
    const { response } = this.#from.exchange;
    if (!response.headersSent && !response.destroyed) response.writeProcessing();
  }

  becomeStream(): ProblemAnswer | undefined {
    const { exchange, principalLimits } = this.#from;
    const place = principalLimits.take(this.principal.caller.id, "stream");
    if (place.kind === "problem") return place;
    exchange.place?.give();
    exchange.place = place;
    return undefined;
  }

  holdPlace(): () => void {
    return this.#from.exchange.holdPlace();
  }

  becomeSeveral(count: number): ProblemAnswer | undefined {
    const { exchange, principalLimits } = this.#from;
    const more = principalLimits.take(this.principal.caller.id, "request", count - 1);
    if (more.kind === "problem") return more;
    exchange.place = bothPlaces(exchange.place, more);
    return undefined;
  }

  header(name: string): string | undefined {
    return headerOf(this.#from.incoming, name);
  }

  trailer(name: string): string | undefined {
    return this.#from.incoming.trailers[name];
  }

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
