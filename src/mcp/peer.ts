/** One end of a JSON-RPC connection: matches answers with requests, counts time, carries progress and cancellation. Knows no transport. */
import { messageOf } from "../core/call/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/input/json.ts";
import { Batch, whyNoBatch } from "./batch.ts";
import { IncomingRequest } from "./incoming-request.ts";
import { isRequestId, RawResult, type RequestId, RpcError, rpcCodes, whatIdsAre } from "./messages.ts";
import { OpenRequests } from "./open-requests.ts";
import { type OutgoingOptions, OutgoingRequests } from "./outgoing-requests.ts";

export type Answer = JsonObject | RawResult;

export interface PeerPorts {
  /**
   * Sends one message, as JSON without a line feed. `about`: the request of the other side that it belongs to, for transports where
   * each request has its own way back; `isAnswer`: it is the end of that request.
   */
  readonly send: (json: string, about: RequestId | undefined, isAnswer: boolean) => void;
  /** Answers, or throws an RpcError. Anything else that is thrown is told as an internal error, without its words. */
  readonly onRequest: (request: IncomingRequest) => Answer | Promise<Answer>;
  readonly onNotification?: (method: string, params: JsonObject) => void;
  /** Told of what a handler threw besides RpcErrors, and of answers that nobody waits for. */
  readonly onProblem?: (message: string) => void;
  /** The version that both sides agreed on: one of them has batches. */
  readonly version?: () => string | undefined;
  /** More requests of the other side at once are refused. */
  readonly maxIncoming?: number;
}

/** The connection ended first. */
export class PeerClosed extends Error {
  override readonly name = "PeerClosed";
}

const defaultMaxIncoming = 1_024;

export class Peer {
  readonly #ports: PeerPorts;
  readonly #maxIncoming: number;
  readonly #incoming = new OpenRequests<IncomingRequest>();
  /** Most connections never ask. */
  #outgoing: OutgoingRequests | undefined;
  /** Of requests that came in one, by their ids. Hardly anybody sends batches. */
  #batches: Map<RequestId, Batch> | undefined;
  /** The one that is being read. */
  #batch: Batch | undefined;
  #closed: Error | undefined;
  #whenIdle: (() => void)[] | undefined;

  constructor(ports: PeerPorts) {
    this.#ports = ports;
    this.#maxIncoming = ports.maxIncoming ?? defaultMaxIncoming;
  }

  /** How many requests of ours wait for their answers. */
  get waiting(): number {
    return this.#outgoing?.count ?? 0;
  }

  /** How many requests of the other side are being answered. */
  get answering(): number {
    return this.#incoming.size;
  }

