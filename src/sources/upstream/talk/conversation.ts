/** One conversation with a running upstream server: matches answers with requests, counts time, carries progress, cancellation and questions. */

import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { type DeadlineClock, Deadlines } from "../../../core/run/deadlines.ts";
import { isRequestId, type RequestId, rpcCodes } from "../../../mcp/messages.ts";
import { OpenRequests } from "../../../mcp/open-requests.ts";
import type { Wire, WireListener } from "../wire/wire.ts";
import { answerQuestion, answerServer, type Refusal } from "./answer-server.ts";
import { mayBeDone, UpstreamError } from "./connection.ts";
import { LeftCalls } from "./left-calls.ts";
import { readProgress } from "./progress.ts";
import { type Asking, type AskOptions, Waiting } from "./waiting.ts";

export interface ConversationPorts {
  readonly name: string;
  readonly redact: (text: string) => string;
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** Told once, with the words that everybody who waited was given. */
  readonly onEnd: (why: string) => void;
}

export class Conversation implements WireListener, Asking {
  readonly #ports: ConversationPorts;
  readonly #waiting = new OpenRequests<Waiting>();
  readonly #left = new LeftCalls();
  readonly #deadlines = new Deadlines(clock);
  #wire: Wire | undefined;
  #lastId = 0;
  #ended: string | undefined;
  /** Messages that nobody asked for, since a moment. */
  #chatter = 0;
  #chatterSince = performance.now();
  #onIdle: (() => void) | undefined;
  /** When the server was last heard, whatever it said. */
  heardAt = performance.now();

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
  }

  carryOn(wire: Wire): void {
    this.#wire = wire;
  }

  /** How many wait who are given a time; a stream of changes is not. */
  get inFlight(): number {
    let count = 0;
    for (const { options } of this.#waiting.all()) if (options.timeoutMs !== undefined) count++;
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
    const wire = this.#wire;
    if (this.#ended !== undefined || wire === undefined)
      return Promise.reject(new UpstreamError("unavailable", this.#ended ?? "It is not connected."));
    if (options.signal?.aborted === true) return Promise.reject(cancelled(this.#ports.name, method));
    const id = ++this.#lastId;
    const sent = options.onProgress === undefined ? params : withProgressToken(params, id);
    return new Promise((resolve, reject) => {
      const waiting = new Waiting(id, method, options, resolve, reject, this, this.#deadlines);
      this.#waiting.add(waiting);
      waiting.begin();
      wire.request(
        `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${JSON.stringify(sent)}}`,
        options.headers === undefined
          ? { id, method, params: sent }
          : { id, method, params: sent, headers: options.headers },
      );
    });
  }

  notify(method: string, params?: JsonObject): void {
    if (this.#ended === undefined) this.#wire?.tell(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  message(message: JsonObject, about: number | undefined): void {
    if (this.#ended !== undefined) return;
    this.heardAt = performance.now();
    const { id, method } = message;
    // An error without the id of its request: only with a stream of its own it is clear which one is meant.
    const answers = typeof id === "number" ? id : isJsonObject(message.error) ? about : undefined;
    if (typeof method !== "string") {
      if (answers === undefined || !this.#takeAnswer(answers, message)) this.#countChatter();
      return;
    }
    const params = isJsonObject(message.params) ? message.params : {};
    if (method === "notifications/progress" && this.#takeProgress(params)) return;
    if (!this.#countChatter()) return;
    if (isRequestId(id)) void this.#answer(id, method, params, about);
    else this.#ports.onNotification(method, params);
  }

  /** Each message takes time from everybody: a server that talks without being asked, without end, is ended. */
  #countChatter(): boolean {
    if (this.heardAt - this.#chatterSince > chatterWindowMs) {
      this.#chatterSince = this.heardAt;
      this.#chatter = 0;
    }
    if (++this.#chatter <= maxChatter) return true;
    this.ended(
      `The upstream server "${this.#ports.name}" sent more than ${maxChatter} messages in ${chatterWindowMs / 1_000} s that nobody asked for, and was ended.`,
    );
    return false;
  }

  failed(id: number, error: UpstreamError): void {
    this.#take(id)?.reject(error);
  }

  ended(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    for (const { id, options } of this.#waiting.all()) {
      const hint = options.mayAsk === true ? mayBeDone : undefined;
      this.#take(id)?.reject(new UpstreamError("unavailable", why, undefined, hint));
    }
    this.#ports.onEnd(why);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.remove(id);
    if (waiting === undefined) return undefined;
    waiting.end();
    if (this.#onIdle !== undefined && this.inFlight === 0) this.#onIdle();
    return waiting;
  }

  /** False: nobody waits for it; too late, or a second one. */
  #takeAnswer(id: number, message: JsonObject): boolean {
    const waiting = this.#take(id);
    if (waiting === undefined) {
      this.#left.remove(id);
      return false;
    }
    const { result, error } = message;
    if (isJsonObject(result)) waiting.resolve(result);
    else if (isJsonObject(error)) {
      const code = typeof error.code === "number" ? error.code : rpcCodes.internalError;
      // It may repeat what it was started with.
      const said =
        typeof error.message === "string"
          ? this.#ports.redact(error.message.slice(0, maxErrorChars))
          : "no message";
      waiting.reject(
        new UpstreamError(
          "refused_by_server",
          `The upstream server "${this.#ports.name}" answered: ${said}`,
          {
            code,
            data: error.data,
          },
        ),
      );
    } else
      waiting.reject(
        new UpstreamError(
          "bad_answer",
          `The upstream server "${this.#ports.name}" answered ${waiting.method} with neither a result object nor an error.`,
        ),
      );
    return true;
  }

  /** False: nobody wants to know. */
  #takeProgress(params: JsonObject): boolean {
    const { progressToken } = params;
    const waiting = typeof progressToken === "number" ? this.#waiting.get(progressToken) : undefined;
    const progress = waiting?.options.onProgress === undefined ? undefined : readProgress(params);
    if (waiting === undefined || progress === undefined || ++waiting.steps > maxSteps) return false;
    waiting.options.onProgress?.(progress);
    return true;
  }

  async #answer(id: RequestId, method: string, params: JsonObject, about: number | undefined): Promise<void> {
    const answer =
      method === "elicitation/create"
        ? await this.#ask(params, about)
        : answerServer(method, this.#ports.name);
    if (this.#ended !== undefined) return;
    const body = "error" in answer ? { error: (answer as Refusal).error } : { result: answer };
    this.#wire?.tell(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
  }

  /** Whom it concerns is known where each request has its own stream, or where only one is in flight; nobody else is ever shown it. */
  async #ask(params: JsonObject, about: number | undefined): Promise<JsonObject | Refusal> {
    const concerned = about === undefined ? this.#onlyOneThatMayBeAsked() : this.#waiting.get(about);
    if (concerned === undefined || concerned.questions >= maxQuestions) return { action: "decline" };
    if (++concerned.asked > maxAsked) return { action: "decline" };
    // A person may take longer than a server is given.
    concerned.pause();
    try {
      return await answerQuestion(params, this.#ports.name, concerned.options.elicit, concerned.gone.signal);
    } finally {
      concerned.resume();
    }
  }

  #onlyOneThatMayBeAsked(): Waiting | undefined {
    const [first, second] = this.#waiting.all().filter(({ options }) => options.mayAsk === true);
    if (first === undefined || second !== undefined) return undefined;
    return this.#left.isOnlyOf(first.options.callerId) ? first : undefined;
  }

  giveUp(waiting: Waiting, why: "timed_out" | "aborted"): void {
    const { id, options } = waiting;
    this.#take(id);
    if (options.mayAsk === true) this.#left.add(id, options.callerId);
    const { name } = this.#ports;
    waiting.reject(
      why === "aborted"
        ? cancelled(name, waiting.method)
        : new UpstreamError(
            "timed_out",
            `The upstream server "${name}" did not answer ${waiting.method} within ${timeGiven(options)}. Try again, or raise timeout_ms of this upstream.`,
          ),
    );
    // The handshake is the one request that may not be cancelled.
    if (waiting.method !== "initialize")
      this.notify("notifications/cancelled", {
        requestId: id,
        reason: why === "aborted" ? "The call was cancelled." : "The call took too long.",
      });
    this.#wire?.abandon(id);
  }
}

const none: AskOptions = {};
const clock: DeadlineClock = {
  monotonic: () => performance.now(),
  after(ms, run) {
    // What waits for an answer keeps the process alive by its connection.
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
/** Of one call at a time: a person is not to be buried under them. */
const maxQuestions = 5;
/** In all: time stands still while somebody is asked, so a server could ask for ever. */
const maxAsked = 50;
const maxErrorChars = 8_000;
const maxChatter = 10_000;
const chatterWindowMs = 10_000;
/** Steps of progress of one call that are passed on. */
const maxSteps = 10_000;

function timeGiven({ timeoutMs = 0, waitedMs = 0 }: AskOptions): string {
  const given = `${Math.round(timeoutMs)} ms`;
  return waitedMs < 1 ? given : `the ${given} that were left after ${Math.round(waitedMs)} ms of waiting`;
}

function cancelled(name: string, method: string): UpstreamError {
  return new UpstreamError("aborted", `${method} of the upstream server "${name}" was cancelled.`);
}

function withProgressToken(params: JsonObject, token: number): JsonObject {
  const { _meta: meta } = params;
  return { ...params, _meta: { ...(isJsonObject(meta) ? meta : undefined), progressToken: token } };
}
