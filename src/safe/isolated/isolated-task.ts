/** Does work on foreign input in a process of its own, which is killed when it breaks its bounds. */
import { WorkQueue } from "./work-queue.ts";

export interface IsolatedTaskOptions {
  /** A module that exports `run(input)`. Its input and its answer are copied. */
  readonly module: URL;
  /** Of JavaScript objects. What WebAssembly takes has to be bounded by the module itself. */
  readonly maxHeapMb?: number;
  /** A process without work ends after this time; the next work starts a new one. */
  readonly idleMs?: number;
  /** Pieces of work that may wait. */
  readonly maxWaiting?: number;
}

export interface IsolatedTask<In, Out> {
  /** Never rejects: every end is a value. */
  run(input: In, limits: IsolatedLimits): Promise<IsolatedEnd<Out>>;
  close(): void;
}

export interface IsolatedLimits {
  /** From when it is taken up; waiting for earlier work does not count. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type IsolatedEnd<Out> = { readonly ok: true; readonly value: Out } | IsolatedFailure;

export interface IsolatedFailure {
  readonly ok: false;
  readonly code: "timed_out" | "cancelled" | "out_of_memory" | "failed" | "busy" | "closed";
  readonly message: string;
}

/**
 * `Run` is the type of the module's `run`. A thread would be cheaper, but it is no wall: code that only
 * allocates was seen to pass its memory limit by far and to go on after it was terminated. A process can
 * always be killed.
 */
export function createIsolatedTask<Run extends (input: never) => unknown>(
  options: IsolatedTaskOptions,
): IsolatedTask<Parameters<Run>[0], Awaited<ReturnType<Run>>> {
  const queue = new WorkQueue(options);
  return {
    run: (input, limits) => queue.add(input, limits) as Promise<IsolatedEnd<Awaited<ReturnType<Run>>>>,
    close: () => queue.close(),
  };
}

export { moduleBeside } from "./module-beside.ts";
