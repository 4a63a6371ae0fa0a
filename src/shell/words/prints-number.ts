/** Commands whose output is a number whatever they are given: arithmetic may read it. */

import type { Command, Script } from "unbash";

/** `$(... | wc -l)`, `$(date +%s)`. */
export function printsNumber(script: Script): boolean {
  const last = script.commands.at(-1)?.command;
  if (script.commands.length !== 1 || last === undefined) return false;
  const command = last.type === "Pipeline" ? last.commands.at(-1) : last;
  return command?.type === "Command" && NUMBER.test(wordsOf(command));
}

/** `$(seq 1 9)`: one number or more. */
export function printsNumbers(script: Script): boolean {
  const only = script.commands[0]?.command;
  return script.commands.length === 1 && only?.type === "Command" && NUMBERS.test(wordsOf(only));
}

function wordsOf(command: Command): string {
  if (command.prefix.length > 0) return "";
  const words = [command.name?.text ?? ""];
  for (const item of command.suffix) {
    if (item.type === "Word") words.push(item.text);
    else if (item.type !== "Redirect" || item.operator !== "<") return "";
  }
  return words.join(" ");
}

const NUMBER = /^(?:wc -[lwcm]|date \+%s|nproc|grep -c [\w.]+)$/;
const NUMBERS = /^seq(?: -?\d{1,9}){1,3}$/;
