/** Brings the ways in which other agents write a command into one line. */
import type { Json, JsonObject } from "../../../core/json.ts";

/** Fields that change nothing here: a model's own opinion on whether to ask, limits on its side, start-up files (never read). */
const ignored = ["requires_approval", "justification", "max_output_tokens", "yield_time_ms", "login"];

export function fromOtherShapes(input: JsonObject): JsonObject | string {
  const { command, commands, ...given } = input;
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !ignored.includes(name)));
  if (commands === undefined) return command === undefined ? rest : { ...rest, command: oneLine(command) };
  if (command !== undefined) return "give either command or commands";
  const list: readonly Json[] = Array.isArray(commands) ? commands : [commands];
  const lines = list.map(oneLine);
  if (lines.length === 0 || lines.some((line) => typeof line !== "string"))
    return "commands must be a list of texts";
  return { ...rest, command: lines.join("\n") };
}

/** `["ls", "my file"]` as the line that means the same. */
function oneLine(command: Json): Json {
  if (!Array.isArray(command)) return command;
  if (command.length === 0 || !command.every((word) => typeof word === "string")) return command;
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
