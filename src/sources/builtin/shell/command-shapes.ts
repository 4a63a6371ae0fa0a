/** Brings the ways in which other agents write a command and its time-out into one. */
import type { InputShape } from "../../../core/input/input-shapes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";

/** Fields that change nothing here: opinions on whether to ask, limits of the model, start-up files. */
const ignored = [
  "requires_approval",
  "justification",
  "max_output_tokens",
  "yield_time_ms",
  "login",
  "delay_ms",
  "wait_for_previous",
];

/** Fields by which a model asks for more than it is given. It has no choice: the call goes on without. */
const notTheirs = [
  "sandbox_permissions",
  "with_escalated_permissions",
  "prefix_rule",
  "dangerouslyDisableSandbox",
];

/** Cline and Roo write seconds. */
export const timeoutInSeconds: InputShape = (input) => {
  const { timeout, ...rest } = input;
  return typeof timeout === "number" ? { ...rest, timeoutMs: Math.round(timeout * 1_000) } : input;
};

/** `bash` is OpenCode's, in milliseconds, and pi's, in seconds: less than a second nobody means. */
export const timeoutOfBash: InputShape = (input) =>
  typeof input.timeout === "number" && input.timeout < 1_000 ? timeoutInSeconds(input) : input;

export function fromOtherShapes(input: JsonObject): JsonObject | string {
  const { command, commands, shell, tty, timeout_secs: seconds, ...more } = input;
  const given = typeof seconds === "number" ? { ...more, timeoutMs: Math.round(seconds * 1_000) } : more;
  if (tty === true) return "there is no terminal here: leave tty out";
  if (typeof shell === "string" && !/(?:^|\/)(?:ba)?sh$/.test(shell))
    return `commands are run by the shell that the operator chose, not by ${JSON.stringify(shell.slice(0, 50))}: leave shell out`;
  const left = [...ignored, ...notTheirs];
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !left.includes(name)));
  if (commands === undefined) return command === undefined ? rest : { ...rest, command: oneLine(command) };
  if (command !== undefined) return "give either command or commands";
  const list: readonly Json[] = Array.isArray(commands) ? commands : [commands];
  const lines = list.map((one) => oneLine(isJsonObject(one) ? wordsOf(one) : one));
  if (lines.length === 0 || lines.some((line) => typeof line !== "string"))
    return "commands must be a list of texts";
  return { ...rest, command: lines.join("\n") };
}

/** `{command: "ls", args: ["my file"]}`: a program and its words, no line for a shell. */
function wordsOf({ command, args = [], ...more }: JsonObject): Json {
  const isPlain = typeof command === "string" && Array.isArray(args) && Object.keys(more).length === 0;
  return isPlain ? [command, ...args] : null;
}

/** `["ls", "my file"]` as the line that means the same. */
function oneLine(command: Json): Json {
  if (!Array.isArray(command)) return command;
  if (command.length === 0 || !command.every((word) => typeof word === "string")) return command;
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
