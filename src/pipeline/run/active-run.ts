/** A run in progress: it ends when the tool does, when its time is up or when its caller left, and gives back what it held. */

import { messageOf, Stop } from "../../core/call/errors.ts";
import { HintedFailure } from "../../core/call/hinted-failure.ts";
import { NotAccepted } from "../../core/call/not-accepted.ts";
import { isPromise } from "../../core/run/abort.ts";
import type { Timed } from "../../core/run/deadlines.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import type { GateParts } from "../parts.ts";
import type { AdmittedCall } from "../stages/approve.ts";
import type { Hold } from "./call-locks.ts";
import { type AbortWatcher, type AbortWhy, RunContext } from "./run-context.ts";
import { type Finishing, finishLater, type RunEnd, stopped } from "./run-end.ts";
import { toResult } from "./to-result.ts";

/** A tool that ignores its signal keeps what it holds this long, then the others go on. */
const graceMs = 5_000;
const maxMessageCharacters = 4_000;

/** The tool itself sees only the context. */
export class Run<Next> implements Timed, AbortWatcher {
  readonly context: RunContext;
  readonly startedAt: number;
  position = -1;
  readonly #admitted: AdmittedCall;
  readonly #registered: RegisteredTool;
  readonly #finishing: Finishing<Next>;
  readonly #parts: GateParts;
  /** Undefined once it was given back. */
  #held: Hold | undefined;
  #resolve: ((next: Next | Promise<Next>) => void) | undefined;
  #stopGrace: (() => void) | undefined;

  constructor(
    admitted: AdmittedCall,
    registered: RegisteredTool,
    held: Hold,
    finishing: Finishing<Next>,
    parts: GateParts,
  ) {
    this.context = new RunContext(admitted.call, parts, this);
    const { waited, startedAt } = admitted.call;
    this.startedAt = waited ? parts.clock.monotonic() : startedAt;
    this.#admitted = admitted;
    this.#held = held;
    this.#registered = registered;
    this.#finishing = finishing;
    this.#parts = parts;
  }

  /** Ends when the tool does, when its time is up, or when its caller left; the tool is told by its signal. */
  waitFor(returned: Promise<unknown>): Promise<Next> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#parts.deadlines.add(this, this.startedAt);
      returned.then(
        (value) => this.#returned(value),
        (error: unknown) => this.#threw(error),
      );
      if (this.context.abortedBy !== undefined) this.aborted(this.context.abortedBy);
    });
  }

  returnedAtOnce(value: unknown): Next | Promise<Next> {
    this.#leave();
    let end: RunEnd | Promise<RunEnd>;
    try {
      end = this.#toResult(value);
    } catch (error) {
      end = threw(error, this.#registered, this.startedAt, this.#parts);
    }
    return isPromise(end)
      ? finishLater(end, this.#admitted, this.#finishing, this.#parts)
      : this.#finishing.done(this.#admitted, end, this.#parts);
  }

  threwAtOnce(error: unknown): Next | Promise<Next> {
    this.#leave();
    const end = threw(error, this.#registered, this.startedAt, this.#parts);
    return this.#finishing.done(this.#admitted, end, this.#parts);
  }

  #leave(): void {
    this.context.close();
    this.#giveBack();
  }

  /** The lock and the places in limits. A tool that ignores its end keeps them for a grace, because it still runs. */
  #giveBack(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    const { call } = this.#admitted;
    this.#parts.locks.release(held);
    call.release?.();
    call.release = undefined;
  }

  get deadline(): number {
    return this.startedAt + this.#timeoutMs + this.context.extraMs;
  }

  timeIsUp(): void {
    this.context.abort("timed_out");
  }

  aborted(why: AbortWhy): void {
    if (this.#resolve === undefined) return;
    const { deadlines, clock } = this.#parts;
    deadlines.remove(this);
    this.context.close();
    this.#stopGrace = clock.after(graceMs, () => {
      this.#stopGrace = undefined;
      this.#giveBack();
    });
    this.#end(stopped(abortStop(why, this.#registered.id, this.#timeoutMs), this.startedAt, this.#parts));
  }

  get #timeoutMs(): number {
    return this.#registered.tool.timeoutMs ?? this.#parts.defaultTimeoutMs;
  }

  #returned(value: unknown): void {
    if (this.#inTime()) this.#end(this.#toResult(value));
  }

  #toResult(value: unknown): RunEnd | Promise<RunEnd> {
    return toResult(value, this.#registered, this.#admitted.call, this.startedAt, this.#parts);
  }

  #threw(error: unknown): void {
    if (this.#inTime()) this.#end(threw(error, this.#registered, this.startedAt, this.#parts));
  }

  /** False: nobody waits for this end any more; it only gives the lock back. */
  #inTime(): boolean {
    if (this.context.abortedBy === undefined) {
      this.#parts.deadlines.remove(this);
      this.#leave();
      return true;
    }
    if (this.#stopGrace !== undefined) {
      this.#stopGrace();
      this.#giveBack();
    }
    return false;
  }

  #end(end: RunEnd | Promise<RunEnd>): void {
    if (isPromise(end)) this.#endLater(end);
    else this.#endNow(end);
  }

  #endLater(end: Promise<RunEnd>): void {
    end.then(
      (settled) => this.#endNow(settled),
      (error: unknown) => this.#broke(error),
    );
  }

  #endNow(end: RunEnd): void {
    try {
      this.#resolve?.(this.#finishing.done(this.#admitted, end, this.#parts));
    } catch (error) {
      this.#broke(error);
    }
  }

  #broke(error: unknown): void {
    this.#resolve?.(this.#finishing.broke(this.#admitted, error, this.#parts));
  }
}

function threw(error: unknown, { id }: RegisteredTool, startedAt: number, parts: GateParts): RunEnd {
  if (error instanceof NotAccepted) {
    const { message, hint } = error;
    return stopped(new Stop("not_accepted", "run", message, { hint, cause: error }), startedAt, parts);
  }
  const told = messageOf(error);
  const message = told.length > maxMessageCharacters ? `${told.slice(0, maxMessageCharacters)}…` : told;
  const hint = error instanceof HintedFailure ? error.hint : undefined;
  const stop = new Stop("tool_failed", "run", `${id} failed: ${message}`, { hint, cause: error });
  return stopped(stop, startedAt, parts);
}

function abortStop(why: AbortWhy, id: string, timeoutMs: number): Stop {
  return why === "timed_out"
    ? new Stop("timed_out", "run", `${id} did not finish within ${timeoutMs} ms and was stopped.`)
    : new Stop("cancelled", "run", `${id} was cancelled while it ran.`);
}
