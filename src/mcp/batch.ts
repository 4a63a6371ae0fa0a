/** JSON-RPC batches, which only protocol 2025-03-26 has: messages come and answers go as one list. */

/** The one version that has them. */
export const batchVersion = "2025-03-26";

/** More at once are refused: they all begin together. */
export const maxBatch = 100;

/** Undefined: it may be taken. */
export function whyNoBatch(messages: readonly unknown[], version: string | undefined): string | undefined {
  if (version !== batchVersion) return "Batches are not supported: send each message by itself.";
  if (messages.length === 0) return "A batch needs a message.";
  return messages.length > maxBatch ? `A batch may have at most ${maxBatch} messages.` : undefined;
}

/** `[a,b]` of what is JSON already. */
export function listOf(answers: readonly string[]): string {
  return `[${answers.join(",")}]`;
}

export class Batch {
  readonly #send: (json: string) => void;
  readonly #answers: string[] = [];
  #waiting = 0;
  #isWhole = false;

  constructor(send: (json: string) => void) {
    this.#send = send;
  }

  /** One of its messages is a request. */
  begin(): void {
    this.#waiting++;
  }

  /** Of a request that began; undefined: it was cancelled, and has none. */
  end(answer: string | undefined): void {
    this.#waiting--;
    if (answer !== undefined) this.#answers.push(answer);
    this.#sendIfDone();
  }

  /** One of its messages could not be taken. */
  refuse(answer: string): void {
    this.#answers.push(answer);
  }

  /** All of its messages have been read. */
  whole(): void {
    this.#isWhole = true;
    this.#sendIfDone();
  }

  #sendIfDone(): void {
    if (this.#isWhole && this.#waiting === 0 && this.#answers.length > 0) this.#send(listOf(this.#answers));
  }
}
