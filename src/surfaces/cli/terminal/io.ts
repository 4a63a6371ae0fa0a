/** What a command may touch of the process it runs in; tests hand in their own. */
import type { Environment } from "../../../config/folders.ts";
import { blockedExit } from "../../../core/call/blocked-exit.ts";
import type { Ancestor } from "../../../safe/process/process-ancestors.ts";
import { asTyped } from "./own-command.ts";

export interface CliIo {
  /** All of standard input as text. Throws a `ToolgateError` once more than `maxBytes` came. */
  readonly readStdin: (options?: { readonly maxBytes?: number }) => Promise<string>;
  /** Standard input as it comes, for commands that answer line by line. */
  readonly stdinChunks?: () => AsyncIterable<string>;
  /** Standard input and output for a protocol. Everything else goes to standard error from then on. */
  readonly takePipe?: () => { readonly input: NodeJS.ReadableStream; readonly write: (text: string) => void };
  /** Where results go. A line feed is not added. */
  readonly out: (text: string) => void;
  /** Where everything else goes: warnings, progress, errors. */
  readonly err: (text: string) => void;
  readonly env: Environment;
  readonly cwd: string;
  /** The file that was started, as the system names it. Absent: `toolgate` is in PATH. */
  readonly script?: string | undefined;
  /** Standard output is a terminal: colours and questions are welcome. */
  readonly isTerminal: boolean;
  /** Standard input is a terminal: nobody has piped anything in, and somebody may answer questions. */
  readonly stdinIsTerminal?: boolean;
  /** Standard error is a terminal: how far long work has come is shown there. */
  readonly stderrIsTerminal?: boolean;
  /** The processes above this one. Absent: they are not looked at. */
  readonly ancestors?: () => readonly Ancestor[];
  /** Aborted by Ctrl-C, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
  /** One line of the person at the terminal. Undefined: the end of input, or Ctrl-C twice. */
  readonly askLine?: (question: string, history: readonly string[]) => Promise<string | undefined>;
  /** Hears of Ctrl-C first; true: it is dealt with, and the command goes on. */
  readonly onInterrupt?: (listener: (() => boolean) | undefined) => void;
  /** How long the command may take to end by itself after Ctrl-C, and after SIGTERM. */
  readonly allowGrace?: (graceMs: number) => void;
}

/** What `--json` is called in every command that has it: one value. */
export interface JsonOption {
  readonly json?: boolean | undefined;
}

/** For commands that print many values: `--json` is one list of them, `--ndjson` a line for each. */
export interface ListOptions extends JsonOption {
  readonly ndjson?: boolean | undefined;
}

/** Documented in docs/cli.md. */
export const exitCodes = {
  ok: 0,
  /** A test failed, a configuration is wrong, doctor found a problem, the command was used wrongly. */
  failed: 1,
  /** `check`: the call is blocked, or could not be checked. */
  blocked: blockedExit,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** Thrown where a command waits for something and Ctrl-C comes instead. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Thrown when a command cannot go on and has said why. The message says it to those who do not see standard error. */
export class Told extends Error {}

/** Says why a command ends without having done what it was asked for. */
export function fail(message: string, io: CliIo): number {
  io.err(`${asTyped(message, io)}\n`);
  return exitCodes.failed;
}

/** What `--json` prints where it is one value. */
export function printJson(value: unknown, { out }: Pick<CliIo, "out">): number {
  out(`${JSON.stringify(value, null, 2)}\n`);
  return exitCodes.ok;
}

/** What `--json` and `--ndjson` print where there are many values. False: neither is wanted. */
export function printList(values: readonly unknown[], { json, ndjson }: ListOptions, io: CliIo): boolean {
  if (ndjson === true) io.out(values.map(jsonLine).join(""));
  else if (json === true) printJson(values, io);
  return ndjson === true || json === true;
}

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** A list that never ends is none; undefined: nobody asked for one. */
export function explainNoEnd({ json }: JsonOption, what: string): string | undefined {
  if (json !== true) return undefined;
  return `--json prints one list, and ${what} has no end: use --ndjson, a line of JSON for each.`;
}
