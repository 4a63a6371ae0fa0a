/** The background processes of all sessions. A session sees its own only, and nothing outlives `close`. */
import { randomBytes } from "node:crypto";
import { sessionKey, sessionOf } from "../../../core/call/session-key.ts";
import type { Failed, Failure } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import {
  type EndedProcess,
  type ProcessOptions,
  type RunningProcess,
  startProcess,
} from "../../../safe/process/spawn.ts";
import { createWakeUp } from "./wake-up.ts";

export interface BackgroundProcess {
  readonly id: string;
  readonly session: string;
  readonly command: string;
  readonly cwd: string;
  readonly startedAt: number;
  readonly takesInput: boolean;
  readonly running: RunningProcess;
  end: EndedProcess | undefined;
  /** Where the last reader stopped. */
  cursor: number;
  /** Resolves at the next output, at the end, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
}

export interface StartRequest {
  readonly command: string;
  readonly process: ProcessOptions;
  readonly takesInput: boolean;
}

export interface ProcessLimits {
  readonly maxPerSession: number;
  readonly maxProcesses: number;
  readonly maxBackgroundBytes: number;
}

export type Started = { readonly ok: true; readonly process: BackgroundProcess } | Failed;

/** Those that ended stay to be read, the newest of them. */
const maxEnded = 64;

export class Processes {
  readonly #limits: ProcessLimits;
  readonly #byId = new Map<string, BackgroundProcess>();
  /** Sessions of processes that are about to start. They count, or many at once would pass the limit. */
  readonly #starting: string[] = [];
  #closed = false;

  constructor(limits: ProcessLimits) {
    this.#limits = limits;
  }

  async start(request: StartRequest, context: ToolContext): Promise<Started> {
    const session = sessionOf(context);
    const refusal = this.#refusal(session);
    if (refusal !== undefined) return refusal;
    this.#starting.push(session);
    try {
      return await this.#launch(request, session, context.signal);
    } finally {
      this.#starting.splice(this.#starting.indexOf(session), 1);
    }
  }

  /** The processes of other sessions are not there for this one. */
  find(id: string, context: ToolContext): BackgroundProcess | Failure {
    const process = this.#byId.get(id);
    if (process?.session === sessionOf(context)) return process;
    const listed = this.list(context);
    const byPid = /^\d+$/.test(id) ? listed.findLast(({ running }) => String(running.pid) === id) : undefined;
    if (byPid !== undefined) return byPid;
    const own = listed.map((one) => one.id);
    const known = own.length === 0 ? "It has none." : `It has ${own.join(", ")}.`;
    return { code: "not_found", message: `This session has no process ${JSON.stringify(id)}. ${known}` };
  }

  list(context: ToolContext): readonly BackgroundProcess[] {
    const session = sessionOf(context);
    return [...this.#byId.values()].filter((one) => one.session === session);
  }

  /** A session that is over needs its processes no more. */
  async endSession(caller: string, sessionId: string): Promise<void> {
    const session = sessionKey(caller, sessionId);
    await this.#end([...this.#byId.values()].filter((one) => one.session === session));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end([...this.#byId.values()]);
  }

  async #end(processes: readonly BackgroundProcess[]): Promise<void> {
    for (const { id } of processes) this.#byId.delete(id);
    const live = processes.filter(({ end }) => end === undefined);
    await Promise.all(live.map(({ running }) => running.kill()));
  }

  #refusal(session: string): Started | undefined {
    if (this.#closed) return refused("closed", "The shell tools are closed; nothing can be started.");
    const { maxPerSession, maxProcesses } = this.#limits;
    const live = [...this.#byId.values()].filter(({ end }) => end === undefined);
    const own = live.filter((one) => one.session === session);
    if (own.length + this.#starting.filter((one) => one === session).length >= maxPerSession) {
      const ids = own.map(({ id }) => id).join(", ");
      const message = `${maxPerSession} background processes run in this session already (${ids}). End one with shell.kill first.`;
      return refused("too_many_processes", message);
    }
    if (live.length + this.#starting.length < maxProcesses) return undefined;
    const message = `${maxProcesses} background processes run already. Try again later.`;
    return refused("too_many_processes", message);
  }

  async #launch(request: StartRequest, session: string, signal: AbortSignal): Promise<Started> {
    const { wake, next } = createWakeUp();
    const { command, takesInput } = request;
    const running = await startProcess({
      ...request.process,
      maxOutputBytes: this.#limits.maxBackgroundBytes,
      stdin: takesInput ? "open" : "closed",
      onOutput: wake,
    });
    if (!running.started) return { ok: false, code: running.code, message: running.message };
    // Closed or cancelled while it started: nobody would ever end it.
    if (this.#closed || signal.aborted) {
      await running.kill();
      return refused("cancelled", "The process was ended again: the call was cancelled.");
    }
    const process: BackgroundProcess = {
      id: `p-${randomBytes(4).toString("hex")}`,
      session,
      command,
      cwd: request.process.cwd,
      startedAt: Date.now(),
      takesInput,
      running,
      end: undefined,
      cursor: 0,
      changed: next,
    };
    this.#byId.set(process.id, process);
    void running.ended.then((end) => {
      process.end = end;
      this.#forgetOldest();
      wake();
    });
    return { ok: true, process };
  }

  #forgetOldest(): void {
    const ended = [...this.#byId.values()].filter(({ end }) => end !== undefined);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - maxEnded))) this.#byId.delete(id);
  }
}

function refused(code: string, message: string): Started {
  return { ok: false, code, message };
}
