/** Asks one endpoint for a model's answer, and asks again where nothing of an answer has been seen. */
import { setTimeout as sleep } from "node:timers/promises";
import { ToolgateError } from "../../../core/call/errors.ts";
import { isRecord } from "../../../core/input/json.ts";
import { onAbort } from "../../../core/run/abort.ts";
import { createSseReader } from "../../../core/text/read-sse.ts";
import { createOriginClient, type OriginAnswer, type OriginClient } from "../../../safe/net/origin-client.ts";
import { isEvents, readAll } from "../../../safe/net/read-answer.ts";
import { Answer } from "./answer.ts";
import type { ModelApi } from "./model-api.ts";
import { ModelFailure, ModelFailures } from "./model-failure.ts";

export interface ModelClientOptions {
  readonly api: ModelApi;
  readonly baseUrl: string;
  readonly key: () => string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** After the first try. */
  readonly retries: number;
  /** Of one wait between two tries. */
  readonly maxWaitMs: number;
  /** Without a byte from the endpoint. */
  readonly silenceMs: number;
}

export interface Ask {
  readonly body: string;
  readonly signal: AbortSignal;
  /** Called after every piece that came; `answer` has the news. */
  readonly onProgress: (answer: Answer) => void;
  /** Before a wait. */
  readonly onRetry: (waitMs: number, failure: ModelFailure) => void;
}

const maxAnswerBytes = 32 * 1024 * 1024;
const maxEventBytes = 8 * 1024 * 1024;
const maxErrorBytes = 256 * 1024;
const firstWaitMs = 500;
/** The end of an answer stands right behind its last event; some endpoints keep the connection open instead. */
const endWaitMs = 100;

export class ModelClient {
  readonly #options: ModelClientOptions;
  readonly #client: OriginClient;
  readonly #failures: ModelFailures;
  readonly host: string;

  /** Throws a ToolgateError if the address is none. */
  constructor(options: ModelClientOptions) {
    this.#options = options;
    if (!URL.canParse(options.baseUrl)) throw new ToolgateError("chat: baseUrl is no URL.");
    const url = options.api.address(new URL(options.baseUrl));
    // Answers are long and many sessions wait at the same time.
    const made = createOriginClient({ url: url.href, maxConnections: 256, maxRedirects: 0 });
    if (!made.ok) throw new ToolgateError(`chat: baseUrl: ${made.message} ${made.hint}`);
    this.#client = made.client;
    this.host = url.host;
    this.#failures = new ModelFailures(url.host);
  }

