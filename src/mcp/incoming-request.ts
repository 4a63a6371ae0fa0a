/** A request that came in. Its AbortSignal is made only for those who look at it. */

import type { JsonObject } from "../core/input/json.ts";
import { Cancellation } from "../core/run/abort.ts";
import type { RequestId } from "./messages.ts";

export class IncomingRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** The request of ours in whose answer it came, where each has a way back of its own. */
  readonly about: number | undefined;
  readonly cancellation = new Cancellation();

  constructor(id: RequestId, method: string, params: JsonObject, about: number | undefined) {
    this.id = id;
    this.method = method;
    this.params = params;
    this.about = about;
  }

  /** Nobody waits for the answer any more. */
  get cancelled(): boolean {
    return this.cancellation.aborted;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  cancel(): void {
    if (!this.cancelled)
      this.cancellation.cancel(new DOMException("The request was cancelled.", "AbortError"));
  }
}
