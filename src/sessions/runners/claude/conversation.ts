/** One process of the agent and what is said with it, turn after turn, until it ends. */
import { messageOf } from "../../../core/call/errors.ts";
import { RunnerError } from "../../runner.ts";
import type { ClaudeProcess } from "./agent-process.ts";
import type { Sdk, SdkMessage, SdkOptions, SdkQuery, SpawnedProcess, SpawnOptions } from "./sdk.ts";
import { UserMessages } from "./user-messages.ts";

export interface ConversationParts {
  readonly sdk: Sdk;
  readonly options: (spawn: (options: SpawnOptions) => SpawnedProcess) => SdkOptions;
  readonly start: (options: SpawnOptions) => ClaudeProcess;
  readonly onMessage: (message: SdkMessage) => void;
  /** The agent has ended, by itself or because it was told to. */
  readonly onEnd: (why: RunnerError) => void;
  /** What served its calls ends with it. */
  readonly onClose: () => Promise<void>;
}

export class Conversation {
  readonly #parts: ConversationParts;
  readonly #messages = new UserMessages();
  readonly #query: SdkQuery;
  #process: ClaudeProcess | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    const options = parts.options((wanted) => {
      this.#process = parts.start(wanted);
      return this.#process;
    });
    this.#query = parts.sdk.query({ prompt: this.#messages, options });
    void this.#listen();
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  say(text: string): string {
    return this.#messages.say(text);
  }

  async interrupt(): Promise<void> {
    await this.#query.interrupt();
  }

  /** Resolves when the process and all that it started are gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#messages.end();
    try {
      // First the process: the SDK forgets it as soon as it is told to close.
      await this.#process?.end();
    } finally {
      this.#query.close();
      await this.#parts.onClose();
    }
  }

  async #listen(): Promise<void> {
    let why = "The agent's process has ended.";
    try {
      for await (const message of this.#query) {
        // An SDK that starts the process by itself would leave us without a way to end it.
        if (this.#process === undefined) throw new Error("The SDK did not let toolgate start the agent.");
        this.#parts.onMessage(message);
      }
    } catch (error) {
      why = messageOf(error);
    }
    const said = this.#process?.lastErrors ?? "";
    const message = said === "" || why.includes(said) ? why : `${why} ${said}`;
    this.#parts.onEnd(new RunnerError("agent_died", message));
    await this.close().catch(() => {});
  }
}