  /** Rejects with a ModelFailure, or with the signal's reason. */
  async ask(asked: Ask): Promise<Answer> {
    const { retries, maxWaitMs } = this.#options;
    const { signal } = asked;
    for (let tries = 0; ; tries++) {
      signal.throwIfAborted();
      try {
        return await this.#askOnce(asked);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelFailure) || !error.mayRetry || tries >= retries) throw error;
        const waitMs =
          error.waitMs ?? Math.min(maxWaitMs, firstWaitMs * 2 ** tries) * (0.5 + Math.random() / 2);
        if (waitMs > maxWaitMs) throw error;
        asked.onRetry(waitMs, error);
        await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  close(): void {
    this.#client.close();
  }

  async #askOnce({ body, signal, onProgress }: Ask): Promise<Answer> {
    const { api, headers, silenceMs } = this.#options;
    const key = this.#options.key()?.trim();
    const ending = new AbortController();
    const stopListening = onAbort(signal, () => ending.abort());
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      ending.abort();
    }, silenceMs);
    try {
      const response = await this.#client.send({
        method: "POST",
        headers: { "content-type": "application/json", ...api.headers(key || undefined), ...headers },
        body,
        signal: ending.signal,
      });
      if (!response.ok) throw this.#failures.unreachable(response);
      if (response.status < 200 || response.status > 299) throw await this.#refusal(response, key);
      return await this.#read(response, { key, onProgress, onPiece: () => silence.refresh() });
    } catch (error) {
      throw isSilent ? this.#failures.silent(silenceMs) : error;
    } finally {
      clearTimeout(silence);
      stopListening();
    }
  }

  async #refusal(response: OriginAnswer, key: string | undefined): Promise<ModelFailure> {
    const text = await readAll(response.body, maxErrorBytes).catch(() => "");
    return this.#failures.refused(response.status, response.headers, text ?? "", key);
  }

  async #read(response: OriginAnswer, reading: Reading): Promise<Answer> {
    const answer = new Answer();
    const { key, onProgress } = reading;
    const isWholeBody = isEvents(response)
      ? await this.#readEvents(response, answer, reading)
      : await this.#readWhole(response, answer);
    const { failure, hasBegun, text } = answer;
    if (failure !== undefined) throw this.#failures.told(failure, hasBegun, key);
    // A proxy ends a stream in good order when the endpoint behind it is gone.
    const isOver = answer.isWhole || (isWholeBody && answer.stopReason !== undefined);
    if (!isOver) throw this.#failures.cutOff(hasBegun, text.length);
    onProgress(answer);
    return answer;
  }

  /** False: it broke off. */
  async #readEvents({ body }: OriginAnswer, answer: Answer, reading: Reading): Promise<boolean> {
    const { api } = this.#options;
    const { onProgress, onPiece } = reading;
    let bytes = 0;
    let end: NodeJS.Timeout | undefined;
    const events = createSseReader({
      maxBytes: maxEventBytes,
      onEvent: ({ data }) => takeData(data, answer, api),
      onTooLong: () => {
        throw this.#failures.unreadable(`sent an event of more than ${maxEventBytes} bytes.`);
      },
    });
    try {
      await body.read((chunk) => {
        onPiece();
        bytes += chunk.length;
        if (bytes > maxAnswerBytes)
          throw this.#failures.unreadable(`sent more than ${maxAnswerBytes} bytes.`);
        events.push(chunk);
        onProgress(answer);
        if (answer.isWhole || answer.failure !== undefined)
          end ??= setTimeout(() => body.destroy(), endWaitMs);
      });
      // The last event may lack the empty line behind it.
      events.push(Buffer.from("\n\n"));
      return true;
    } catch (error) {
      if (error instanceof ModelFailure) throw error;
      return false;
    } finally {
      clearTimeout(end);
    }
  }

  /** Of an endpoint that does not stream, or does not say that it does. */
  async #readWhole({ body }: OriginAnswer, answer: Answer): Promise<boolean> {
    let text: string | undefined;
    try {
      text = await readAll(body, maxAnswerBytes);
    } catch {
      return false;
    }
    if (text === undefined) throw this.#failures.unreadable(`sent more than ${maxAnswerBytes} bytes.`);
    const { api } = this.#options;
    const whole = parse(text);
    if (isRecord(whole)) api.read(whole, answer);
    else if (/^\s*(?:data|event|id|retry)?:/.test(text)) readEventText(text, answer, api);
    else throw this.#failures.unreadable("answered with something that is no JSON. Check its base URL.");
    if (isRecord(whole) && !answer.isWhole && answer.failure === undefined)
      throw this.#failures.unreadable(
        `answered with JSON that is no message of ${api.title}. Check its base URL.`,
      );
    return true;
  }
}

interface Reading {
  readonly key: string | undefined;
  readonly onProgress: Ask["onProgress"];
  readonly onPiece: () => void;
}

function readEventText(text: string, answer: Answer, api: ModelApi): void {
  const onEvent = ({ data }: { readonly data: string }) => takeData(data, answer, api);
  createSseReader({ maxBytes: maxAnswerBytes, onEvent, onTooLong: () => {} }).push(
    Buffer.from(`${text}\n\n`),
  );
}

function takeData(data: string, answer: Answer, api: ModelApi): void {
  const value = parse(data);
  if (isRecord(value)) api.read(value, answer);
  else if (data.trim() === "[DONE]") answer.isWhole = true;
  // Some endpoints leave out the empty lines between events.
  else if (data.includes("\n")) for (const line of data.split("\n")) takeData(line, answer, api);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
