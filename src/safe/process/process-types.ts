/** What is asked of a process and what is told about its end. */

import type { Planted } from "../sandbox/planted.ts";
import type { SandboxPlan } from "../sandbox/sandbox-process.ts";
import type { OutputStream } from "./output-capture.ts";
import type { OutputSince } from "./output-log.ts";

export interface ProcessOptions {
  /** A program, never a command line. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables declared by the tool's author, on top of the allowlist. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names to copy from our own environment. */
  readonly allowEnv?: readonly string[];
  /** An upstream server: a toolgate inside must be able to tell, or it would start the same one again. */
  readonly isUpstream?: boolean;
  readonly killGraceMs?: number;
  /** Of each stream, for the caller: first and last half. */
  readonly maxOutputBytes?: number;
  /**
   * Of both streams. `runProcess` ends the process there; a background process lives on, its output no longer
   * recorded at both ends.
   */
  readonly hardMaxBytes?: number;
  /** Where the whole output goes (up to the hard limit) when it is more than the caller gets. */
  readonly spillDirectory?: string;
  readonly signal?: AbortSignal;
  /** Sees every chunk; a returned promise holds the stream back until it is done. */
  readonly onOutput?: (chunk: Buffer, stream: OutputStream) => void | Promise<void>;
  readonly sandbox?: SandboxPlan;
}

export interface RunOptions extends ProcessOptions {
  /** Written to stdin, which is then closed. Without it stdin is empty. */
  readonly input?: string | Uint8Array;
  readonly timeoutMs?: number;
}

export interface StartOptions extends ProcessOptions {
  /** `open` lets `write` feed it until `endInput`. */
  readonly stdin?: "closed" | "open";
  readonly timeoutMs?: number;
  /** Two further pipes: the process reads descriptor 3 and writes descriptor 4. Not in a sandbox. */
  readonly messagePipes?: boolean;
}

export type ProcessEnd = EndedProcess | StartFailure;

export interface EndedProcess {
  readonly started: true;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly spillPath?: string;
  readonly timedOut: boolean;
  /** By the signal, or by `kill`. */
  readonly aborted: boolean;
  /** Ended because of the hard output limit. */
  readonly flooded: boolean;
  /** Processes it had left behind and which were ended with it. */
  readonly leftovers: number;
  /** What it had put where a program outside of its sandbox would run it, and what became of that. */
  readonly planted: readonly Planted[];
  readonly durationMs: number;
}

export interface StartFailure {
  readonly started: false;
  readonly code:
    | "command_not_found"
    | "not_executable"
    | "bad_directory"
    | "invalid_options"
    | "arguments_too_long"
    | "aborted"
    | "start_failed";
  readonly message: string;
}

export interface RunningProcess {
  readonly started: true;
  readonly pid: number;
  /** Resolves when the pipe took the bytes; false when the process no longer reads. */
  write(data: string | Uint8Array): Promise<boolean>;
  endInput(): void;
  read(cursor?: number): OutputSince;
  /** Ends the whole tree. */
  kill(): Promise<EndedProcess>;
  readonly ended: Promise<EndedProcess>;
}

/** How the two ways to start differ. */
export interface Manner {
  readonly endOnFlood: boolean;
  readonly log: boolean;
}
