/** What the agent is told, as the stream that it reads for as long as it lives. */
import { randomUUID } from "node:crypto";
import type { UserMessage } from "./sdk.ts";

export class UserMessages implements AsyncIterable<UserMessage> {
  readonly #waiting: UserMessage[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;

  /** Returns by which the agent says when it takes the message. */
  say(content: string): string {
    const uuid = randomUUID();
    this.#waiting.push({
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: null,
      uuid,
    });
    this.#wake?.();
    return uuid;
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UserMessage> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
