/** Our own requests until they are answered, given up or cancelled. */

import { isJsonObject, type Json, type JsonObject } from "../core/input/json.ts";
import { signalOf } from "../core/run/abort.ts";
import { type DeadlineClock, Deadlines } from "../core/run/deadlines.ts";
import { exactDuration } from "../core/text/duration.ts";
import { type RequestId, RpcError, type RpcMessage, rpcCodes } from "./messages.ts";
import { OpenRequests } from "./open-requests.ts";
import { type Asker, type OutgoingCall, type OutgoingOptions, OutgoingRequest } from "./outgoing-request.ts";
import { readProgress } from "./progress.ts";

/** Why a request has no result. `refused`: the other side answered with an error. */
export type Failure =
  | { readonly why: "refused"; readonly code: number; readonly message: string; readonly data?: Json }
  | { readonly why: "bad_answer" | "timed_out" | "aborted" | "closed" };

/** The other side did not answer in time. */
export class PeerTimeout extends Error {
  override readonly name = "PeerTimeout";
}

/** The connection ended first. */
export class PeerClosed extends Error {
  override readonly name = "PeerClosed";
}

export interface OutgoingPorts<Options extends OutgoingOptions> {
  readonly sendRequest: (json: string, request: OutgoingRequest<Options>) => void;
  readonly notify: (method: string, params: JsonObject, about: RequestId | undefined) => void;
  /** What the one who asked is told. */
  readonly toError: (request: OutgoingRequest<Options>, failure: Failure) => Error;
  /** However it ended. `isLeft`: the other side may still work on it. */
  readonly onOver: ((request: OutgoingRequest<Options>, isLeft: boolean) => void) | undefined;
}

/** Steps of progress of one request that are passed on. */
const maxSteps = 10_000;

export class OutgoingRequests<Options extends OutgoingOptions> implements Asker<Options> {
  readonly deadlines = new Deadlines(clock);
  readonly #open = new OpenRequests<OutgoingRequest<Options>>();
  readonly #ports: OutgoingPorts<Options>;
  #lastId = 0;

  constructor(ports: OutgoingPorts<Options>) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#open.size;
  }

  get(id: RequestId): OutgoingRequest<Options> | undefined {
    return this.#open.get(id);
  }

  all(): OutgoingRequest<Options>[] {
    return this.#open.all();
  }

  start(call: OutgoingCall<Options>): Promise<JsonObject> {
    const id = ++this.#lastId;
    const { method, options } = call;
    const params = options.onProgress === undefined ? call.params : withProgressToken(call.params, id);
    const request = new OutgoingRequest(this, id, { method, params, options });
    if (options.signal?.aborted === true)
      return Promise.reject(this.#ports.toError(request, { why: "aborted" }));
    this.#open.add(request);
    const answer = request.begin();
    const tail = params === undefined ? "" : `,"params":${JSON.stringify(params)}`;
    this.#ports.sendRequest(`{"jsonrpc":"2.0","id":${id},"method":"${method}"${tail}}`, request);
    return answer;
  }

  /** False: nobody waits for it; too late, or a second one. */
  settle(id: RequestId, { result, error }: RpcMessage): boolean {
    const request = this.#take(id, false);
    if (request === undefined) return false;
    if (isJsonObject(error)) request.reject(this.#ports.toError(request, refusal(error)));
    else if (isJsonObject(result)) request.resolve(result);
    else request.reject(this.#ports.toError(request, { why: "bad_answer" }));
    return true;
  }

  /** False: nobody wants to know. */
  progress(params: JsonObject): boolean {
    const { progressToken } = params;
    const request = typeof progressToken === "number" ? this.#open.get(progressToken) : undefined;
    const progress = request?.options.onProgress === undefined ? undefined : readProgress(params);
    if (request === undefined || progress === undefined || ++request.steps > maxSteps) return false;
    request.options.onProgress?.(progress);
    return true;
  }

  giveUp(request: OutgoingRequest<Options>, why: "timed_out" | "aborted"): void {
    const { id, method, options } = request;
    request.reject(this.#ports.toError(request, { why }));
    // The handshake is the one request that may not be cancelled.
    if (method !== "initialize")
      this.#ports.notify("notifications/cancelled", { requestId: id, reason: reasons[why] }, options.about);
    this.#take(id, true);
  }

  /** This one gets no answer. */
  fail(id: number, error: Error): void {
    this.#take(id, false)?.reject(error);
  }

  close(): void {
    for (const request of this.all()) this.fail(request.id, this.#ports.toError(request, { why: "closed" }));
  }

  #take(id: RequestId, isLeft: boolean): OutgoingRequest<Options> | undefined {
    const request = this.#open.remove(id);
    if (request === undefined) return undefined;
    request.end();
    this.#ports.onOver?.(request, isLeft);
    return request;
  }
}

/** What those are told who give no `toError` of their own. */
export function errorOf({ method, options }: OutgoingRequest, failure: Failure): Error {
  if (failure.why === "refused") return new RpcError(failure.code, failure.message, failure.data);
  if (failure.why === "bad_answer")
    return new RpcError(rpcCodes.invalidRequest, "The answer's result is not an object.");
  if (failure.why === "timed_out")
    return new PeerTimeout(`No answer to ${method} within ${exactDuration(options.timeoutMs ?? 0)}.`);
  return failure.why === "aborted" ? signalOf(options.signal).reason : overQuietly;
}

/** Made once: over HTTP every request is a connection, and an error with a stack is dear. */
export const overQuietly = new PeerClosed("The connection is closed.");

const reasons = { timed_out: "The call took too long.", aborted: "The call was cancelled." };

const clock: DeadlineClock = {
  monotonic: () => performance.now(),
  after(ms, run) {
    // What waits for an answer keeps the process alive by its connection.
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

function refusal({ code, message, data }: JsonObject): Failure {
  return {
    why: "refused",
    code: typeof code === "number" ? code : rpcCodes.internalError,
    message: typeof message === "string" ? message : "no message",
    ...(data !== undefined && { data }),
  };
}

function withProgressToken(params: JsonObject | undefined, token: RequestId): JsonObject {
  const meta = params?._meta;
  return { ...params, _meta: { ...(isJsonObject(meta) ? meta : undefined), progressToken: token } };
}
