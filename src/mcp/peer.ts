/**
 * One end of a JSON-RPC connection, for clients and for servers. It matches answers with requests, counts
 * time, and carries progress and cancellation. It knows no transport.
 */
import { messageOf } from "../core/call/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/input/json.ts";
import { Batch, whyNoBatch } from "./batch.ts";
import { IncomingRequest } from "./incoming-request.ts";
import {
  errorJson,
  isMessage,
  isRequestId,
  RawResult,
  type RequestId,
  RpcError,
  type RpcMessage,
  type RpcProblem,
  rpcCodes,
  type Send,
  saysRpc,
  whatIdsAre,
} from "./messages.ts";
import { OpenRequests } from "./open-requests.ts";
import type { OutgoingOptions } from "./outgoing-request.ts";
import { errorOf, type OutgoingPorts, OutgoingRequests, overQuietly } from "./outgoing-requests.ts";

export type Answer = JsonObject | RawResult;

export interface PeerPorts<Options extends OutgoingOptions = OutgoingOptions>
  extends Partial<Pick<OutgoingPorts<Options>, "sendRequest" | "toError" | "onOver">> {
  readonly send: Send;
  /** Answers, or throws an RpcError. Anything else becomes an internal error without its words. */
  readonly onRequest: (request: IncomingRequest) => Answer | Promise<Answer>;
  readonly onNotification?: (method: string, params: JsonObject) => void;
  /** Asked before anything is taken that nobody here waits for. False: it is dropped. */
  readonly mayTake?: () => boolean;
  /** Told of what a handler threw besides RpcErrors, and of answers that nobody waits for. */
  readonly onProblem?: (message: string) => void;
  /** The version that both sides agreed on: one of them has batches. */
  readonly version?: () => string | undefined;
  /** More requests of the other side at once are refused. */
  readonly maxIncoming?: number;
}

const defaultMaxIncoming = 1_024;

export class Peer<Options extends OutgoingOptions = OutgoingOptions> {
  readonly #ports: PeerPorts<Options>;
  readonly #maxIncoming: number;
  readonly #incoming = new OpenRequests<IncomingRequest>();
  /** Most connections never ask. */
  #outgoing: OutgoingRequests<Options> | undefined;
  /** Of requests that came in one, by their ids. Hardly anybody sends batches. */
  #batches: Map<RequestId, Batch> | undefined;
  /** The one that is being read. */
  #batch: Batch | undefined;
  #isClosed = false;
  #whenIdle: (() => void)[] | undefined;

  constructor(ports: PeerPorts<Options>) {
    this.#ports = ports;
    this.#maxIncoming = ports.maxIncoming ?? defaultMaxIncoming;
  }

