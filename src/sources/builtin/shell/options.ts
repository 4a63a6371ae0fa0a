/** What whoever makes the shell tools may choose. */
import { ToolgateError } from "../../../core/call/errors.ts";
import { type SandboxChoice, type SandboxMode, sandboxModes } from "../../../core/tool/sandbox-rules.ts";
import type { ShellKind } from "./shell-program.ts";

export interface ShellOptions {
  /** Bubblewrap: `off` (default), `preferred` (where it works), `required`. A function is asked each time. */
  readonly sandbox?: SandboxMode | (() => SandboxChoice);
  /** Whether commands in the sandbox reach the network. Default false. Without a sandbox they always do. */
  readonly network?: boolean;
  /** Folders that commands in the sandbox do not see: the gate's own state. */
  readonly hidden?: readonly string[];
  /** Default bash. */
  readonly shell?: ShellKind;
  /** Variables for every command, on top of the short list that children get. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names to copy from our own environment. */
  readonly allowEnv?: readonly string[];
  /** Of a command that does not say. Default two minutes. */
  readonly defaultTimeoutMs?: number;
  /** What one command may answer, its first and last part. The gate cuts further. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Running at once in one session. Default 8. */
  readonly maxPerSession?: number;
  /** Running at once in all sessions. Default 32. */
  readonly maxProcesses?: number;
  /** The newest output that is kept of each background process. Default 256 KiB. */
  readonly maxBackgroundBytes?: number;
  /** Told once why there is no sandbox although one was preferred. */
  readonly onNote?: (note: string) => void;
}

/** The most a command gets. Below the tool's time-out: the command ends first and keeps its output. */
export const maxTimeoutMs = 600_000;

export interface ShellSettings
  extends Required<Omit<ShellOptions, "onNote" | "sandbox" | "network">>,
    Pick<ShellOptions, "onNote"> {
  readonly sandbox: () => SandboxChoice;
}

export function readOptions(options: ShellOptions): ShellSettings {
  const { sandbox = "off", network = false, ...others } = options;
  const settings: ShellSettings = {
    sandbox: typeof sandbox === "function" ? sandbox : () => ({ mode: sandbox, network }),
    hidden: [],
    shell: "bash",
    env: {},
    allowEnv: [],
    defaultTimeoutMs: 120_000,
    maxOutputBytes: 1024 * 1024,
    maxPerSession: 8,
    maxProcesses: 32,
    maxBackgroundBytes: 256 * 1024,
    ...others,
  };
  // A misspelt mode must not mean that there is no sandbox.
  if (typeof sandbox !== "function" && !sandboxModes.includes(sandbox))
    throw new ToolgateError(`sandbox is "off", "preferred" or "required", not ${String(sandbox)}.`);
  if (settings.shell !== "bash" && settings.shell !== "sh")
    throw new ToolgateError(`shell is "bash" or "sh", not ${String(settings.shell)}.`);
  const numbers = [
    "defaultTimeoutMs",
    "maxOutputBytes",
    "maxPerSession",
    "maxProcesses",
    "maxBackgroundBytes",
  ] as const;
  for (const name of numbers) {
    if (!Number.isSafeInteger(settings[name]) || settings[name] < 1)
      throw new ToolgateError(`${name} must be a whole number above 0, not ${settings[name]}.`);
  }
  if (settings.defaultTimeoutMs > maxTimeoutMs)
    throw new ToolgateError(`defaultTimeoutMs must be at most ${maxTimeoutMs}.`);
  return settings;
}
