/** run: the tool's code, wrapped in its layers. Whatever it does (return, throw, hang, ignore its signal) ends as a value. */
import { asPromise, isPromise } from "../core/abort.ts";
import { type ToolResult, textResult } from "../core/content.ts";
import { messageOf, Stop } from "../core/errors.ts";
import type { RegisteredTool } from "../core/registry.ts";
import type { LockKind } from "../core/tool.ts";
import type { AdmittedCall } from "./approve.ts";
import type { Call } from "./calls.ts";
import { wrap } from "./layers/layer.ts";
import { withRetries } from "./layers/retry.ts";
import type { GateParts } from "./parts.ts";
import { finishReturned } from "./returned.ts";
import { type AbortWhy, RunContext } from "./run-context.ts";

export interface RunEnd {
  readonly stop: Stop | undefined;
  readonly value: unknown;
  readonly result: ToolResult;
  /** When it ended, and how long the tool itself took. */
  readonly endedAt: number;
  readonly durationMs: number;
}

/** A tool that ignores its signal keeps what it holds this long, then the others go on. */
const graceMs = 5_000;
const maxMessageCharacters = 4_000;

/** What becomes of the end of a run. Passed in, so that a run that waits costs one promise and not a chain of them. */
export interface Finishing<Next> {
  done(admitted: AdmittedCall, end: RunEnd, parts: GateParts): Next | Promise<Next>;
  /** Our own code broke; must not throw unless the caller of `run` catches. */
  broke(admitted: AdmittedCall, error: unknown, parts: GateParts): Next | Promise<Next>;
}

export function run<Next>(
  admitted: AdmittedCall,
  registered: RegisteredTool,
  finishing: Finishing<Next>,
  parts: GateParts,
): Next | Promise<Next> {
  const { call } = admitted;
  const held = parts.lock.acquire(registered.lock, call.signal);
  if (!isPromise(held)) return runLocked(admitted, registered, held, finishing, parts);
  call.waited = true;
  return held.then((got) => {
    if (got !== undefined) return runLocked(admitted, registered, got, finishing, parts);
    const message = "The call was cancelled while it waited for another to finish.";
    const end = stopped(new Stop("cancelled", "run", message), parts.clock.monotonic(), parts);
    return finishing.done(admitted, end, parts);
  });
}

function runLocked<Next>(
  admitted: AdmittedCall,
  registered: RegisteredTool,
  held: LockKind,
  finishing: Finishing<Next>,
  parts: GateParts,
): Next | Promise<Next> {
  const { call } = admitted;
  call.started = true;
  const run = new Run(admitted, registered, held, finishing, parts);
  let end: RunEnd | Promise<RunEnd>;
  try {
    const returned =
      held === "write"
        ? parts.lock.runInside(() => invoke(call, registered, run, parts))
        : invoke(call, registered, run, parts);
    const waiting = asPromise(returned);
    if (waiting !== undefined) return run.waitFor(waiting);
    run.leave();
    end = finishReturned(returned, registered, call.callId, run.startedAt, parts);
  } catch (error) {
    run.leave();
    end = threw(error, registered, run.startedAt, parts);
  }
  if (!isPromise(end)) return finishing.done(admitted, end, parts);
  return end
    .then((settled) => finishing.done(admitted, settled, parts))
    .catch((error: unknown) => finishing.broke(admitted, error, parts));
}

function invoke(call: Call, { id, tool }: RegisteredTool, context: RunContext, parts: GateParts): unknown {
  const retries = tool.idempotent === true ? (tool.maxRetries ?? 0) : 0;
  if (retries === 0 && parts.layers.length === 0) return tool.run(call.args, context);
  let next = async () => tool.run(call.args, context);
  if (retries > 0) {
    const once = next;
    next = () => withRetries(once, { maxRetries: retries, signal: context.signal, clock: parts.clock });
  }
  return wrap(parts.layers, { toolId: id, input: call.input, context }, next)();
}

/** A run in progress: the tool's context, and the wait for a tool that takes its time. */
class Run<Next> extends RunContext {
  readonly startedAt: number;
  readonly #admitted: AdmittedCall;
  readonly #held: LockKind;
  readonly #registered: RegisteredTool;
  readonly #finishing: Finishing<Next>;
  readonly #parts: GateParts;
  #resolve: ((next: Next | Promise<Next>) => void) | undefined;
  #stopGrace: (() => void) | undefined;
  #gaveBack = false;

  constructor(
    admitted: AdmittedCall,
    registered: RegisteredTool,
    held: LockKind,
    finishing: Finishing<Next>,
    parts: GateParts,
  ) {
    super(admitted.call, parts);
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
      this.deadline = this.startedAt + this.#timeoutMs;
      this.#parts.deadlines.add(this, this.startedAt);
      returned.then(
        (value) => this.#returned(value),
        (error: unknown) => this.#threw(error),
      );
      if (this.abortedBy !== undefined) this.onAborted(this.abortedBy);
    });
  }

  leave(): void {
    this.close();
    this.#giveBack();
  }

  /** The lock and the places in limits. A tool that ignores its end keeps them for a grace, because it still runs. */
  #giveBack(): void {
    if (this.#gaveBack) return;
    this.#gaveBack = true;
    const { call } = this.#admitted;
    this.#parts.lock.release(this.#held);
    call.release?.();
    call.release = undefined;
  }

  protected override onAborted(why: AbortWhy): void {
    if (this.#resolve === undefined) return;
    const { deadlines, clock } = this.#parts;
    deadlines.remove(this);
    this.close();
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
    if (!this.#inTime()) return;
    this.#end(finishReturned(value, this.#registered, this.callId, this.startedAt, this.#parts));
  }

  #threw(error: unknown): void {
    if (this.#inTime()) this.#end(threw(error, this.#registered, this.startedAt, this.#parts));
  }

  /** False: nobody waits for this end any more; it only gives the lock back. */
  #inTime(): boolean {
    if (this.abortedBy === undefined) {
      this.#parts.deadlines.remove(this);
      this.leave();
      return true;
    }
    if (this.#stopGrace !== undefined) {
      this.#stopGrace();
      this.#giveBack();
    }
    return false;
  }

  #end(end: RunEnd | Promise<RunEnd>): void {
    if (isPromise(end)) {
      end.then(
        (settled) => this.#end(settled),
        (error: unknown) => this.#broke(error),
      );
      return;
    }
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
  const told = messageOf(error);
  const message = told.length > maxMessageCharacters ? `${told.slice(0, maxMessageCharacters)}…` : told;
  const stop = new Stop("tool_failed", "run", `${id} failed: ${message}`, { cause: error });
  return stopped(stop, startedAt, parts);
}

export function stopped(stop: Stop, startedAt: number, { clock }: GateParts): RunEnd {
  const endedAt = clock.monotonic();
  const result = textResult(stopText(stop), true);
  return { stop, value: undefined, result, endedAt, durationMs: endedAt - startedAt };
}

/** What a model reads about a refusal. */
export function stopText(stop: Stop): string {
  return stop.hint === "" ? stop.message : `${stop.message}\nHint: ${stop.hint}`;
}

function abortStop(why: AbortWhy, id: string, timeoutMs: number): Stop {
  return why === "timed_out"
    ? new Stop("timed_out", "run", `${id} did not finish within ${timeoutMs} ms and was stopped.`)
    : new Stop("cancelled", "run", `${id} was cancelled while it ran.`);
}