  /** Requests of ours that wait for their answers. */
  get asked(): OutgoingRequests<Options> {
    this.#outgoing ??= this.#startAsking();
    return this.#outgoing;
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

  /** Rejects with what `toError` makes, by default RpcError, PeerTimeout, PeerClosed or the reason. */
  request(method: string, params: JsonObject | undefined, options?: Options): Promise<JsonObject> {
    if (this.#isClosed) return Promise.reject(overQuietly);
    return this.asked.start({ method, params, options: options ?? ({} as Options) });
  }

  notify(method: string, params?: JsonObject, about?: RequestId): void {
    if (this.#isClosed) return;
    this.#ports.send(JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) }), about, false);
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
    if (this.#isClosed) return;
    if (isMessage(message)) this.take(message);
    else if (Array.isArray(message) && this.#batch === undefined) this.#takeBatch(message);
    else if (!isJsonObject(message)) this.refuse("A message is an object.");
    else {
      const needed = saysRpc(message) ? "a method, a result or an error" : '"jsonrpc": "2.0"';
      this.refuse(`A message needs ${needed}.`, rpcCodes.invalidRequest, message.id);
    }
  }

  /** Takes a message that was read. `about`: the request of ours in whose answer the message came. */
  take(message: RpcMessage, about?: number): void {
    if (this.#isClosed) return;
    const { id, method, params } = message;
    if (typeof method === "string") this.#takeCall(method, id, params, about);
    else this.#takeAnswer(id, message, about);
  }

  /** Tells the other side that something it sent cannot be taken. */
  refuse(message: string, code: number = rpcCodes.invalidRequest, given?: unknown): void {
    if (this.#isClosed) return;
    const id = isRequestId(given) ? given : undefined;
    const json = errorJson(id ?? null, { code, message });
    if (this.#batch !== undefined) this.#batch.refuse(json);
    else this.#ports.send(json, id, true, code);
  }

  /** Every wait ends with an error; what the other side asked for is cancelled. Nothing is sent any more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#outgoing?.close();
    for (const request of this.#incoming.all()) {
      this.#incoming.remove(request.id);
      request.cancel();
    }
    this.#checkIdle();
  }

  #startAsking(): OutgoingRequests<Options> {
    const { sendRequest, toError = errorOf, onOver } = this.#ports;
    return new OutgoingRequests({
      toError,
      onOver,
      notify: (method, params, about) => this.notify(method, params, about),
      sendRequest: sendRequest ?? ((json, { options }) => this.#ports.send(json, options.about, false)),
    });
  }

  #takeBatch(messages: readonly unknown[]): void {
    const why = whyNoBatch(messages, this.#ports.version?.());
    if (why !== undefined) {
      this.refuse(why);
      return;
    }
    const batch = new Batch((json) => {
      if (!this.#isClosed) this.#ports.send(json, undefined, true);
    });
    this.#batch = batch;
    try {
      for (const message of messages) this.receive(message);
    } finally {
      this.#batch = undefined;
    }
    batch.whole();
  }

  #takeCall(method: string, id: Json | undefined, given: Json | undefined, about: number | undefined): void {
    const params = given === undefined ? noParams : isJsonObject(given) ? given : undefined;
    if (id === undefined) {
      if (params !== undefined) this.#takeNotification(method, params);
    } else if (this.#ports.mayTake?.() === false) return;
    else if (!isRequestId(id)) this.refuse(whatIdsAre);
    else if (params === undefined) this.refuse("params must be an object.", rpcCodes.invalidParams, id);
    else if (this.#incoming.get(id) !== undefined)
      this.refuse("Another request with this id has not been answered yet.", rpcCodes.invalidRequest, id);
    else if (this.#incoming.size >= this.#maxIncoming)
      this.refuse(
        `More than ${this.#maxIncoming} requests at once; wait for some answers.`,
        rpcCodes.internalError,
        id,
      );
    else this.#answer(new IncomingRequest(id, method, params, about));
  }

  #answer(request: IncomingRequest): void {
    this.#incoming.add(request);
    if (this.#batch !== undefined) {
      this.#batches ??= new Map();
      this.#batches.set(request.id, this.#batch);
      this.#batch.begin();
    }
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

  /** Undefined: nobody waits for it any more. */
  #end(id: RequestId, json: string | undefined, errorCode?: number): void {
    const batch = this.#batches?.get(id);
    if (batch !== undefined) {
      this.#batches?.delete(id);
      batch.end(json);
    } else if (json !== undefined) this.#ports.send(json, id, true, errorCode);
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
    this.#end(request.id, `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${json}}`);
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
    const problem: RpcProblem = error instanceof RpcError ? error : unanswered;
    if (problem === unanswered)
      this.#ports.onProblem?.(`${method} could not be answered: ${messageOf(error)}`);
    this.#end(id, errorJson(id, problem), problem.code);
  }

  /** False when nobody waits for the answer. */
  #isDone(request: IncomingRequest): boolean {
    if (this.#incoming.get(request.id) === request) this.#incoming.remove(request.id);
    return !request.cancelled && !this.#isClosed;
  }

  #takeNotification(method: string, params: JsonObject): void {
    if (method === "notifications/progress" && this.#outgoing?.progress(params) === true) return;
    if (this.#ports.mayTake?.() === false) return;
    if (method === "notifications/cancelled" && isRequestId(params.requestId)) {
      this.#incoming.remove(params.requestId)?.cancel();
      if (this.#batches !== undefined) this.#end(params.requestId, undefined);
      this.#checkIdle();
    } else this.#ports.onNotification?.(method, params);
  }

  #takeAnswer(given: Json | undefined, message: RpcMessage, about: number | undefined): void {
    // An error without the id of its request: only with a way back of its own it is clear which one is meant.
    const id = isRequestId(given) ? given : isJsonObject(message.error) ? about : undefined;
    if (id !== undefined && this.#outgoing?.settle(id, message) === true) return;
    if (this.#ports.mayTake?.() === false) return;
    const said = isJsonObject(message.error) ? message.error.message : undefined;
    const words = typeof said === "string" ? `: ${said.slice(0, maxShown)}` : ".";
    const which = id === undefined ? "no id" : `id ${JSON.stringify(id).slice(0, maxShown)}`;
    this.#ports.onProblem?.(`An answer came that nobody waits for (${which})${words}`);
  }
}

/** Of what the other side wrote, in a message for the log. */
const maxShown = 200;

const noParams: JsonObject = Object.freeze({});

const unanswered: RpcProblem = {
  code: rpcCodes.internalError,
  message: "The request could not be answered.",
};
