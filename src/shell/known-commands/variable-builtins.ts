/** Builtins that set variables: plain names only, because the shell evaluates the subscript of any other. */

import { type Arg, isLiteral } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { assign, exportedNameProblem } from "../variables.ts";
import { ANYTHING, EXECUTE, NUMBER, trust } from "../walk.ts";

export function readRead(use: CommandUse): void {
  const { args, walk } = use;
  for (let i = 1; i < args.length; i++) {
    const arg = args[i];
    if (!isLiteral(arg)) {
      use.cannotTell("read into a variable that is not known");
      return;
    }
    const text = arg.text;
    if (/^-[ers]*[dnNptui]$/.test(text)) i++;
    else if (/^-[ers]+$/.test(text) || /^-[ers]*[dnNptu]./.test(text)) continue;
    else if (/^-[ers]*a$/.test(text)) continue;
    else assignUncertain(use, text, ANYTHING);
  }
  assignReply(walk);
}

function assignReply(walk: CommandUse["walk"]): void {
  walk.tainted ??= new Set();
  walk.tainted.add("REPLY");
}

export function readMapfile(use: CommandUse): void {
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i];
    if (!isLiteral(arg)) use.cannotTell("mapfile into a variable that is not known");
    else if (/^-t*[nOsd]$/.test(arg.text)) i++;
    else if (arg.text === "-t") continue;
    else assignUncertain(use, arg.text, ANYTHING);
  }
}

function assignUncertain(use: CommandUse, name: string, value: typeof ANYTHING | typeof NUMBER): void {
  const certain = use.walk.certain;
  use.walk.certain = false;
  assign(use.walk, name, value, use.args.map((arg) => arg.text).join(" "));
  use.walk.certain = certain;
}

/** `declare`, `export` and the like: plain names and values only; attributes such as `-i` or `-n` evaluate later values. */
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
        use.cannotTell("a declaration that is not understood");
        return;
      }
      // A quoted list is expanded once more when the variable is an array.
      if (arg.text.charAt(name[0].length) === "(") use.cannotTell("a declaration that may be expanded again");
      if (name[2] === "=" && isLiteral(arg)) {
        assign(use.walk, name[1], arg.text.slice(name[0].length), arg.text);
      } else if (name[2] !== undefined) assignUncertain(use, name[1], ANYTHING);
      else assignUncertain(use, name[1], use.walk.tainted?.has(name[1]) ? ANYTHING : NUMBER);
      const problem = exported ? exportedNameProblem(name[1]) : undefined;
      if (problem !== undefined) use.goesBeyond(problem, EXECUTE);
    }
  };
}

export function readUnset(use: CommandUse): void {
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i];
    if (!isLiteral(arg) || !/^(?:-v|[A-Za-z_]\w*)$/.test(arg.text))
      use.cannotTell("unset evaluates what it is given");
    else if (arg.text !== "-v") assignUncertain(use, arg.text, ANYTHING);
  }
}

export function readLet(use: CommandUse): void {
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i];
    const name = isLiteral(arg) ? /^([A-Za-z_]\w*)(?:\+\+|--|[-+*]?=\d+)$/.exec(arg.text)?.[1] : undefined;
    if (name === undefined) use.cannotTell("let evaluates what it is given");
    else {
      assignUncertain(use, name, NUMBER);
      trust(use.walk, [name]);
    }
  }
}
