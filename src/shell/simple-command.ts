/** One simple command: its assignments, its words, its redirects, and which reader judges its program. */

import type { Assignment, Command, Redirection, Word } from "unbash";
import { type Arg, isNumber, LITERAL, literalArg, MANY, unknownArg } from "./arg.ts";
import { CommandUse } from "./command-use.ts";
import { judgeUnknown } from "./known-commands/unknown.ts";
import { feeds, giveReads, readRedirect } from "./redirects.ts";
import { ANYTHING, EXECUTE, markOpaque, NUMBER, READ, type Value, type Walk } from "./walk.ts";
import { readArithmeticWord } from "./words/arithmetic.ts";
import { assign, assignMaybe, exportedNameProblem } from "./words/variables.ts";
import { addArgs, resolveValue } from "./words/words.ts";
import { checkZshCommand, checkZshValue } from "./words/zsh.ts";
import { givenCommands } from "./wrappers/given-commands.ts";
import { readFedText } from "./wrappers/nested-shell.ts";

export function readCommand(walk: Walk, node: Command): void {
  const firstRedirect = walk.redirects.length;
  let beyond: string | undefined;
  let end = -1;
  const { settled } = walk;
  // zsh starts a program for it: $READNULLCMD or $NULLCMD.
  if (walk.zsh && node.name === undefined && node.redirects.length > 0)
    markOpaque(walk, "in zsh a redirect without a command starts a program; name the program", "");
  for (const item of node.prefix) {
    if (item.type === "Assignment") {
      if (item.name === "IFS" && node.name?.text === "read") scanAssignment(walk, item);
      else {
        const problem = readAssignment(walk, item, node.name === undefined);
        beyond ??= problem;
      }
    } else readRedirect(walk, item);
    end = item.end;
  }
  const args: Arg[] = [];
  let last = "";
  if (node.name !== undefined) {
    if (node.name.pos === end) markOpaque(walk, GLUED, node.name.text);
    readName(walk, node.name, args);
    end = node.name.end;
    last = node.name.text;
  }
  for (const item of node.suffix) {
    if (item.pos === end && (item.type === "Word" || item.type === "Assignment"))
      markOpaque(walk, GLUED, item.text);
    // `{a[...]}>x` sets a variable, whose subscript is evaluated; the parser takes some of them for words.
    else if (item.pos === end && last.charCodeAt(0) === 123)
      markOpaque(walk, "a redirect such as {name}> sets a variable; use a number", last);
    end = item.end;
    last = "";
    if (item.type === "Word") {
      last = item.text;
      addArgs(walk, item, args);
    } else if (item.type === "Assignment") args.push(declarationArg(walk, item));
    else readRedirect(walk, item);
  }
  const before = walk.commands.length;
  const wasFed = walk.fed;
  walk.fed ||= feeds(node.redirects);
  if (node.name !== undefined) judgeArgs(walk, args, beyond, beyond === undefined ? READ : EXECUTE);
  // `exec < file`: all that follows reads it.
  if (args.find(({ text }) => text !== "command" && text !== "builtin")?.text !== "exec") walk.fed = wasFed;
  if (walk.commands.length === before + 1) giveReads(walk, firstRedirect, walk.commands[before]);
  const fed = node.redirects.flatMap((redirect) => fedText(walk, redirect));
  if (fed.length > 0) readFedText(walk, before, fed);
  // Where a redirect fails, nothing is set.
  if (node.redirects.length > 0) walk.settled = settled;
}

function fedText(walk: Walk, redirect: Redirection): readonly string[] {
  if (redirect.type === "HereDoc") return [redirect.body.text];
  if (redirect.type !== "HereString" || redirect.target === undefined) return [];
  const args: Arg[] = [];
  addArgs(walk, redirect.target, args);
  return args.map(({ text }) => text);
}

