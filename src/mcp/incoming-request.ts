/** A request that came in. Its AbortSignal is made only for those who look at it. */

import type { JsonObject } from "../core/input/json.ts";
import { Cancellation } from "../core/run/abort.ts";
import type { RequestId } from "./messages.ts";

export class IncomingRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly cancellation = new Cancellation();

  constructor(id: RequestId, method: string, params: JsonObject) {
    this.id = id;
    this.method = method;
    this.params = params;
  }

  /** Nobody waits for the answer any more. */
  get cancelled(): boolean {
    return this.cancellation.aborted;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  cancel(): void {
    if (!this.cancelled) this.cancellation.cancel(cancelReason());
  }
}

function cancelReason(): DOMException {
  return new DOMException("The request was cancelled.", "AbortError");
}
