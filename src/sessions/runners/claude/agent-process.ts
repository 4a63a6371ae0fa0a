/** The process of the agent: started by us, known to the store before it can do anything, and gone when we say so. */
import { EventEmitter } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../core/call/errors.ts";
import type { AgentProcess } from "../../../core/ports/sessions.ts";
import { type PipeEnd, type PipeProcess, startPipeProcess } from "../../../safe/process/pipe-process.ts";
import { withoutOwn } from "./environment.ts";
import { refuseInside } from "./find-sdk.ts";
import type { SpawnedProcess, SpawnOptions } from "./sdk.ts";

export interface AgentProcessParts {
  readonly cwd: string;
  /** Durable when it resolves. */
  readonly keep: (process: AgentProcess) => Promise<void>;
}

/** It ends by itself when its input ends; what is left then is told to, and then made to. */
const politeMs = 1_500;
const killGraceMs = 2_000;
/** A process that SIGKILL does not end is stuck in the kernel. */
const stuckMs = 9_000;
const keptErrorCharacters = 4_000;
const unref = { ref: false };

export class ClaudeProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly #starting: Promise<PipeProcess | undefined>;
  #errors = "";
  #ending: Promise<void> | undefined;

  constructor(options: SpawnOptions, parts: AgentProcessParts) {
    super();
    // Nobody may listen any more when it fails; the end of the conversation tells it.
    this.on("error", () => {});
    this.#starting = this.#start(options, parts).catch((error: unknown) => {
      this.#fail(messageOf(error));
      return undefined;
    });
    this.stdin = new Writable({
      decodeStrings: false,
      // What is written before the process is known to the store waits here.
      write: (chunk: unknown, _encoding, done) => {
        void this.#starting.then((running) => {
          const isRead = running?.write(typeof chunk === "string" ? chunk : String(chunk)) ?? false;
          done(isRead ? null : new Error("The agent no longer reads."));
        });
      },
      final: (done) => {
        void this.#starting.then((running) => {
          running?.endInput();
          done();
        });
      },
    });
    this.stdin.on("error", () => {});
  }

  /** The end of what it wrote for people: says why it died. */
  get lastErrors(): string {
    return this.#errors.trim();
  }

  /** The SDK asks for it; the whole tree is ended, and harder if that is needed. */
  kill(): boolean {
    this.killed = true;
    void this.#starting.then((running) => running?.kill());
    return true;
  }

  /** Resolves when the process and all that it started are gone. Rejects if some cannot be ended. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #start(options: SpawnOptions, { cwd, keep }: AgentProcessParts): Promise<PipeProcess | undefined> {
    const { command, args, env } = options;
    refuseInside(command, cwd);
    const running = await startPipeProcess({
      command,
      args,
      cwd,
      env: withoutOwn(env),
      killGraceMs,
      onStdout: (chunk) => void this.stdout.write(chunk),
      onStderr: (chunk) => {
        this.#errors = (this.#errors + chunk.toString("utf8")).slice(-keptErrorCharacters);
      },
    });
    if (!running.started) throw new Error(running.message);
    void running.exited.then((end) => this.#exited(end));
    const { pid, startTicks = null, mark } = running.identity;
    try {
      await keep({ pid, startTicks, mark });
    } catch (error) {
      await running.kill();
      throw error;
    }
    return running;
  }

  async #end(): Promise<void> {
    const running = await this.#starting;
    if (running === undefined) return;
    running.endInput();
    await Promise.race([running.exited, sleep(politeMs, undefined, unref)]);
    this.killed = true;
    const gone = await Promise.race([running.kill().then(() => true), sleep(stuckMs, undefined, unref)]);
    if (gone !== true) throw new Error(`The agent's process ${running.pid} could not be ended.`);
  }

  #exited({ exitCode, signal }: PipeEnd): void {
    this.exitCode = exitCode;
    this.signalCode = signal;
    this.stdout.end();
    this.emit("exit", exitCode, signal);
  }

  #fail(message: string): void {
    this.#errors += message;
    this.exitCode ??= 1;
    this.stdout.end();
    this.emit("error", new Error(message));
    this.emit("exit", 1, null);
  }
}
