/**
 * Cline's shell takes one command or several, as text or as words, under several names. Rules see one command as
 * `command`, as in every other agent, so that they can also change it, and several as the list `commands`. Both
 * are forms that Cline takes, too.
 */
import type { Json, JsonObject } from "../../core/input/json.ts";
import { isJsonObject } from "../../core/input/json.ts";
import { commandFromWords } from "../../core/input/role-texts.ts";

export function readShellInput(tool: string, input: JsonObject): JsonObject {
  if (tool !== "run_commands") return input;
  const { commands, command, args, cmd, ...rest } = input;
  const single = command === undefined ? [] : [args === undefined ? command : { command, args }];
  const all = [commands ?? [], single, cmd ?? []].flat().map(commandOf);
  const known = all.filter((one) => one !== undefined);
  const [only] = known;
  // Rules take what they cannot read for the worst.
  if (only === undefined || known.length < all.length) return input;
  return { ...rest, ...(known.length === 1 ? { command: only } : { commands: known }) };
}

function commandOf(item: Json): string | undefined {
  if (typeof item === "string") return item;
  const { command, args = [], ...rest } = isJsonObject(item) ? item : {};
  if (typeof command !== "string" || !Array.isArray(args) || Object.keys(rest).length > 0) return undefined;
  // Without words of its own it is a line for the shell.
  if (args.length === 0) return command;
  return args.every((word) => typeof word === "string")
    ? commandFromWords([command, ...args] as string[])
    : undefined;
}
