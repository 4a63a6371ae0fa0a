/** What a walk is given so that it can ask the person at the client, tell of its progress, and be cancelled. */
import type { Cancellable } from "../../../core/abort.ts";
import type { Approver } from "../../../core/approval.ts";
import type { Progress } from "../../../core/call.ts";
import type { Elicit } from "../../../core/elicit.ts";
import type { JsonObject } from "../../../core/json.ts";
import { isObject, isRequestId, type RequestId } from "../../../mcp/messages.ts";
import type { ClientFacts, Exchange } from "../exchange.ts";

export interface Asking {
  readonly signal: Cancellable;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly approver: Approver | undefined;
  readonly elicit: Elicit | undefined;
}

/** Which kinds of questions the client says it can show. A bare `elicitation` means forms. */
export function canShow({ capabilities }: ClientFacts, kind: "form" | "url"): boolean {
  const { elicitation } = capabilities;
  if (!isObject(elicitation)) return false;
  return kind === "url"
    ? isObject(elicitation.url)
    : isObject(elicitation.form) || elicitation.url === undefined;
}

export function kindOf(params: JsonObject): "form" | "url" {
  return params.mode === "url" ? "url" : "form";
}

/** Undefined: the client did not ask to be told. */
export function progressTokenOf({ request }: Exchange): RequestId | undefined {
  const { _meta: meta } = request.params;
  const token = isObject(meta) ? meta.progressToken : undefined;
  return isRequestId(token) ? token : undefined;
}

/** Tells the client, with numbers that only grow. */
export class ProgressTeller {
  readonly #exchange: Exchange;
  readonly #token: RequestId;
  #last = 0;

  constructor(exchange: Exchange, token: RequestId) {
    this.#exchange = exchange;
    this.#token = token;
  }

  readonly tell = ({ done, total, message }: Progress): void => {
    if (done !== undefined && done <= this.#last && this.#last > 0) return;
    this.#last = done ?? this.#last + 1;
    const { peer, request } = this.#exchange;
    if (request.cancelled) return;
    peer.notify(
      "notifications/progress",
      {
        progressToken: this.#token,
        progress: this.#last,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      },
      request.id,
    );
  };
}
