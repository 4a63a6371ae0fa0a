/** One request that has not been answered: its time, which stands still while a person is asked, and its cancellation. */

import type { JsonObject } from "../../../core/input/json.ts";
import { type CancelListener, listenTo, stopListening } from "../../../core/run/abort.ts";
import type { Deadlines, Timed } from "../../../core/run/deadlines.ts";
import type { CallOptions, UpstreamError } from "./connection.ts";

export interface AskOptions extends CallOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the server may ask something while this one runs. */
  readonly mayAsk?: boolean;
  /** How much of its time was over before it was sent: others were before it, or the server had to be started. */
  readonly waitedMs?: number;
}

/** Who asked, and is told when there is no use in waiting any more. */
export interface Asking {
  giveUp(waiting: Waiting, why: "timed_out" | "aborted"): void;
}

export class Waiting implements Timed, CancelListener {
  readonly id: number;
  readonly method: string;
  readonly options: AskOptions;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: UpstreamError) => void;
  readonly #asking: Asking;
  readonly #deadlines: Deadlines;
  position = -1;
  deadline = Number.POSITIVE_INFINITY;
  #gone: AbortController | undefined;
  #leftMs: number | undefined;
  /** How often it told how far it is. */
  steps = 0;
  /** Open ones, of the server to a person. */
  questions = 0;
  /** All of them so far. */
  asked = 0;
  #isOver = false;

  constructor(
    id: number,
    method: string,
    options: AskOptions,
    resolve: (result: JsonObject) => void,
    reject: (error: UpstreamError) => void,
    asking: Asking,
    deadlines: Deadlines,
  ) {
    this.id = id;
    this.method = method;
    this.options = options;
    this.resolve = resolve;
    this.reject = reject;
    this.#asking = asking;
    this.#deadlines = deadlines;
    this.#leftMs = options.timeoutMs;
  }

  timeIsUp(): void {
    this.#asking.giveUp(this, "timed_out");
  }

  /** The caller's signal. */
  handleEvent(): void {
    this.#asking.giveUp(this, "aborted");
  }

  begin(): void {
    const { signal } = this.options;
    if (signal !== undefined) listenTo(signal, this);
    this.#startTimer();
  }

  /** Aborted when the request is over: nobody needs the answer to a question that came with it. */
  get gone(): AbortController {
    this.#gone ??= new AbortController();
    if (this.#isOver) this.#gone.abort();
    return this.#gone;
  }

  pause(): void {
    if (this.questions++ > 0 || this.#leftMs === undefined) return;
    this.#deadlines.remove(this);
    this.#leftMs = Math.max(1, this.deadline - performance.now());
  }

  resume(): void {
    if (--this.questions === 0 && !this.#isOver) this.#startTimer();
  }

  end(): void {
    this.#isOver = true;
    this.#deadlines.remove(this);
    const { signal } = this.options;
    if (signal !== undefined) stopListening(signal, this);
    this.#gone?.abort();
  }

  #startTimer(): void {
    if (this.#leftMs === undefined) return;
    const now = performance.now();
    this.deadline = now + this.#leftMs;
    this.#deadlines.add(this, now);
  }
}
