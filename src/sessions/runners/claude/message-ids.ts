/** Which message of the model makes a call: a person's no to one call rejects the message's others. */

/** The stream and the agent's questions come by different ways; the stream is hardly ever this much later. */
const waitMs = 200;
const maxKept = 2_000;

export class MessageIds {
  readonly #known = new Map<string, string>();
  readonly #waiting = new Map<string, () => void>();

  set(toolUseId: string, messageId: string): void {
    this.#known.set(toolUseId, messageId);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKept && oldest !== undefined) this.#known.delete(oldest);
    this.#waiting.get(toolUseId)?.();
  }

  /** Undefined: nobody has said it. */
  async of(toolUseId: string): Promise<string | undefined> {
    const known = this.#known.get(toolUseId);
    if (known !== undefined) return known;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#waiting.set(toolUseId, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.#waiting.delete(toolUseId);
    return this.#known.get(toolUseId);
  }
}
