/** A conversation with an upstream server: what its answers mean, whom its questions concern. */

import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { exactDuration } from "../../../core/text/duration.ts";
import type { IncomingRequest } from "../../../mcp/incoming-request.ts";
import { isRequestId, RpcError, type RpcMessage, rpcCodes } from "../../../mcp/messages.ts";
import type { OutgoingRequest } from "../../../mcp/outgoing-request.ts";
import type { Failure } from "../../../mcp/outgoing-requests.ts";
import { Peer } from "../../../mcp/peer.ts";
import type { Wire, WireListener } from "../wire/wire.ts";
import { answerQuestion, answerServer } from "./answer-server.ts";
import { type CallOptions, mayBeDone, UpstreamError } from "./connection.ts";
import { LeftCalls } from "./left-calls.ts";

export interface AskOptions extends CallOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the server may ask something while this one runs. */
  readonly mayAsk?: boolean;
  /** How much of its time had passed when it was sent: others came first, or the server had to start. */
  readonly waitedMs?: number;
}

export interface ConversationPorts {
  readonly name: string;
  readonly redact: (text: string) => string;
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** Told once, with the words that everybody who waited was given. */
  readonly onEnd: (why: string) => void;
}

type Asked = OutgoingRequest<AskOptions>;

export class Conversation implements WireListener {
  readonly #ports: ConversationPorts;
  readonly #peer: Peer<AskOptions>;
  readonly #left = new LeftCalls();
  #wire: Wire | undefined;
  #ended: string | undefined;
  /** Messages that nobody asked for, since a moment. */
  #chatter = 0;
  #chatterSince = performance.now();
  #onIdle: (() => void) | undefined;
  /** When the server was last heard, whatever it said. */
  heardAt = performance.now();

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
    this.#peer = new Peer<AskOptions>({
      send: (json) => this.#wire?.tell(json),
      sendRequest: (json, request) => this.#wire?.request(json, request),
      onRequest: (request) => this.#answer(request),
      onNotification: ports.onNotification,
      mayTake: () => this.#countChatter(),
      toError: (request, failure) => this.#errorOf(request, failure),
      onOver: (request, isLeft) => this.#over(request, isLeft),
    });
  }

  carryOn(wire: Wire): void {
    this.#wire = wire;
  }

  /** How many wait who are given a time; a stream of changes is not. */
  get inFlight(): number {
    let count = 0;
    for (const { options } of this.#peer.asked.all()) if (options.timeoutMs !== undefined) count++;
    return count;
  }

  /** Why nothing will come any more. */
  get over(): string | undefined {
    return this.#ended;
  }

  /** When everybody who waits now has got an answer, or has waited long enough. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.inFlight === 0) resolve();
    });
  }

  /** Rejects with UpstreamError only. */
  request(method: string, params: JsonObject, options: AskOptions = none): Promise<JsonObject> {
    if (this.#ended !== undefined || this.#wire === undefined)
      return Promise.reject(new UpstreamError("unavailable", this.#ended ?? "It is not connected."));
    return this.#peer.request(method, params, options);
  }

  notify(method: string, params?: JsonObject): void {
    this.#peer.notify(method, params);
  }

  message(message: RpcMessage, about: number | undefined): void {
    this.heardAt = performance.now();
    const { id, method } = message;
    // Too late, but now it is known that the server has stopped working on it.
    if (method === undefined && typeof id === "number") this.#left.remove(id);
    this.#peer.take(method === undefined ? message : asMeant(message), about);
  }

  failed(id: number, error: UpstreamError): void {
    this.#peer.asked.fail(id, error);
  }

  ended(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#peer.close();
    this.#ports.onEnd(why);
  }

  /** Each message takes time from everybody: a server that talks without end, unasked, is ended. */
  #countChatter(): boolean {
    if (this.heardAt - this.#chatterSince > chatterWindowMs) {
      this.#chatterSince = this.heardAt;
      this.#chatter = 0;
    }
    if (++this.#chatter <= maxChatter) return true;
    this.ended(
      `The upstream server "${this.#ports.name}" sent more than ${maxChatter} messages in ${exactDuration(chatterWindowMs)} that nobody asked for, and was ended.`,
    );
    return false;
  }

  #over({ id, options }: Asked, isLeft: boolean): void {
    if (isLeft) {
      if (options.mayAsk === true) this.#left.add(id, options.callerId);
      this.#wire?.abandon(id);
    }
    if (this.#onIdle !== undefined && this.inFlight === 0) this.#onIdle();
  }

  #errorOf({ method, options }: Asked, failure: Failure): UpstreamError {
    const server = `The upstream server "${this.#ports.name}"`;
    const { why } = failure;
    if (why === "refused")
      // It may repeat what it was started with.
      return new UpstreamError(
        "refused_by_server",
        `${server} answered: ${this.#ports.redact(failure.message.slice(0, maxErrorChars))}`,
        failure,
      );
    if (why === "bad_answer")
      return new UpstreamError(
        why,
        `${server} answered ${method} with neither a result object nor an error.`,
      );
    if (why === "aborted")
      return new UpstreamError(why, `${method} of the upstream server "${this.#ports.name}" was cancelled.`);
    if (why === "timed_out")
      return new UpstreamError(
        why,
        `${server} did not answer ${method} within ${timeGiven(options)}. Try again, or raise timeout_ms of this upstream.`,
      );
    const hint = options.mayAsk === true ? mayBeDone : undefined;
    return new UpstreamError("unavailable", this.#ended ?? "It is not connected.", undefined, hint);
  }

  #answer({ method, params, about }: IncomingRequest): JsonObject | Promise<JsonObject> {
    return method === "elicitation/create"
      ? this.#ask(params, about)
      : answerServer(method, this.#ports.name);
  }

  /** Nobody is shown the question of another: each request has its own stream, or only one is in flight. */
  async #ask(params: JsonObject, about: number | undefined): Promise<JsonObject> {
    const concerned = about === undefined ? this.#onlyOneThatMayBeAsked() : this.#peer.asked.get(about);
    if (concerned === undefined || concerned.questions >= maxQuestions) return { action: "decline" };
    if (++concerned.asked > maxAsked) return { action: "decline" };
    concerned.pause();
    try {
      const { options, gone: signal } = concerned;
      const { elicit } = options;
      const answer = await answerQuestion({ params, name: this.#ports.name, elicit, signal });
      if (answer === undefined) throw new RpcError(rpcCodes.invalidParams, notShown);
      return answer;
    } finally {
      concerned.resume();
    }
  }

  #onlyOneThatMayBeAsked(): Asked | undefined {
    const [first, second] = this.#peer.asked.all().filter(({ options }) => options.mayAsk === true);
    if (first === undefined || second !== undefined) return undefined;
    return this.#left.isOnlyOf(first.options.callerId) ? first : undefined;
  }
}

const none: AskOptions = {};
/** Of one call at a time: a person is not to be buried under them. */
const maxQuestions = 5;
/** In all: time stands still while somebody is asked, so a server could ask for ever. */
const maxAsked = 50;
const maxErrorChars = 8_000;
const maxChatter = 10_000;
const chatterWindowMs = 10_000;

/** Some servers write `id: null` or `params: null` where they have none. */
function asMeant(message: RpcMessage): RpcMessage {
  const { jsonrpc, id, method = null, params } = message;
  if ((id === undefined || isRequestId(id)) && (params === undefined || isJsonObject(params))) return message;
  return { jsonrpc, method, ...(isRequestId(id) && { id }), ...(isJsonObject(params) && { params }) };
}

const notShown = "The question has no message, no schema, or no http(s) URL.";

function timeGiven({ timeoutMs = 0, waitedMs = 0 }: AskOptions): string {
  const given = exactDuration(timeoutMs);
  return waitedMs < 1 ? given : `the ${given} that were left after ${exactDuration(waitedMs)} of waiting`;
}