/** Judges a command given as words; `beyond` and `risk` are what its surroundings add (sudo). */
export function judgeArgs(walk: Walk, args: readonly Arg[], beyond: string | undefined, risk: number): void {
  const program = args[0];
  const use = new CommandUse(walk, args);
  use.beyond = beyond;
  use.risk = risk;
  if (program === undefined || program.kind !== LITERAL || program.text === "") {
    use.cannotTell("the name of the program is only known when it runs; write it out");
    use.unknownPaths = true;
    use.finish();
    return;
  }
  const name = program.text;
  if (walk.zsh) checkZshCommand(use);
  if (walk.functions?.has(name)) {
    use.cannotTell("it calls a function that this line defines; write the commands themselves");
    use.finish();
    return;
  }
  use.runs = givenCommands(use);
  const { parts } = walk;
  const known = parts.known.get(name);
  if (known !== undefined) {
    known(use);
    if (use.risk !== READ || !isControl(name)) use.finish();
    return;
  }
  const slash = name.lastIndexOf("/");
  const wrapper = parts.wrappers.get(slash < 0 ? name : name.slice(slash + 1));
  if (wrapper !== undefined) {
    if (slash >= 0) use.raise(EXECUTE);
    wrapper(use);
    return;
  }
  judgeUnknown(use);
  use.finish();
}

/** `ls<(x)` is one word to the shell, `ls/dev/fd/63`, but two to the parser. */
const GLUED = "words that touch each other";

function readName(walk: Walk, word: Word, args: Arg[]): void {
  addArgs(walk, word, args);
  const text = word.text;
  // `$a`, `{rm,-rf}` and the like are listed as far as known, but a name that must be computed is never
  // trusted.
  if (args.length !== 1 || (NOT_PLAIN_NAME.test(text) && !/^\$'[^']*'$/.test(text))) {
    markOpaque(walk, "the name of the program is only known when it runs; write it out", text);
    if (args.length === 0) args.push(unknownArg(text, MANY));
  }
}

/** Parts of the language rather than commands: a rule that lists programs need not name them. */
function isControl(name: string): boolean {
  return name === ":" || name === "break" || name === "continue" || name === "exit" || name === "return";
}

const NOT_PLAIN_NAME = /(?<!\\)[$`{]|^~/;

function readAssignment(walk: Walk, node: Assignment, alone: boolean): string | undefined {
  const value = readAssignedValue(walk, node);
  const held = value === undefined || node.append === true ? ANYTHING : heldBy(value);
  if (alone) {
    assign(walk, node.name, held, node.text);
    return undefined;
  }
  assignMaybe(walk, node.name, held, node.text);
  return exportedNameProblem(node.name);
}

function heldBy(value: Arg): Value {
  if (value.kind === LITERAL) return value.text;
  return isNumber(value) ? NUMBER : ANYTHING;
}

/** `IFS= read line`: only this `read` splits by it. */
function scanAssignment(walk: Walk, node: Assignment): void {
  if (readAssignedValue(walk, node)?.kind !== LITERAL)
    markOpaque(walk, "it sets IFS, which changes where words end", node.text);
}

/** The value of a plain assignment; arrays and elements are read for commands only. */
function readAssignedValue(walk: Walk, node: Assignment): Arg | undefined {
  if (node.index !== undefined) readArithmeticWord(walk, node.index);
  if (node.value.type === "Word") {
    if (walk.zsh) checkZshValue(walk, node.value);
    const value = resolveValue(walk, node.value);
    return node.index === undefined ? value : undefined;
  }
  const args: Arg[] = [];
  for (const element of node.value.elements) {
    if (element.text.startsWith("["))
      markOpaque(walk, "the shell evaluates the subscript of an array; write a number", element.text);
    addArgs(walk, element, args);
  }
  return undefined;
}

/** `export X=1`: the word as the builtin sees it. */
function declarationArg(walk: Walk, node: Assignment): Arg {
  const value = readAssignedValue(walk, node);
  const head = `${node.name}${node.append === true ? "+" : ""}=`;
  if (value === undefined) return unknownArg(node.text, MANY);
  if (value.kind === LITERAL) return literalArg(head + value.text);
  return { ...value, text: head + value.text, prefix: head + value.prefix, slots: undefined };
}
