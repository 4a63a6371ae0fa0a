/** What the gate tells those who watch. Watching never changes a call, not even a listener that throws. */
import type { ApprovalAnswer, ApprovalRequest } from "./approval.ts";
import type { Progress } from "./call.ts";
import type { Outcome } from "./outcome.ts";

export interface GateEvents {
  "call-start": {
    readonly callId: string;
    readonly tool: string;
    readonly sessionId: string | undefined;
    readonly caller: string;
  };
  "call-progress": { readonly callId: string; readonly tool: string; readonly progress: Progress };
  "call-end": { readonly outcome: Outcome; readonly sessionId: string | undefined };
  "approval-request": { readonly request: ApprovalRequest };
  "approval-answer": { readonly id: string; readonly answer: ApprovalAnswer };
  "task-cancel": { readonly sessionId: string | undefined; readonly hook: string; readonly message: string };
  "tools-change": { readonly count: number };
  "rules-change": { readonly version: number };
  "listener-error": { readonly event: string; readonly error: unknown };
}

export type EventName = keyof GateEvents;

export class Events {
  readonly #listeners = new Map<EventName, Set<(payload: never) => void>>();

  /** Returns how to stop listening. */
  on<Name extends EventName>(name: Name, listener: (payload: GateEvents[Name]) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener);
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.#listeners.get(name) === set) this.#listeners.delete(name);
    };
  }

  /** Cheap to ask, so that nobody builds a payload nobody reads. */
  has(name: EventName): boolean {
    return this.#listeners.size > 0 && this.#listeners.has(name);
  }

  emit<Name extends EventName>(name: Name, payload: GateEvents[Name]): void {
    const set = this.#listeners.get(name);
    if (set === undefined) return;
    for (const listener of [...set]) {
      try {
        const returned: unknown = (listener as (payload: GateEvents[Name]) => unknown)(payload);
        if (returned instanceof Promise) returned.catch((error: unknown) => this.#failed(name, error));
      } catch (error) {
        this.#failed(name, error);
      }
    }
  }

  #failed(event: EventName, error: unknown): void {
    if (event !== "listener-error") this.emit("listener-error", { event, error });
  }
}
