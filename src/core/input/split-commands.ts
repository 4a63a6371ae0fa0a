/** Commands in two fields: `{command: "rm", args: ["-rf", "x"]}` runs `rm -rf x`. */
import { isArgumentField, isCommandField } from "./command-fields.ts";
import { add, addUnreadable, commandFromWords, isString, type WrittenRoles } from "./role-texts.ts";

/** Adds the whole lines; the parts of them are there already. */
export function addSplitCommands(object: Readonly<Record<string, unknown>>, values: WrittenRoles): void {
  if (values.command.length === 0) return;
  const names = Object.keys(object);
  const programs = names.filter((name) => isString(object[name]) && isCommandField(name));
  if (programs.length === 0) return;
  for (const name of names) {
    if (!isArgumentField(name)) continue;
    const rest = argumentText(object[name]);
    for (const program of programs)
      if (rest === undefined) addUnreadable("command", values);
      else if (rest !== "") add(`${object[program]} ${rest}`, "command", values);
  }
}

/** Undefined: it is there, and nobody can tell what it says. */
function argumentText(given: unknown): string | undefined {
  if (isString(given)) return given;
  // Named values are no words; what they are called is looked at where all fields are.
  if (!Array.isArray(given)) return given === null || typeof given === "object" ? "" : String(given ?? "");
  return given.every((word) => word !== null && typeof word !== "object")
    ? commandFromWords(given.map(String))
    : undefined;
}
