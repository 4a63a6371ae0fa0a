/** Older clients are asked by a request of ours while their own is being answered. */

import type { Exchange } from "../exchange.ts";
import { readElicitAnswer } from "./approval-question.ts";
import type { Asking } from "./asking.ts";
import { type AskOptions, createAsking } from "./create-asking.ts";

export function askLegacy(exchange: Exchange, options: AskOptions): Asking {
  const { peer, request } = exchange;
  return createAsking(
    exchange,
    async (params, signal) =>
      readElicitAnswer(await peer.request("elicitation/create", params, { signal, about: request.id })),
    options,
  );
}
