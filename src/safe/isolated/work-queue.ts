/** The work of an isolated task in order, one piece at a time, in a process that is replaced on failure. */

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { exactDuration } from "../../core/text/duration.ts";
import { identifyProcess } from "../process/kill-tree.ts";
import { guardProcess, newMark } from "../process/orphan-guard.ts";
import { MARK_VARIABLE } from "../process/process-table.ts";
import type { FromChild } from "./child-entry.ts";
import type { IsolatedEnd, IsolatedFailure, IsolatedLimits, IsolatedTaskOptions } from "./isolated-task.ts";
import { moduleBeside } from "./module-beside.ts";

const entry = fileURLToPath(moduleBeside(import.meta.url, "./child-entry"));
const startMs = 20_000;

interface Job {
  readonly input: unknown;
  readonly timeoutMs: number;
  end(end: IsolatedEnd<unknown>): void;
}

export class WorkQueue {
  readonly #options: Required<IsolatedTaskOptions>;
  readonly #waiting: Job[] = [];
  #current: Job | undefined;
  #child: ChildProcess | undefined;
  #ready = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: IsolatedTaskOptions) {
    this.#options = { maxHeapMb: 256, idleMs: 60_000, maxWaiting: 100, ...options };
  }

  add(input: unknown, { timeoutMs, signal }: IsolatedLimits): Promise<IsolatedEnd<unknown>> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve(closed());
      if (signal?.aborted) return resolve(cancelled());
      if (this.#waiting.length >= this.#options.maxWaiting)
        return resolve(failure("busy", "Too much other work is waiting."));
      const onAbort = () => this.#drop(job);
      const job: Job = {
        input,
        timeoutMs,
        end: (end) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(end);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  close(): void {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) job.end(closed());
    this.#fail(closed());
    clearTimeout(this.#timer);
  }

  #drop(job: Job): void {
    if (job === this.#current) this.#fail(cancelled());
    else {
      this.#waiting.splice(this.#waiting.indexOf(job), 1);
      job.end(cancelled());
    }
  }

  #next(): void {
    if (this.#current !== undefined) return;
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      this.#rest();
      return;
    }
    const child = this.#child ?? this.#start();
    // Whoever waits for an answer must get it: only without work may this process end before that one.
    child.ref();
    child.channel?.ref();
    if (this.#ready) this.#give(child);
    else this.#limit(startMs, "The process for it did not start.");
  }

  #rest(): void {
    this.#child?.unref();
    this.#child?.channel?.unref();
    this.#timer = setTimeout(() => this.#kill(), this.#options.idleMs).unref();
  }

  #give(child: ChildProcess): void {
    const { input, timeoutMs } = this.#current as Job;
    this.#limit(timeoutMs, `It took longer than ${exactDuration(timeoutMs)}.`);
    child.send({ input }, (error) => {
      if (error !== null && this.#child === child) this.#fail(failure("failed", error.message));
    });
  }

  #limit(ms: number, message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(failure("timed_out", message)), ms);
  }

  #start(): ChildProcess {
    const { module, maxHeapMb } = this.#options;
    const { mark, value } = newMark();
    // Reads its own code and nothing is written, started or loaded as native code: a broken parser is not yet
    // a way out.
    const rights = ["--permission", "--allow-fs-read=*"];
    const args = [...rights, `--max-old-space-size=${maxHeapMb}`, "--no-warnings", entry, module.href];
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      env: { [MARK_VARIABLE]: value, ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }) },
      detached: true,
      windowsHide: true,
    });
    const release = child.pid === undefined ? () => {} : guardProcess(identifyProcess(child.pid, mark));
    const isOurs = () => this.#child === child;
    child.on("message", (message) => isOurs() && this.#hear(child, message as FromChild));
    child.on("error", (error) => isOurs() && this.#fail(failure("failed", error.message)));
    child.on("exit", (code, signal) => {
      release();
      if (isOurs()) this.#fail(ended(code, signal));
    });
    this.#child = child;
    this.#ready = false;
    return child;
  }

  #hear(child: ChildProcess, message: FromChild): void {
    if (message.kind === "ready") {
      this.#ready = true;
      if (this.#current !== undefined) this.#give(child);
    }
    // A module that failed may be broken for good: the next work gets a new process.
    else if (message.kind === "failed") this.#fail(failure("failed", message.message));
    else this.#finish({ ok: true, value: message.value });
  }

  #fail(end: IsolatedEnd<unknown>): void {
    this.#kill();
    this.#finish(end);
  }

  #finish(end: IsolatedEnd<unknown>): void {
    clearTimeout(this.#timer);
    const job = this.#current;
    this.#current = undefined;
    job?.end(end);
    this.#next();
  }

  #kill(): void {
    const child = this.#child;
    this.#child = undefined;
    child?.kill("SIGKILL");
    child?.unref();
    child?.channel?.unref();
  }
}

/** V8 ends the process by abort when its heap is full. */
function ended(code: number | null, signal: NodeJS.Signals | null): IsolatedFailure {
  if (signal === "SIGABRT" || code === 134) return failure("out_of_memory", "It took too much memory.");
  return failure("failed", `The process for it ended with ${code ?? signal}.`);
}

function failure(code: IsolatedFailure["code"], message: string): IsolatedFailure {
  return { ok: false, code, message };
}

function cancelled(): IsolatedFailure {
  return failure("cancelled", "The call was cancelled.");
}

function closed(): IsolatedFailure {
  return failure("closed", "It was closed.");
}
