/** Writes what an agent says in a turn into the log: texts as they come, whole when they are done, in order. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { SessionUsage } from "../../../core/ports/sessions.ts";
import type { TurnLog } from "../../runner.ts";
import { listIn, objectIn, textIn, textOfBlock } from "./protocol.ts";

/** Of one message; nobody reads more, and the log has to hold it. */
const longestMessage = 4 * 1024 * 1024;

interface OpenMessage {
  readonly itemId: string;
  readonly messageId: string | undefined;
  text: string;
}

export class AgentSpeech {
  readonly #log: TurnLog;
  readonly #fail: (error: unknown) => void;
  #open: OpenMessage | undefined;
  #plan = "";
  /** What is written later comes later. */
  #writing: Promise<void> = Promise.resolve();
  /** The model has answered and not called a tool since. */
  #inStep = false;
  #step = 0;

  constructor(log: TurnLog, fail: (error: unknown) => void) {
    this.#log = log;
    this.#fail = fail;
  }

  chunk(content: JsonObject[string] | undefined, messageId: string | undefined): void {
    this.beginStep();
    if (this.#open !== undefined && messageId !== undefined && this.#open.messageId !== messageId)
      this.endMessage();
    this.#open ??= { itemId: this.#log.newItem(), messageId, text: "" };
    const text = textOfBlock(content).slice(0, longestMessage - this.#open.text.length);
    this.#open.text += text;
    this.#log.delta(this.#open.itemId, text);
  }

  /** The whole message replaces what its chunks said. */
  whole(content: JsonObject[string] | undefined, messageId: string | undefined): void {
    const text = listIn(content).map(textOfBlock).join("");
    if (text === "") return;
    if (this.#open === undefined || this.#open.messageId !== messageId)
      this.chunk({ type: "text", text }, messageId);
    else this.#open.text = text.slice(0, longestMessage);
  }

  /** Counts what the model does; fails the turn when that is too much. */
  beginStep(): void {
    if (this.#inStep) return;
    this.#inStep = true;
    this.#step++;
    try {
      this.#log.beginStep();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Which answer of the model this is, as far as anybody can tell. */
  get step(): number {
    return this.#step;
  }

  endStep(): void {
    this.#inStep = false;
  }

  /** Nothing more belongs to the message that is open. */
  endMessage(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined && open.text.trim() !== "")
      this.write(() => this.#log.message(open.itemId, open.text));
  }

  plan(entries: readonly JsonObject[]): void {
    const marks: Readonly<Record<string, string>> = { completed: "x", in_progress: "~" };
    const lines = entries.map(
      ({ content, status }) => `- [${marks[String(status)] ?? " "}] ${textIn(content) ?? ""}`,
    );
    const text = lines.join("\n");
    if (text === this.#plan || text === "") return;
    this.#plan = text;
    this.write(() => this.#log.note(`The agent's plan:\n${text}`));
  }

  note(text: string): void {
    this.write(() => this.#log.note(text));
  }

  usage(added: SessionUsage): void {
    this.write(() => this.#log.usage(added));
  }

  write(one: () => Promise<void>): void {
    this.#writing = this.#writing.then(one).catch(this.#fail);
  }

  /** Everything said so far is in the log. */
  written(): Promise<void> {
    return this.#writing;
  }
}

/** As the answer to a prompt says it, in one of several places. Undefined: it does not. */
export function usageIn(answer: JsonObject): SessionUsage | undefined {
  const quota = objectIn(objectIn(objectIn(answer._meta).quota).token_count);
  const { inputTokens = quota.input_tokens, outputTokens = quota.output_tokens } = objectIn(answer.usage);
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return undefined;
  return inputTokens + outputTokens === 0 ? undefined : { inputTokens, outputTokens };
}
