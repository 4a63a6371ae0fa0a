/** A run in progress, until the tool ends, its time is up or its caller leaves. Gives back what it held. */

import { messageOf, Stop } from "../../core/call/errors.ts";
import { HintedFailure } from "../../core/call/hinted-failure.ts";
import { NotAccepted } from "../../core/call/not-accepted.ts";
import { isPromise } from "../../core/run/abort.ts";
import type { Timed } from "../../core/run/deadlines.ts";
import { exactDuration } from "../../core/text/duration.ts";
import type { Hold } from "./call-locks.ts";
import { type AbortWatcher, type AbortWhy, RunContext } from "./run-context.ts";
import { finishLater, type RunEnd, type Running, stopped } from "./run-end.ts";
import { toResult } from "./to-result.ts";

/** A tool that ignores its signal keeps what it holds this long, then the others go on. */
const graceMs = 5_000;
const maxMessageCharacters = 4_000;

/** The tool itself sees only the context. */
export class Run<Next> implements Timed, AbortWatcher {
  readonly context: RunContext;
  readonly startedAt: number;
  position = -1;
  readonly #running: Running<Next>;
  /** Undefined once it was given back. */
  #held: Hold | undefined;
  #resolve: ((next: Next | Promise<Next>) => void) | undefined;
  #stopGrace: (() => void) | undefined;

  constructor(running: Running<Next>, held: Hold) {
    const { admitted, parts } = running;
    this.context = new RunContext(admitted.call, parts, this);
    const { waited, startedAt } = admitted.call;
    this.startedAt = waited ? parts.clock.monotonic() : startedAt;
    this.#running = running;
    this.#held = held;
  }

  /** Until the tool ends, its time is up or its caller leaves. The signal tells the tool. */
  waitFor(returned: Promise<unknown>): Promise<Next> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#running.parts.deadlines.add(this, this.startedAt);
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
      end = toResult(value, this.startedAt, this.#running);
    } catch (error) {
      end = threw(error, this.startedAt, this.#running);
    }
    return isPromise(end) ? finishLater(end, this.#running) : this.#done(end);
  }

  threwAtOnce(error: unknown): Next | Promise<Next> {
    this.#leave();
    return this.#done(threw(error, this.startedAt, this.#running));
  }

  #done(end: RunEnd): Next | Promise<Next> {
    const { finishing, admitted, parts } = this.#running;
    return finishing.done(admitted, end, parts);
  }

  #leave(): void {
    this.context.close();
    this.#giveBack();
  }

  /** The lock and the places in limits. A tool that ignores its end runs on, and keeps them for a grace. */
  #giveBack(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    const { admitted, parts } = this.#running;
    const { call } = admitted;
    parts.locks.release(held);
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
    const { registered, parts } = this.#running;
    parts.deadlines.remove(this);
    this.context.close();
    this.#stopGrace = parts.clock.after(graceMs, () => {
      this.#stopGrace = undefined;
      this.#giveBack();
    });
    this.#endNow(stopped(abortStop(why, registered.id, this.#timeoutMs), this.startedAt, parts));
  }

  get #timeoutMs(): number {
    const { registered, parts } = this.#running;
    return registered.tool.timeoutMs ?? parts.defaultTimeoutMs;
  }

  #returned(value: unknown): void {
    if (!this.#inTime()) return;
    const end = toResult(value, this.startedAt, this.#running);
    if (!isPromise(end)) this.#endNow(end);
    else
      end.then(
        (settled) => this.#endNow(settled),
        (error: unknown) => this.#broke(error),
      );
  }

  #threw(error: unknown): void {
    if (this.#inTime()) this.#endNow(threw(error, this.startedAt, this.#running));
  }

  /** False: nobody waits for this end any more; it only gives the lock back. */
  #inTime(): boolean {
    if (this.context.abortedBy === undefined) {
      this.#running.parts.deadlines.remove(this);
      this.#leave();
      return true;
    }
    if (this.#stopGrace !== undefined) {
      this.#stopGrace();
      this.#giveBack();
    }
    return false;
  }

  #endNow(end: RunEnd): void {
    try {
      this.#resolve?.(this.#done(end));
    } catch (error) {
      this.#broke(error);
    }
  }

  #broke(error: unknown): void {
    const { finishing, admitted, parts } = this.#running;
    this.#resolve?.(finishing.broke(admitted, error, parts));
  }
}

function threw(error: unknown, startedAt: number, { registered, parts }: Running<unknown>): RunEnd {
  if (error instanceof NotAccepted) {
    const { message, hint } = error;
    return stopped(new Stop("not_accepted", "run", message, { hint, cause: error }), startedAt, parts);
  }
  const told = messageOf(error);
  const message = told.length > maxMessageCharacters ? `${told.slice(0, maxMessageCharacters)}…` : told;
  const hint = error instanceof HintedFailure ? error.hint : undefined;
  const stop = new Stop("tool_failed", "run", `${registered.id} failed: ${message}`, { hint, cause: error });
  return stopped(stop, startedAt, parts);
}

function abortStop(why: AbortWhy, id: string, timeoutMs: number): Stop {
  return why === "timed_out"
    ? new Stop("timed_out", "run", `${id} did not finish within ${exactDuration(timeoutMs)} and was stopped.`)
    : new Stop("cancelled", "run", `${id} was cancelled while it ran.`);
}
