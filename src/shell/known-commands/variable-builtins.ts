/** Builtins that set variables: plain names only, because the shell evaluates the subscript of any other. */

import { type Arg, isLiteral, isNumber } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { ANYTHING, EXECUTE, NUMBER, trust } from "../walk.ts";
import { assign, assignMaybe, exportedNameProblem, isKnownNumber } from "../words/variables.ts";

export function readRead(use: CommandUse): void {
  const { args, walk } = use;
  for (let i = 1; i < args.length; i++) {
    const arg = args[i];
    if (!isLiteral(arg)) {
      use.cannotTell("the variable that read sets is only known when it runs; write its name");
      return;
    }
    const text = arg.text;
    if (/^-[ers]*[dpi]$/.test(text)) i++;
    else if (/^-[ers]*[nNtu]$/.test(text)) {
      i++;
      if (!/^\d[\d.]*$/.test(isLiteral(args[i]) ? (args[i]?.text ?? "") : ""))
        use.cannotTell("the count of read is only known when it runs; write a number");
    } else if (/^-[ers]*(?:a|[nNtu][\d.]+|[dp].*)?$/.test(text)) continue;
    else noteAssigned(use, text, ANYTHING);
  }
  walk.tainted ??= new Set();
  walk.tainted.add("REPLY");
}

export function readMapfile(use: CommandUse): void {
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i];
    if (!isLiteral(arg))
      use.cannotTell("the variable that mapfile sets is only known when it runs; write its name");
    else if (/^-t*[nOsd]$/.test(arg.text)) i++;
    else if (arg.text === "-t") continue;
    else noteAssigned(use, arg.text, ANYTHING);
  }
}

function noteAssigned(use: CommandUse, name: string, value: typeof ANYTHING | typeof NUMBER): void {
  assignMaybe(use.walk, name, value, use.args.map((arg) => arg.text).join(" "));
}

/**
 * `declare`, `export` and the like: plain names and values only; attributes such as `-i` or `-n` evaluate
 * later values.
 */
export function readDeclaration(exports: boolean): KnownCommand {
  return (use) => {
    let exported = exports;
    for (let i = 1; i < use.args.length; i++) {
      const arg = use.args[i] as Arg;
      // `-r` too: a later assignment then fails, and the text stays what it was.
      if (isLiteral(arg) && /^-[gpx]+$/.test(arg.text)) {
        exported ||= arg.text.includes("x");
        continue;
      }
      const name = /^([A-Za-z_]\w*)(\+?=)?/.exec(arg.prefix);
      if (name?.[1] === undefined || (name[0] !== arg.text && name[2] === undefined)) {
        use.cannotTell("it is only known when it runs what is declared here; write NAME=VALUE");
        return;
      }
      // A quoted list is expanded once more when the variable is an array.
      if (arg.text.charAt(name[0].length) === "(")
        use.cannotTell("the shell may evaluate this declaration twice; write a plain assignment");
      if (name[2] === "=" && isLiteral(arg)) {
        assign(use.walk, name[1], arg.text.slice(name[0].length), arg.text);
      } else if (name[2] === "=" && isNumber({ ...arg, prefix: arg.prefix.slice(name[0].length) }))
        assign(use.walk, name[1], NUMBER, arg.text);
      else if (name[2] !== undefined) noteAssigned(use, name[1], ANYTHING);
      else noteAssigned(use, name[1], use.walk.tainted?.has(name[1]) ? ANYTHING : NUMBER);
      const problem = exported ? exportedNameProblem(name[1]) : undefined;
      if (problem !== undefined) use.goesBeyond(problem, EXECUTE);
    }
  };
}

export function readUnset(use: CommandUse): void {
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i];
    if (!isLiteral(arg) || !/^(?:-v|[A-Za-z_]\w*)$/.test(arg.text))
      use.cannotTell("unset evaluates its words; write the plain name of a variable");
    else if (arg.text !== "-v") noteAssigned(use, arg.text, ANYTHING);
  }
}

export function readLet(use: CommandUse): void {
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i];
    const [, name, change] = isLiteral(arg)
      ? (/^([A-Za-z_]\w*)(\+\+|--|[-+*]?=(?:0|[1-9]\d{0,17}))$/.exec(arg.text) ?? [])
      : [];
    // All but `=` evaluate what the name held before.
    if (name === undefined || (!change?.startsWith("=") && !isKnownNumber(use.walk, name)))
      use.cannotTell("let evaluates its words as arithmetic; write numbers");
    else {
      assign(use.walk, name, NUMBER, arg?.text ?? "");
      trust(use.walk, [name]);
    }
  }
}
