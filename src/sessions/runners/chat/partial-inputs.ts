/** Shows tools their input while the model still writes it: not too often, and nobody waits for them. */
import type { SessionCalls } from "../../session-calls.ts";
import type { OpenCall } from "./answer.ts";

const everyMs = 100;

interface Shown {
  lastAt: number;
  /** What the tool does with the piece before. */
  busy: Promise<unknown> | undefined;
}

/** Of one message of the model. */
export class PartialInputs {
  readonly #calls: Pick<SessionCalls, "partial" | "takesPartial">;
  readonly #idOf: (call: OpenCall) => string;
  readonly #shown = new Map<OpenCall, Shown | "unwanted">();

  constructor(calls: Pick<SessionCalls, "partial" | "takesPartial">, idOf: (call: OpenCall) => string) {
    this.#calls = calls;
    this.#idOf = idOf;
  }

  take(changed: readonly OpenCall[]): void {
    for (const call of changed) {
      const shown = this.#find(call);
      if (shown === undefined || shown.busy !== undefined || performance.now() - shown.lastAt < everyMs)
        continue;
      this.#show(call, shown, false);
    }
  }

  /** The message is whole. */
  end(calls: readonly OpenCall[]): void {
    for (const call of calls) {
      const shown = this.#find(call);
      if (shown !== undefined) this.#show(call, shown, true);
    }
  }

  #find(call: OpenCall): Shown | undefined {
    // Without a name nobody knows whom it is for.
    if (call.name === "") return undefined;
    let shown = this.#shown.get(call);
    if (shown === undefined) {
      shown = this.#calls.takesPartial(call.name) ? { lastAt: 0, busy: undefined } : "unwanted";
      this.#shown.set(call, shown);
    }
    return shown === "unwanted" ? undefined : shown;
  }

  #show(call: OpenCall, shown: Shown, complete: boolean): void {
    shown.lastAt = performance.now();
    const input = call.json === "" && call.input !== undefined ? call.input : call.json;
    const partial = { tool: call.name, toolUseId: this.#idOf(call), input, complete };
    // In order. What a tool makes of it is its own affair: the call itself is still to come.
    const busy = Promise.resolve(shown.busy)
      .then(() => this.#calls.partial(partial))
      .catch(() => {})
      .then(() => {
        if (shown.busy === busy) shown.busy = undefined;
      });
    shown.busy = busy;
  }
}
