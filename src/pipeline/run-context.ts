/** What a tool's code gets besides its input. The AbortSignal is made only for tools that look at it. */
import { onAbort } from "../core/abort.ts";
import type { Caller, Mode, Progress } from "../core/call.ts";
import type { ToolContext, ToolServices } from "../core/tool.ts";
import type { Call } from "./calls.ts";
import type { GateParts } from "./parts.ts";

export type AbortWhy = "cancelled" | "timed_out";

export function createRunContext(call: Call, parts: GateParts): RunContext {
  return new RunContext(call, parts);
}

export class RunContext implements ToolContext {
  /** When it times out, on the monotonic clock. */
  deadline = Number.POSITIVE_INFINITY;
  /** Where `Deadlines` keeps it; -1 when it does not. */
  place = -1;
  abortedBy: AbortWhy | undefined;
  readonly #call: Call;
  readonly #parts: GateParts;
  readonly #stopListening: (() => void) | undefined;
  #controller: AbortController | undefined;
  #ended = false;

  constructor(call: Call, parts: GateParts) {
    this.#call = call;
    this.#parts = parts;
    if (call.signal !== undefined) this.#stopListening = onAbort(call.signal, () => this.abort("cancelled"));
  }

  get callId(): string {
    return this.#call.callId;
  }
  get toolUseId(): string | undefined {
    return this.#call.toolUseId;
  }
  get sessionId(): string | undefined {
    return this.#call.sessionId;
  }
  get caller(): Caller {
    return this.#call.caller;
  }
  get mode(): Mode {
    return this.#call.mode;
  }
  get cwd(): string {
    return this.#call.cwd;
  }
  get roots(): readonly string[] {
    return this.#call.roots;
  }
  get services(): ToolServices {
    return this.#parts.services;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.abortedBy !== undefined) this.#controller.abort(reason(this.abortedBy));
    }
    return this.#controller.signal;
  }

  /** A getter, because tools take it apart: `({ signal, progress }) => ...`. */
  get progress(): (progress: Progress) => void {
    return (progress) => this.#report(progress);
  }

  #report(progress: Progress): void {
    if (this.abortedBy !== undefined || this.#ended) return;
    const { callId, planned, onProgress } = this.#call;
    try {
      onProgress?.(progress);
    } catch (error) {
      this.#parts.events.emit("listener-error", { event: "progress", error });
    }
    this.#parts.events.emit("call-progress", { callId, tool: planned.id, progress });
  }

  abort(why: AbortWhy): void {
    if (this.abortedBy !== undefined) return;
    this.abortedBy = why;
    this.onAborted(why);
    this.#controller?.abort(reason(why));
  }

  /** Told once when the run is aborted. */
  protected onAborted(_why: AbortWhy): void {}

  /** Stops listening to the caller's signal. */
  close(): void {
    this.#ended = true;
    this.#stopListening?.();
  }
}

function reason(why: AbortWhy): DOMException {
  return why === "timed_out"
    ? new DOMException("The tool ran out of time.", "TimeoutError")
    : new DOMException("The call was cancelled.", "AbortError");
}
