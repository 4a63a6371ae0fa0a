/** What a walk is given so that it can ask the person at the client, tell of its progress, and be cancelled. */

import type { Approver } from "../../../core/call/approval.ts";
import type { Progress } from "../../../core/call/call.ts";
import type { Elicit } from "../../../core/call/elicit.ts";
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { Cancellable } from "../../../core/run/abort.ts";
import type { ClientFacts } from "../../../mcp/eras.ts";
import { isRequestId, maxIdCharacters, type RequestId } from "../../../mcp/messages.ts";
import { type Exchange, wrongParams } from "../exchange.ts";

export interface Asking {
  readonly signal: Cancellable;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly approver: Approver | undefined;
  readonly elicit: Elicit | undefined;
}

/** Which kinds of questions the client says it can show. A bare `elicitation` means forms. */
export function canShow({ clientCapabilities }: ClientFacts, kind: "form" | "url"): boolean {
  const { elicitation } = clientCapabilities;
  if (!isJsonObject(elicitation)) return false;
  return kind === "url"
    ? isJsonObject(elicitation.url)
    : isJsonObject(elicitation.form) || elicitation.url === undefined;
}

export function kindOf(params: JsonObject): "form" | "url" {
  return params.mode === "url" ? "url" : "form";
}

/** Undefined: the client did not ask to be told. Throws an RpcError for one that is too long to be repeated with every step. */
export function progressTokenOf({ request }: Exchange): RequestId | undefined {
  const { _meta: meta } = request.params;
  const token = isJsonObject(meta) ? meta.progressToken : undefined;
  if (typeof token === "string" && token.length > maxIdCharacters)
    throw wrongParams(`"progressToken" may have at most ${maxIdCharacters} characters.`);
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
    const { connection, request } = this.#exchange;
    if (request.cancelled) return;
    connection.peer.notify(
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
