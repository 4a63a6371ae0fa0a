/** Which gateways an HTTP request has passed: a gateway that asks itself, also in a ring, is noticed. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** The gateways in order, the first one first; each adds itself. */
export const gatewaysHeader = "toolgate-via";

/** Another one for each process. */
const thisGateway = randomBytes(8).toString("hex");
const maxGateways = 3;

/** For as long as a request is worked on: what it came through. */
const passed = new AsyncLocalStorage<string>();

/** For requests to an upstream server. */
export function gatewaysSoFar(): string {
  const before = passed.getStore();
  return before === undefined ? thisGateway : `${before}, ${thisGateway}`;
}

/** How a gateway writes itself. Nothing else is passed on: every upstream server would get it. */
const gatewayName = /^[0-9a-f]{16}$/;

/** Why a request with this header is refused; undefined: it is not. */
export function explainRing(header: string): string | undefined {
  const names = header.split(",").map((name) => name.trim());
  if (!names.every((name) => gatewayName.test(name)))
    return `The header ${gatewaysHeader} is written by gateways alone, and this is none of theirs.`;
  if (names.includes(thisGateway))
    return "This gateway is asked by itself: it stands among its own upstream servers, directly or behind another gateway.";
  return names.length >= maxGateways
    ? `The request has passed ${names.length} gateways; at most ${maxGateways - 1} may stand before this one.`
    : undefined;
}

/** What is sent to upstream servers meanwhile names the same gateways. */
export function afterGateways<T>(header: string, work: () => T): T {
  return passed.run(header, work);
}
