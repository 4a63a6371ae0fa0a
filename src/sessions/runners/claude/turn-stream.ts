/** What the agent says in one turn, made into items of the session's log; and how the turn ends. */
import { isRecord } from "../../../core/input/json.ts";
import type { Turn, TurnEnd } from "../../runner.ts";
import type { MessageIds } from "./message-ids.ts";
import { toRunnerError } from "./result-error.ts";
import type { SdkMessage } from "./sdk.ts";

type Fields = Readonly<Record<string, unknown>>;

interface OpenMessage {
  readonly id: string;
  inputTokens: number;
  outputTokens: number;
  /** Of the text block that is being written. */
  itemId: string | undefined;
}

export class TurnStream {
  readonly #turn: Turn;
  readonly #ids: MessageIds;
  readonly #onStep: () => Promise<void>;
  readonly #done = Promise.withResolvers<TurnEnd>();
  /** Of the main conversation, and of each sub-agent by the call that started it. */
  readonly #open = new Map<string, OpenMessage>();
  /** The prompt, and messages that were sent into the turn, until the agent takes them. */
  readonly #waiting = new Set<string>();
  /** The agent says when it takes a message. */
  #saysTaken = false;
  /** One after the other: the log has the order of the stream. */
  #writing: Promise<void> = Promise.resolve();
  #apiError: string | undefined;
  #toldRetry = false;
  #hasBegun = false;

  /** `onStep`: what a person has sent meanwhile is told to the agent. */
  constructor(turn: Turn, ids: MessageIds, onStep: () => Promise<void>) {
    this.#turn = turn;
    this.#ids = ids;
    this.#onStep = onStep;
    this.#done.promise.catch(() => {});
  }

  /** Rejects with a RunnerError. */
  get done(): Promise<TurnEnd> {
    return this.#done.promise;
  }

  /** The agent has begun to work on the prompt. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get hasWaitingMessages(): boolean {
    return this.#saysTaken && this.#waiting.size > 0;
  }

  /** The agent was sent this message. */
  sent(uuid: string): void {
    this.#waiting.add(uuid);
  }

  fail(error: unknown): void {
    // After what was said before: an error that is thrown later is the same one once more.
    this.#write(async () => this.#done.reject(error));
  }

  /** What must be known at once is noted here; what is written waits for its turn. */
  take(message: SdkMessage): void {
    if (message.type === "assistant") this.#noteUses(message);
    if (message.type === "stream_event" && isRecord(message.event)) this.#noteStart(message.event, message);
    this.#write(() => this.#read(message));
  }

  #write(task: () => Promise<void>): void {
    this.#writing = this.#writing.then(task).catch((error: unknown) => this.#done.reject(error));
  }

  async #read(message: SdkMessage): Promise<void> {
    const { type } = message;
    if (type === "stream_event" && isRecord(message.event))
      await this.#event(message.event, threadOf(message));
    else if (type === "assistant") await this.#assistant(message);
    else if (type === "command_lifecycle") this.#noteTaken(message);
    else if (type === "result") await this.#result(message);
    else if (type === "system" && message.subtype === "api_retry") await this.#retry(message);
  }

  async #event(event: Fields, thread: string): Promise<void> {
    const { log } = this.#turn;
    if (event.type === "message_start") {
      log.beginStep();
      const { id, usage } = isRecord(event.message) ? event.message : {};
      this.#open.set(thread, {
        id: String(id),
        itemId: undefined,
        outputTokens: 0,
        inputTokens: inputOf(usage),
      });
    }
    const open = this.#open.get(thread);
    if (open === undefined) return;
    const { content_block: block, delta, usage } = event;
    if (event.type === "content_block_start" && isRecord(block))
      open.itemId = block.type === "text" && thread === main ? log.newItem() : undefined;
    else if (event.type === "content_block_delta" && isRecord(delta) && delta.type === "text_delta") {
      if (open.itemId !== undefined) log.delta(open.itemId, String(delta.text));
    } else if (event.type === "message_delta" && isRecord(usage)) {
      open.outputTokens = numberOf(usage.output_tokens);
      if (inputOf(usage) > 0) open.inputTokens = inputOf(usage);
    } else if (event.type === "message_stop") {
      this.#open.delete(thread);
      const { inputTokens, outputTokens } = open;
      await log.usage({ inputTokens, outputTokens });
    }
  }

  /** One block a message, and whole: it comes before the stream says that the block is over. */
  async #assistant(message: SdkMessage): Promise<void> {
    if (typeof message.error === "string") {
      this.#apiError = message.error;
      return;
    }
    if (threadOf(message) !== main) return;
    const open = this.#open.get(main);
    for (const block of blocksOf(message)) {
      if (block.type !== "text" || block.text === "") continue;
      const itemId = open?.itemId ?? this.#turn.log.newItem();
      if (open !== undefined) open.itemId = undefined;
      await this.#turn.log.message(itemId, String(block.text));
    }
  }

  async #retry({ error_status: status, attempt, max_retries: most }: SdkMessage): Promise<void> {
    if (this.#toldRetry) return;
    this.#toldRetry = true;
    const said = status === undefined || status === null ? "could not be reached" : `answered ${status}`;
    await this.#turn.log.note(`The model ${said}; the agent tries again (${attempt} of at most ${most}).`);
  }

  async #result(message: SdkMessage): Promise<void> {
    await this.#onStep();
    const error = toRunnerError(message, this.#apiError);
    if (error !== undefined) this.#done.reject(error);
    else if (!this.#isBeforeOurs(message))
      this.#done.resolve({
        stopReason: typeof message.stop_reason === "string" ? message.stop_reason : "end_turn",
      });
  }

  /** The end of a turn that the agent began by itself, or of one into which our last message came too late. */
  #isBeforeOurs({ origin }: SdkMessage): boolean {
    return this.hasWaitingMessages || (isRecord(origin) && this.#waiting.size > 0);
  }

  #noteStart(event: Fields, message: SdkMessage): void {
    if (event.type === "message_start") this.#hasBegun = true;
    const { content_block: block } = event;
    const { api_message_id: id } = message;
    if (isRecord(block) && block.type === "tool_use" && typeof id === "string")
      this.#ids.set(String(block.id), id);
  }

  #noteTaken({ state, command_uuid: uuid }: SdkMessage): void {
    this.#saysTaken = true;
    if (state !== "queued") this.#waiting.delete(String(uuid));
  }

  #noteUses(message: SdkMessage): void {
    const id = isRecord(message.message) ? message.message.id : undefined;
    if (typeof id !== "string") return;
    for (const block of blocksOf(message)) if (block.type === "tool_use") this.#ids.set(String(block.id), id);
  }
}

const main = "";

/** The call that started the sub-agent whose message it is. */
function threadOf({ parent_tool_use_id: parent }: SdkMessage): string {
  return typeof parent === "string" ? parent : main;
}

function blocksOf({ message }: SdkMessage): readonly Fields[] {
  const content = isRecord(message) ? message.content : undefined;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** What is read from a cache was put in, too. */
function inputOf(usage: unknown): number {
  if (!isRecord(usage)) return 0;
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  return [input_tokens, cache_creation_input_tokens, cache_read_input_tokens]
    .map(numberOf)
    .reduce((sum, one) => sum + one, 0);
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
