/** A request that came in. Its AbortSignal is made only for those who look at it. */
import type { JsonObject } from "../core/json.ts";
import type { RequestId } from "./messages.ts";

export class IncomingRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** Nobody waits for the answer any more. */
  cancelled = false;
  #controller: AbortController | undefined;

  constructor(id: RequestId, method: string, params: JsonObject) {
    this.id = id;
    this.method = method;
    this.params = params;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.cancelled) this.#controller.abort(cancelReason());
    }
    return this.#controller.signal;
  }

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.#controller?.abort(cancelReason());
  }
}

function cancelReason(): DOMException {
  return new DOMException("The request was cancelled.", "AbortError");
}
