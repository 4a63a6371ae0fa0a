/** One request of ours without an answer yet: its time, which stops while a person is asked, and its end. */
import type { JsonObject } from "../core/input/json.ts";
import { type CancelListener, type Cancellable, listenTo, stopListening } from "../core/run/abort.ts";
import type { Deadlines, Timed } from "../core/run/deadlines.ts";
import type { RequestId } from "./messages.ts";
import type { RpcProgress } from "./progress.ts";

export interface OutgoingOptions {
  readonly signal?: Cancellable | undefined;
  /** Undefined: waits until the signal or the end of the connection. */
  readonly timeoutMs?: number | undefined;
  /** Asks for progress, too. */
  readonly onProgress?: ((progress: RpcProgress) => void) | undefined;
  /** The request of the other side that this one belongs to. */
  readonly about?: RequestId | undefined;
}

/** Who asked, and is told when there is no use in waiting any more. */
export interface Asker<Options extends OutgoingOptions> {
  readonly deadlines: Deadlines;
  giveUp(request: OutgoingRequest<Options>, why: "timed_out" | "aborted"): void;
}

export class OutgoingRequest<Options extends OutgoingOptions = OutgoingOptions>
  implements Timed, CancelListener
{
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly options: Options;
  resolve: (result: JsonObject) => void = nothing;
  reject: (error: Error) => void = nothing;
  readonly #asker: Asker<Options>;
  position = -1;
  deadline = Number.POSITIVE_INFINITY;
  #gone: AbortController | undefined;
  #leftMs: number | undefined;
  /** How often the other side told how far it is. */
  steps = 0;
  /** Questions that the other side put to a person for this request, and that are open. */
  questions = 0;
  /** All such questions so far. */
  asked = 0;
  #isOver = false;

  constructor(asker: Asker<Options>, id: number, call: OutgoingCall<Options>) {
    this.id = id;
    this.method = call.method;
    this.params = call.params;
    this.options = call.options;
    this.#asker = asker;
    this.#leftMs = call.options.timeoutMs;
  }

  /** Resolves with the result of the other side. */
  begin(): Promise<JsonObject> {
    const answer = new Promise<JsonObject>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const { signal } = this.options;
    if (signal !== undefined) listenTo(signal, this);
    this.#startTimer();
    return answer;
  }

  timeIsUp(): void {
    this.#asker.giveUp(this, "timed_out");
  }

  /** The caller's signal. */
  handleEvent(): void {
    this.#asker.giveUp(this, "aborted");
  }

  /** Aborted when the request is over: nobody needs the answer to a question that came with it. */
  get gone(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#isOver) this.#gone.abort();
    return this.#gone.signal;
  }

  /** A person is asked, who may take longer than the other side is given. */
  pause(): void {
    if (this.questions++ > 0 || this.#leftMs === undefined) return;
    this.#asker.deadlines.remove(this);
    this.#leftMs = Math.max(1, this.deadline - performance.now());
  }

  resume(): void {
    if (--this.questions === 0 && !this.#isOver) this.#startTimer();
  }

  end(): void {
    this.#isOver = true;
    this.#asker.deadlines.remove(this);
    const { signal } = this.options;
    if (signal !== undefined) stopListening(signal, this);
    this.#gone?.abort();
  }

  #startTimer(): void {
    if (this.#leftMs === undefined) return;
    const now = performance.now();
    this.deadline = now + this.#leftMs;
    this.#asker.deadlines.add(this, now);
  }
}

export interface OutgoingCall<Options extends OutgoingOptions> {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly options: Options;
}

function nothing(): void {}
