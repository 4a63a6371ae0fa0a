/** What whoever makes the code tools may choose: checkers for other languages, and how they are run. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import { unknownKeys } from "../../../../core/input/unknown-keys.ts";
import { type SandboxMode, sandboxModes } from "../../../../core/tool/sandbox-rules.ts";
import { compilePattern } from "../../../../safe/regex/safe-regex.ts";
import { compileGlobs } from "../../search/glob/glob.ts";
import type { PathPattern } from "../../search/glob/path-pattern.ts";

/** A pattern has the group `message`, and may have `file`, `line`, `column`, `severity` and `code`. */
export type OutputForm = "gcc" | "tsc" | "eslint-json" | RegExp;

export interface CheckerOptions {
  /** The files it speaks about, such as `*.py`. */
  readonly glob: string;
  /** A program and its arguments. The argument `{paths}` becomes the paths that were asked for, or `.`. */
  readonly command: readonly string[];
  readonly parse: OutputForm;
}

export interface CodeOptions {
  readonly diagnostics?: readonly CheckerOptions[];
  /** Whether the project's own TypeScript is used where there is a tsconfig.json. Default true. */
  readonly typescript?: boolean;
  /** Bubblewrap without network: `off`, `preferred` (default), `required`. A function is asked each time. */
  readonly sandbox?: SandboxMode | (() => SandboxMode);
  /** Folders that checkers in the sandbox do not see: the gate's own state. */
  readonly hidden?: readonly string[];
  /** Of one checker. Default two minutes. */
  readonly timeoutMs?: number;
  /** Told once why there is no sandbox although one was preferred. */
  readonly onNote?: (note: string) => void;
}

export interface Checker extends CheckerOptions {
  /** From the working folder. */
  readonly matches: PathPattern;
}

export interface CodeSettings {
  readonly checkers: readonly Checker[];
  readonly typescript: boolean;
  readonly sandbox: () => SandboxMode;
  readonly hidden: readonly string[];
  readonly timeoutMs: number;
  readonly onNote: ((note: string) => void) | undefined;
}

/** Below the time-out of the tool, so that the checker ends first and what it found is not lost. */
export const maxTimeoutMs = 540_000;

export function readOptions(options: CodeOptions = {}): CodeSettings {
  const [unknown] = unknownKeys(options, optionNames);
  if (unknown !== undefined)
    throw new ToolgateError(`The code tools have no option "${unknown.key}"; ${unknown.instead}`);
  const { diagnostics = [], typescript = true, sandbox = "preferred", hidden = [], onNote } = options;
  // A misspelt mode must not mean that there is no sandbox.
  if (typeof sandbox !== "function" && !sandboxModes.includes(sandbox))
    throw new ToolgateError(`sandbox is "off", "preferred" or "required", not ${String(sandbox)}.`);
  const { timeoutMs = 120_000 } = options;
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > maxTimeoutMs)
    throw new ToolgateError(`timeoutMs must be a whole number from 1 to ${maxTimeoutMs}, not ${timeoutMs}.`);
  return {
    checkers: diagnostics.map(readChecker),
    typescript,
    sandbox: typeof sandbox === "function" ? sandbox : () => sandbox,
    hidden,
    timeoutMs,
    onNote,
  };
}

const optionNames = ["diagnostics", "typescript", "sandbox", "hidden", "timeoutMs", "onNote"];

function readChecker(options: CheckerOptions, index: number): Checker {
  const where = `diagnostics[${index}]`;
  const { glob, command, parse } = options;
  const compiled = compileGlobs([glob]);
  if (!compiled.ok) throw new ToolgateError(`${where}: ${compiled.message}`);
  const isCommand =
    Array.isArray(command) && command.length > 0 && command.every((one) => typeof one === "string");
  if (!isCommand || command[0] === "")
    throw new ToolgateError(`${where}: command must be a list of texts, the program first.`);
  if (parse instanceof RegExp) {
    const pattern = compilePattern(parse.source, parse.flags.replace(/[gy]/g, ""));
    if (!pattern.ok) throw new ToolgateError(`${where}: ${pattern.message}`);
    if (!parse.source.includes("(?<message>"))
      throw new ToolgateError(`${where}: the pattern needs a group (?<message>...).`);
  } else if (!["gcc", "tsc", "eslint-json"].includes(parse)) {
    throw new ToolgateError(
      `${where}: parse is "gcc", "tsc", "eslint-json" or a pattern, not ${String(parse)}.`,
    );
  }
  return { glob, command, parse, matches: compiled.matches };
}