  /** Everything that the other side asked for has been answered or cancelled. */
  idle(): Promise<void> {
    if (this.#incoming.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = [...(this.#whenIdle ?? []), resolve];
    });
  }

  /** Rejects with an RpcError if the other side says no, PeerTimeout, PeerClosed, or the signal's reason. */
  request(
    method: string,
    params: JsonObject | undefined,
    options: OutgoingOptions = {},
  ): Promise<JsonObject> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    this.#outgoing ??= new OutgoingRequests((message, about) => this.#send(message, about));
    return this.#outgoing.start(method, params, options);
  }

  notify(method: string, params?: JsonObject, about?: RequestId): void {
    this.#send({ jsonrpc: "2.0", method, ...(params && { params }) }, about);
  }

  /** Takes one message as text. */
  receiveText(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.refuse("The message is not valid JSON.", rpcCodes.parseError);
      return;
    }
    this.receive(message);
  }

  /** Takes one message. What is none is answered with an error that has no id. */
  receive(message: unknown): void {
    if (this.#closed !== undefined) return;
    if (!isJsonObject(message)) {
      if (Array.isArray(message) && this.#batch === undefined) this.#takeBatch(message);
      else this.refuse("A message is an object.");
      return;
    }
    const { id, method } = message;
    if (message.jsonrpc !== "2.0") this.refuse('A message needs "jsonrpc": "2.0".', undefined, id);
    else if (typeof method === "string") this.#takeCall(method, id, message.params);
    else if ("result" in message || "error" in message) this.#takeAnswer(id, message);
    else this.refuse("A message needs a method, a result or an error.", undefined, id);
  }

  /** Tells the other side that something it sent cannot be taken. */
  refuse(message: string, code: number = rpcCodes.invalidRequest, id?: unknown): void {
    this.#sendError(isRequestId(id) ? id : null, code, message);
  }

  /** Every wait ends with the error; what the other side asked for is cancelled. Nothing is sent any more. */
  close(error: Error = overQuietly): void {
    if (this.#closed !== undefined) return;
    this.#closed = error;
    this.#outgoing?.close(error);
    for (const request of this.#incoming.all()) {
      this.#incoming.remove(request.id);
      request.cancel();
    }
    this.#checkIdle();
  }

  #takeBatch(messages: readonly unknown[]): void {
    const why = whyNoBatch(messages, this.#ports.version?.());
    if (why !== undefined) {
      this.refuse(why);
      return;
    }
    const batch = new Batch((json) => {
      if (this.#closed === undefined) this.#ports.send(json, undefined, true);
    });
    this.#batch = batch;
    try {
      for (const message of messages) this.receive(message);
    } finally {
      this.#batch = undefined;
    }
    batch.whole();
  }

  #takeCall(method: string, id: Json | undefined, given: Json | undefined): void {
    const params = given === undefined ? noParams : isJsonObject(given) ? given : undefined;
    if (id === undefined) {
      if (params !== undefined) this.#takeNotification(method, params);
      return;
    }
    if (!isRequestId(id)) this.refuse(whatIdsAre);
    else if (params === undefined) this.#sendError(id, rpcCodes.invalidParams, "params must be an object.");
    else if (this.#incoming.get(id) !== undefined)
      this.#sendError(id, rpcCodes.invalidRequest, "Another request with this id has not been answered yet.");
    else if (this.#incoming.size >= this.#maxIncoming)
      this.#sendError(
        id,
        rpcCodes.internalError,
        `More than ${this.#maxIncoming} requests at once; wait for some answers.`,
      );
    else this.#answer(new IncomingRequest(id, method, params));
  }

  #answer(request: IncomingRequest): void {
    this.#incoming.add(request);
    if (this.#batch !== undefined) this.#enter(request.id, this.#batch);
    let answer: Answer | Promise<Answer>;
    try {
      answer = this.#ports.onRequest(request);
    } catch (error) {
      this.#failed(request, error);
      return;
    }
    if (answer instanceof Promise) {
      answer.then(
        (settled) => this.#succeeded(request, settled),
        (error: unknown) => this.#failed(request, error),
      );
    } else this.#succeeded(request, answer);
  }

  #enter(id: RequestId, batch: Batch): void {
    this.#batches ??= new Map();
    this.#batches.set(id, batch);
    batch.begin();
  }

  /** Undefined: nobody waits for it any more. */
  #end(id: RequestId, json: string | undefined): void {
    const batch = this.#batches?.get(id);
    if (batch !== undefined) {
      this.#batches?.delete(id);
      batch.end(json);
    } else if (json !== undefined) this.#ports.send(json, id, true);
  }

  #succeeded(request: IncomingRequest, answer: Answer): void {
    if (!this.#isDone(request)) return;
    let json: string;
    try {
      json = answer instanceof RawResult ? answer.json : JSON.stringify(answer);
    } catch (error) {
      this.#tellFailed(request, error);
      return;
    }
    this.#end(request.id, `{"jsonrpc":"2.0","id":${idJson(request.id)},"result":${json}}`);
    if (this.#whenIdle !== undefined) this.#checkIdle();
  }

  #failed(request: IncomingRequest, error: unknown): void {
    if (this.#isDone(request)) this.#tellFailed(request, error);
    if (this.#whenIdle !== undefined) this.#checkIdle();
  }

  #checkIdle(): void {
    if (this.#incoming.size > 0) return;
    const waiting = this.#whenIdle ?? [];
    this.#whenIdle = undefined;
    for (const resolve of waiting) resolve();
  }

  #tellFailed({ id, method }: IncomingRequest, error: unknown): void {
    if (error instanceof RpcError) {
      this.#end(id, errorJson(id, error.code, error.message, error.data));
      return;
    }
    this.#ports.onProblem?.(`${method} could not be answered: ${messageOf(error)}`);
    this.#end(id, errorJson(id, rpcCodes.internalError, "The request could not be answered."));
  }

  /** False when nobody waits for the answer. */
  #isDone(request: IncomingRequest): boolean {
    if (this.#incoming.get(request.id) === request) this.#incoming.remove(request.id);
    return !request.cancelled && this.#closed === undefined;
  }

  #takeNotification(method: string, params: JsonObject): void {
    if (method === "notifications/cancelled" && isRequestId(params.requestId)) {
      this.#incoming.remove(params.requestId)?.cancel();
      if (this.#batches !== undefined) this.#end(params.requestId, undefined);
      this.#checkIdle();
    } else if (method === "notifications/progress" && isRequestId(params.progressToken)) {
      this.#outgoing?.progress(params.progressToken, params);
    } else this.#ports.onNotification?.(method, params);
  }

  #takeAnswer(id: Json | undefined, message: JsonObject): void {
    if (isRequestId(id) && this.#outgoing?.settle(id, message) === true) return;
    const said = isJsonObject(message.error) ? message.error.message : undefined;
    const words = typeof said === "string" ? `: ${said.slice(0, maxShown)}` : ".";
    const which = isRequestId(id) ? `id ${JSON.stringify(id).slice(0, maxShown)}` : "no id";
    this.#ports.onProblem?.(`An answer came that nobody waits for (${which})${words}`);
  }

  #send(message: object, about: RequestId | undefined): void {
    if (this.#closed === undefined) this.#ports.send(JSON.stringify(message), about, false);
  }

  /** Of what never began. */
  #sendError(id: RequestId | null, code: number, message: string): void {
    if (this.#closed !== undefined) return;
    const json = errorJson(id, code, message);
    if (this.#batch !== undefined) this.#batch.refuse(json);
    else this.#ports.send(json, id ?? undefined, true);
  }
}

/** Of what the other side wrote, in a message for the log. */
const maxShown = 200;

const noParams: JsonObject = Object.freeze({});

/** Made once: over HTTP every request is a connection of its own, and an error with its stack costs more than the rest of ending it. */
const overQuietly = new PeerClosed("The connection is closed.");

function errorJson(id: RequestId | null, code: number, message: string, data?: Json): string {
  const error = { code, message, ...(data !== undefined && { data }) };
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

function idJson(id: RequestId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}
