/** What a tool's code gets besides its input. The AbortSignal is made only for tools that look at it. */

import type { Caller, Mode, Progress } from "../../core/call/call.ts";
import type { Elicit } from "../../core/call/elicit.ts";
import type { OpenedPath } from "../../core/ports/location.ts";
import { type CancelListener, Cancellation, listenTo, stopListening } from "../../core/run/abort.ts";
import type { ToolContext, ToolServices } from "../../core/tool/tool.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { judgedPaths } from "../stages/opened-paths.ts";

export type AbortWhy = "cancelled" | "timed_out";

/** Told once when the run is aborted. */
export interface AbortWatcher {
  aborted(why: AbortWhy): void;
}

const maxNotes = 20;
const maxNoteCharacters = 500;

export class RunContext implements ToolContext, CancelListener {
  abortedBy: AbortWhy | undefined;
  readonly #call: Call;
  readonly #parts: DecidingParts;
  readonly #watcher: AbortWatcher | undefined;
  #cancellation: Cancellation | undefined;
  #ended = false;
  #questions = 0;
  #askedAt = 0;
  #askedMs = 0;

  constructor(call: Call, parts: DecidingParts, watcher: AbortWatcher | undefined) {
    this.#call = call;
    this.#parts = parts;
    this.#watcher = watcher;
    if (call.signal !== undefined) listenTo(call.signal, this);
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
  get opened(): readonly OpenedPath[] {
    return this.#call.opened;
  }
  get judgedPaths(): readonly string[] | undefined {
    return judgedPaths(this.#call);
  }
  get statePaths(): readonly string[] {
    return this.#parts.statePaths;
  }
  /** While a person is asked the tool's time stands still. */
  get elicit(): Elicit | undefined {
    const { elicit } = this.#call;
    return elicit && ((request, context) => this.#ask(() => elicit(request, context)));
  }
  /** More time, because a person was or is asked: never more than one question may wait. */
  get extraMs(): number {
    const { approvalTimeoutMs } = this.#parts;
    return this.#questions > 0 ? approvalTimeoutMs : Math.min(this.#askedMs, approvalTimeoutMs);
  }
  get services(): ToolServices {
    return this.#parts.services;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  get cancellation(): Cancellation {
    if (this.#cancellation === undefined) {
      this.#cancellation = new Cancellation();
      if (this.abortedBy !== undefined) this.#cancellation.cancel(reason(this.abortedBy));
    }
    return this.#cancellation;
  }

  /** A getter, because tools take it apart: `({ signal, progress }) => ...`. */
  get progress(): (progress: Progress) => void {
    return (progress) => this.#report(progress);
  }

  get hearsProgress(): boolean {
    return this.#call.onProgress !== undefined || this.#parts.events.has("call-progress");
  }

  get note(): (text: string) => void {
    return (text) => this.#note(text);
  }

  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { clock } = this.#parts;
    if (this.#questions++ === 0) this.#askedAt = clock.monotonic();
    try {
      return await ask();
    } finally {
      if (--this.#questions === 0) this.#askedMs += clock.monotonic() - this.#askedAt;
    }
  }

  /** After the call has ended its record is written; a tool that outlives its time-out has nobody to tell. */
  #note(text: string): void {
    const { notes = [] } = this.#call;
    if (this.#ended || notes.length >= maxNotes) return;
    this.#call.notes = [...notes, String(text).slice(0, maxNoteCharacters)];
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

  /** The caller's signal. */
  handleEvent(): void {
    this.abort("cancelled");
  }

  abort(why: AbortWhy): void {
    if (this.abortedBy !== undefined) return;
    this.abortedBy = why;
    this.#watcher?.aborted(why);
    this.#cancellation?.cancel(reason(why));
  }

  /** Nobody waits for what the tool does from now on. */
  get hasEnded(): boolean {
    return this.#ended || this.abortedBy !== undefined;
  }

  /** Stops listening to the caller's signal. */
  close(): void {
    this.#ended = true;
    const { signal } = this.#call;
    if (signal !== undefined) stopListening(signal, this);
  }
}

function reason(why: AbortWhy): DOMException {
  return why === "timed_out"
    ? new DOMException("The tool ran out of time.", "TimeoutError")
    : new DOMException("The call was cancelled.", "AbortError");
}
