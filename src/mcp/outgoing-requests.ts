/** Our own requests until they are answered, given up or cancelled. */

import { isJsonObject, type JsonObject } from "../core/input/json.ts";
import { onAbort } from "../core/run/abort.ts";
import { type RequestId, RpcError, rpcCodes } from "./messages.ts";

export interface OutgoingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Undefined: waits until the signal or the end of the connection. */
  readonly timeoutMs?: number | undefined;
  /** Asks for progress, too. */
  readonly onProgress?: ((progress: JsonObject) => void) | undefined;
  /** The request of the other side that this one belongs to. */
  readonly about?: RequestId | undefined;
}

/** The other side did not answer in time. */
export class PeerTimeout extends Error {
  override readonly name = "PeerTimeout";
}

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
}

export class OutgoingRequests {
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #send: (message: object, about: RequestId | undefined) => void;
  #lastId = 0;

  constructor(send: (message: object, about: RequestId | undefined) => void) {
    this.#send = send;
  }

  get count(): number {
    return this.#waiting.size;
  }

  start(method: string, params: JsonObject | undefined, options: OutgoingOptions): Promise<JsonObject> {
    const { signal, timeoutMs, onProgress, about } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let stopListening: (() => void) | undefined;
      const settle = () => {
        this.#waiting.delete(id);
        clearTimeout(timer);
        stopListening?.();
      };
      const giveUp = (error: Error, reason: string) => {
        settle();
        this.#send(
          { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason } },
          about,
        );
        reject(error);
      };
      this.#waiting.set(id, {
        resolve(result) {
          settle();
          resolve(result);
        },
        reject(error) {
          settle();
          reject(error);
        },
        onProgress,
      });
      if (timeoutMs !== undefined) {
        const late = () =>
          giveUp(new PeerTimeout(`No answer to ${method} within ${timeoutMs} ms.`), "time-out");
        timer = setTimeout(late, timeoutMs);
      }
      if (signal !== undefined) stopListening = onAbort(signal, () => giveUp(signal.reason, "cancelled"));
      const sent = onProgress === undefined ? params : withProgressToken(params, id);
      this.#send({ jsonrpc: "2.0", id, method, ...(sent && { params: sent }) }, about);
    });
  }

  /** False when nobody waits for it. */
  settle(id: RequestId, { result, error }: JsonObject): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    if (isJsonObject(error)) {
      const code = typeof error.code === "number" ? error.code : rpcCodes.internalError;
      waiting.reject(
        new RpcError(code, typeof error.message === "string" ? error.message : "no message", error.data),
      );
    } else if (isJsonObject(result)) waiting.resolve(result);
    else waiting.reject(new RpcError(rpcCodes.invalidRequest, "The answer's result is not an object."));
    return true;
  }

  progress(token: RequestId, params: JsonObject): void {
    this.#waiting.get(token)?.onProgress?.(params);
  }

  close(error: Error): void {
    for (const waiting of [...this.#waiting.values()]) waiting.reject(error);
  }
}

function withProgressToken(params: JsonObject | undefined, token: RequestId): JsonObject {
  const meta = params?._meta;
  return { ...params, _meta: { ...(isJsonObject(meta) ? meta : undefined), progressToken: token } };
}
