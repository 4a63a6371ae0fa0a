/** One posted request on its way to an answer: plain JSON, or a stream of events if there is more to say. */
import type { Clock } from "../../../core/ports/ports.ts";
import type { RequestId } from "../../../mcp/messages.ts";
import { type Answer, type AnswerStream, stream } from "../../http/answer.ts";
import type { MessageStream } from "./message-stream.ts";
import { rpcAnswer, statusOfCode } from "./rpc-answers.ts";

export interface PostedOptions {
  readonly id: RequestId;
  readonly clock: Clock;
  /** The client takes streams. */
  readonly mayStream: boolean;
  /** Without an answer by then the client is given a stream, so that it and proxies see that we are there. */
  readonly quietMs: number;
  /** Made when the first message goes out that is not the answer. */
  readonly makeStream: () => MessageStream;
  readonly write: (messages: MessageStream, out: AnswerStream) => Promise<void>;
  /** Called when the request becomes a stream, which outlives its connection. Answers how to end it. */
  readonly hold?: () => () => void;
  readonly mayStillCall?: () => boolean | Promise<boolean>;
  /** The status says which kind of error the answer is; older clients are told by the answer alone. */
  readonly tellsStatus?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

export class PostedRequest {
  readonly answer: Promise<Answer>;
  readonly #options: PostedOptions;
  #resolve: (answer: Answer) => void = () => {};
  #stopWaiting: (() => void) | undefined;
  #messages: MessageStream | undefined;
  #letGo: (() => void) | undefined;
  #isAnswered = false;

  constructor(options: PostedOptions) {
    this.#options = options;
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (options.mayStream) this.#stopWaiting = options.clock.after(options.quietMs, () => this.#stream());
  }

  get id(): RequestId {
    return this.#options.id;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** The answer comes as a stream: whoever loses the connection may come back for it. */
  get isStreamed(): boolean {
    return this.#messages !== undefined;
  }

  mayStillCall(): boolean | Promise<boolean> {
    return this.#options.mayStillCall?.() ?? false;
  }

  /** False: there is no way to tell this client anything but the answer. */
  take(json: string, isAnswer: boolean, errorCode?: number): boolean {
    if (this.#isAnswered) return false;
    if (isAnswer) {
      this.#isAnswered = true;
      this.#stopWaiting?.();
      if (this.#messages === undefined) {
        const { tellsStatus, headers } = this.#options;
        const status = tellsStatus === true ? statusOfCode.get(errorCode) : undefined;
        this.#resolve(rpcAnswer(json, headers, status));
        return true;
      }
    } else if (!this.#options.mayStream) return false;
    const messages = this.#stream();
    if (!isAnswer) messages.push(json);
    else {
      messages.answer(json);
      this.#letGo?.();
    }
    return true;
  }

  /** Nobody will answer it any more. */
  drop(answer: Answer): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#stopWaiting?.();
    if (this.#messages === undefined) this.#resolve(answer);
    else this.#messages.end();
    this.#letGo?.();
  }

  #stream(): MessageStream {
    if (this.#messages !== undefined) return this.#messages;
    this.#stopWaiting?.();
    const messages = this.#options.makeStream();
    this.#messages = messages;
    this.#letGo = this.#options.hold?.();
    this.#resolve(eventStream((out) => this.#options.write(messages, out), this.#options.headers));
    return messages;
  }
}

export function eventStream(
  write: (out: AnswerStream) => Promise<void>,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  // Buffering proxies would hold back what was meant to be seen at once.
  return stream("text/event-stream", write, { headers: { ...headers, "x-accel-buffering": "no" } });
}
