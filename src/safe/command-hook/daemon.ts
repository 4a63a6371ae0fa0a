/** A hook that stays: one process for all calls, a line of JSON in and one out, each with its id. */

import type { CommandHook, HookAnswer, HookEvent } from "../../core/call/hook.ts";
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import { exactDuration } from "../../core/text/duration.ts";
import { LineReader } from "../../core/text/line-reader.ts";
import { type RunningProcess, startProcess } from "../process/spawn.ts";
import type { AskPlace } from "./ask-process.ts";
import { hookInput } from "./hook-input.ts";
import { maxAnswerBytes, programOf } from "./program.ts";
import { parseJson, readAnswer, shorten } from "./read-answer.ts";

interface Asked {
  readonly event: HookEvent;
  answer(answer: HookAnswer): void;
  fail(why: string): void;
}

/** So many calls in a row without an answer mean that nobody is there any more. */
const maxSilent = 3;
const maxPending = 1_000;
const maxUnreadBytes = 32 * 1024 * 1024;
const firstBackOffMs = 200;
const maxBackOffMs = 30_000;
/** A daemon that prints so much between two answers does something else than answering. */
const maxNoiseBytes = 4 * 1024 * 1024;
/** To end by itself after its input has ended. */
const farewellMs = 300;

export class Daemon {
  readonly #hook: CommandHook;
  readonly #projectDir: string;
  readonly #asked = new Map<number, Asked>();
  /** The one that is asked; `#current` once it has started. */
  #process: Promise<RunningProcess> | undefined;
  #current: RunningProcess | undefined;
  /** Of processes that were given up, until nothing is left of them. */
  readonly #ending = new Set<Promise<unknown>>();
  #lastId = 0;
  #silent = 0;
  #unreadBytes = 0;
  #noiseBytes = 0;
  /** Deaths since the last answer. */
  #deaths = 0;
  #notBefore = 0;
  #lastDeath = "";
  #retired: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(hook: CommandHook, projectDir: string) {
    this.#hook = hook;
    this.#projectDir = projectDir;
  }

  /** Rejects when the hook has failed. A call that nobody waits for any more leaves the daemon alone. */
  async ask(event: HookEvent, { timeoutMs, signal }: AskPlace): Promise<HookAnswer> {
    if (this.#closing !== undefined) throw new Error("the gate was closed");
    if (this.#asked.size >= maxPending || this.#unreadBytes > maxUnreadBytes)
      throw new Error(`its daemon is behind: ${this.#asked.size} calls wait for it already`);
    const startedAt = performance.now();
    const process = await this.#running();
    if (this.#current !== process) throw new Error(this.#lastDeath);
    const id = ++this.#lastId;
    const line = `${JSON.stringify({ id, ...hookInput(this.#hook, event) })}\n`;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#asked.delete(id);
        reject(new Error("it was stopped"));
        // Cancelled early says nothing about the daemon; waited for to the end does.
        if (performance.now() - startedAt >= timeoutMs * 0.9) this.#wasSilent(process);
        this.#leaveIfRetired();
      };
      const settled = (): void => {
        this.#asked.delete(id);
        signal.removeEventListener("abort", leave);
        this.#leaveIfRetired();
      };
      this.#asked.set(id, {
        event,
        answer: (answer) => {
          settled();
          resolve(answer);
        },
        fail: (why) => {
          settled();
          reject(new Error(why));
        },
      });
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      this.#send(process, line);
    });
  }

  /** The rules no longer name it: it ends when its last call is answered. Resolves then. */
  retire(): Promise<void> {
    return new Promise((resolve) => {
      this.#retired = resolve;
      this.#leaveIfRetired();
    });
  }

  close(): Promise<void> {
    // Not at once: ending tells those who wait, and the last of them may ask to close.
    this.#closing ??= Promise.resolve().then(() => this.#end());
    return this.#closing;
  }

  async #end(): Promise<void> {
    const running = this.#process;
    this.#forget();
    this.#lastDeath = "the gate was closed";
    this.#failAll(this.#lastDeath);
    const process = await running?.catch(() => undefined);
    if (process !== undefined) {
      process.endInput();
      await within(process.ended, farewellMs);
      await process.kill();
    }
    await Promise.all(this.#ending);
    this.#retired?.();
  }

  #running(): Promise<RunningProcess> {
    if (this.#process !== undefined) return this.#process;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0)
      throw new Error(
        `${this.#lastDeath}; it is started again in ${exactDuration(Math.ceil(waitMs))} at the earliest`,
      );
    const starting = this.#start();
    this.#process = starting;
    starting.catch(() => {
      if (this.#process === starting) this.#process = undefined;
    });
    return starting;
  }

  async #start(): Promise<RunningProcess> {
    const lines = new LineReader(maxAnswerBytes, {
      line: (text) => this.#hear(text.trim(), give),
      tooLong: () => this.#giveUp(give(), `its daemon printed a line of more than ${maxAnswerBytes} bytes`),
    });
    let started: RunningProcess | undefined;
    const give = () => started;
    const process = await startProcess({
      ...programOf(this.#hook, this.#projectDir),
      // Only its last words are kept.
      maxOutputBytes: 16 * 1024,
      stdin: "open",
      onOutput: (chunk, stream) => {
        this.#noiseBytes += chunk.length;
        if (stream === "stdout") lines.take(chunk);
        if (this.#noiseBytes > maxNoiseBytes) this.#giveUp(started, "its daemon prints without end");
      },
    });
    if (!process.started) {
      this.#died(process.message.replace(/\.$/, ""));
      throw new Error(this.#lastDeath);
    }
    started = process;
    void process.ended.then(({ exitCode, signal, stderr }) => {
      if (this.#current !== process) return;
      this.#forget();
      const last = stderr.trim().split("\n").slice(-5).join("\n");
      const how = exitCode === null ? `was ended by ${signal}` : `exited with code ${exitCode}`;
      this.#died(`its daemon ${how}${last === "" ? "" : `: ${shorten(last, 500)}`}`);
    });
    // Closed while it started.
    if (this.#process !== undefined) this.#current = process;
    return process;
  }

  #forget(): void {
    this.#process = undefined;
    this.#current = undefined;
  }

  #send(process: RunningProcess, line: string): void {
    this.#unreadBytes += line.length;
    void process.write(line).then(async (isTaken) => {
      this.#unreadBytes -= line.length;
      if (isTaken) return;
      // If it has ended, how it ended is the better thing to say.
      await within(process.ended, farewellMs);
      this.#giveUp(process, "its daemon no longer reads its input");
    });
  }

  #hear(text: string, process: () => RunningProcess | undefined): void {
    // Whatever else it prints is its own affair.
    if (!text.startsWith("{")) return;
    const value = parseJson(text);
    if (value === undefined || !isJsonObject(value))
      this.#giveUp(process(), `its daemon answered what is not valid JSON: ${shorten(text)}`);
    else if (typeof value.id !== "number")
      this.#giveUp(process(), `its daemon answered without the id of a call: ${shorten(text)}`);
    else this.#take(value.id, value);
  }

  #take(id: number, { id: _, ...given }: JsonObject): void {
    if (!(id > 0 && id <= this.#lastId)) return;
    this.#silent = 0;
    this.#noiseBytes = 0;
    this.#deaths = 0;
    const asked = this.#asked.get(id);
    // Too late, or a second time.
    if (asked === undefined) return;
    let answer: HookAnswer;
    try {
      answer = readAnswer(given, asked.event);
    } catch (error) {
      asked.fail((error as Error).message);
      return;
    }
    asked.answer(answer);
  }

  #wasSilent(process: RunningProcess): void {
    if (++this.#silent >= maxSilent) this.#giveUp(process, "its daemon no longer answers");
  }

  /** It cannot be relied on any more: ended, and everybody who waits for it is told. */
  #giveUp(process: RunningProcess | undefined, why: string): void {
    if (process === undefined || this.#current !== process) return;
    this.#forget();
    const ending = process.kill().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    this.#died(why);
  }

  #died(why: string): void {
    this.#silent = 0;
    this.#noiseBytes = 0;
    this.#lastDeath = why;
    // The first time it is started again at once.
    if (this.#deaths > 0)
      this.#notBefore =
        performance.now() + Math.min(firstBackOffMs * 2 ** Math.min(this.#deaths - 1, 20), maxBackOffMs);
    this.#deaths++;
    this.#failAll(why);
  }

  #failAll(why: string): void {
    for (const one of [...this.#asked.values()]) one.fail(why);
  }

  #leaveIfRetired(): void {
    if (this.#retired !== undefined && this.#asked.size === 0) void this.close();
  }
}

async function within(done: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}
