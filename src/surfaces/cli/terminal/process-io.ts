/** The real process as commands see it: bounded input, output that may end early, Ctrl-C as a signal. */
import { Buffer } from "node:buffer";
import process from "node:process";
import { StringDecoder } from "node:string_decoder";
import { isatty } from "node:tty";
import { ToolgateError } from "../../../core/call/errors.ts";
import { readAncestors } from "../../../safe/process/process-ancestors.ts";
import { type CliIo, exitCodes, Interrupted } from "./io.ts";

/** No agent's tool call comes near this; more is a mistake or an attack on our memory. */
export const maxStdinBytes = 16 * 1024 * 1024;

/** How long a command has to end by itself after Ctrl-C. */
const graceMs = 1_000;

export interface ProcessIo extends CliIo {
  /** Whether Ctrl-C was pressed. */
  readonly wasInterrupted: () => boolean;
  /** Why results were lost, for example a full disk. A reader that left has what it wanted. */
  readonly lostOutput: () => string | undefined;
}

export function createProcessIo(): ProcessIo {
  const ending = new AbortController();
  let interrupted = false;
  let lost: string | undefined;
  const out = writer(process.stdout, ({ code, message }) => {
    if (code !== "EPIPE") lost = message;
    ending.abort();
  });
  const err = writer(process.stderr, () => {});
  let grace = graceMs;
  let takeInterrupt: (() => boolean) | undefined;
  process.on("SIGINT", () => {
    if (takeInterrupt?.() === true) return;
    // The second Ctrl-C does not wait for anybody.
    if (interrupted) process.exit(exitCodes.interrupted);
    interrupted = true;
    ending.abort();
    process.stdin.destroy();
    setTimeout(() => process.exit(exitCodes.interrupted), grace).unref();
  });
  return {
    readStdin: ({ maxBytes = maxStdinBytes } = {}) => readAll(maxBytes, ending.signal),
    stdinChunks: () => readChunks(ending.signal),
    takePipe: () => takePipe(out),
    out,
    err,
    env: process.env,
    cwd: process.cwd(),
    script: process.argv[1],
    isTerminal: isatty(1),
    stdinIsTerminal: isatty(0),
    stderrIsTerminal: isatty(2),
    ancestors: () => readAncestors(process.pid),
    signal: ending.signal,
    askLine: (question, history) => askLine(question, history),
    onInterrupt: (listener) => {
      takeInterrupt = listener;
    },
    allowGrace(ms) {
      grace = ms;
      for (const name of ["SIGTERM", "SIGHUP"] as const)
        process.once(name, () => {
          ending.abort();
          setTimeout(() => process.exit(exitCodes.failed), grace).unref();
        });
    },
    wasInterrupted: () => interrupted,
    lostOutput: () => lost,
  };
}

/** With the keys that people know from their shell. In raw mode Ctrl-C comes as a key, and not as a signal. */
async function askLine(question: string, history: readonly string[]): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  const { stdin: input, stdout: output } = process;
  const lines = createInterface({ input, output, terminal: true, history: [...history], prompt: question });
  return new Promise((resolve) => {
    let wantsToEnd = false;
    const done = (line: string | undefined) => {
      resolve(line);
      lines.close();
    };
    lines.on("line", done);
    lines.on("close", () => done(undefined));
    lines.on("SIGINT", () => {
      if (wantsToEnd) return done(undefined);
      wantsToEnd = lines.line === "";
      // What was typed is thrown away, as a shell does.
      lines.write(null, { ctrl: true, name: "e" });
      lines.write(null, { ctrl: true, name: "u" });
      output.write(wantsToEnd ? "\nCtrl-C again ends.\n" : "\n");
      lines.prompt();
    });
    lines.prompt();
  });
}

/** Everything is written, or cannot be. */
export async function flushOutput(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
}

/** `toolgate list | head -1`: when the reader is gone, the rest goes nowhere, without a word. */
function writer(
  stream: NodeJS.WriteStream,
  onClosed: (error: NodeJS.ErrnoException) => void,
): (text: string) => void {
  let isOpen = true;
  stream.on("error", (error) => {
    isOpen = false;
    onClosed(error);
  });
  return (text) => {
    if (isOpen && text !== "") stream.write(text);
  };
}

/** A library that prints something must not break the protocol: its words go to standard error. */
function takePipe(out: (text: string) => void): ReturnType<NonNullable<CliIo["takePipe"]>> {
  const { stdout, stderr } = process;
  const real = stdout.write.bind(stdout);
  let isOurs = false;
  stdout.write = ((...args: Parameters<typeof real>) =>
    isOurs ? real(...args) : stderr.write(...args)) as typeof stdout.write;
  return {
    input: process.stdin,
    write(text) {
      isOurs = true;
      out(text);
      isOurs = false;
    },
  };
}

async function readAll(maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ToolgateError(`Standard input holds more than ${maxBytes} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw explain(error, signal);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    // Replaced characters would mean that what is judged is not what was meant.
    throw new ToolgateError("Standard input is not UTF-8 text.");
  }
}

async function* readChunks(signal: AbortSignal): AsyncIterable<string> {
  const decoder = new StringDecoder("utf8");
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) yield decoder.write(chunk);
  } catch (error) {
    throw explain(error, signal);
  }
  yield decoder.end();
}

/** `toolgate check < folder` and a closed descriptor end here. */
function explain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new Interrupted("Interrupted.");
  if (error instanceof ToolgateError) return error;
  return new ToolgateError(`Standard input cannot be read: ${(error as Error).message}`);
}
