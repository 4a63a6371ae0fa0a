/** Reads statements in the order in which the shell runs them; an unknown kind of node is opaque. */

import type {
  AndOr,
  ArithmeticExpression,
  CommandNode,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Statement,
  Word,
} from "unbash";
import { type Arg, isNumber } from "./arg.ts";
import { knownLoop, type Loop, withLoop } from "./loops.ts";
import { readAndOr, readPipeline } from "./pipelines.ts";
import { feeds, giveReads, readRedirects } from "./redirects.ts";
import { readCommand } from "./simple-command.ts";
import {
  ANYTHING,
  eitherDirectory,
  forgetValues,
  markOpaque,
  NUMBER,
  restoring,
  UNKNOWN_DIRECTORY,
  uncertainly,
  type Walk,
} from "./walk.ts";
import { readArithmetic } from "./words/arithmetic.ts";
import { readTest } from "./words/double-brackets.ts";
import { assign } from "./words/variables.ts";
import { addArgs, resolveValue, scanWord } from "./words/words.ts";

export function readScript(walk: Walk, script: ParsedScript): void {
  if (script.errors !== undefined && script.errors.length > 0) {
    markOpaque(
      walk,
      `the line cannot be parsed (${script.errors[0]?.message ?? "syntax error"}); check its quotes and brackets`,
      "",
    );
  }
  readStatements(walk, script.commands, lineEnds(walk, script.commands));
}

/** Where a new line begins, as the shell reads it; a compound command is one line. */
function lineEnds(walk: Walk, statements: readonly Statement[]): (i: number) => boolean {
  return (i) => {
    const [one, next] = [statements[i], statements[i + 1]];
    return one !== undefined && next !== undefined && walk.source.slice(one.end, next.pos).includes("\n");
  };
}

/**
 * An expansion that fails (`echo $((1/0)); x=5`) ends its line, and the shell goes on with the next one:
 * there a name counts as set only if it was set at the beginning of its line, by nothing that can fail.
 */
function readStatements(
  walk: Walk,
  statements: readonly Statement[],
  endsLine: (i: number) => boolean = () => false,
): void {
  const last = statements.length - 1;
  let { settled } = walk;
  let sound = true;
  for (let i = 0; i <= last; i++) {
    const statement = statements[i] as Statement;
    const before = walk.directories;
    readStatement(walk, statement);
    if (i === last) return;
    // `cd x; cat ../y` goes on when the `cd` failed: only `&&` makes sure that it did not.
    if (walk.directories !== before) walk.directories = eitherDirectory(before, walk.directories);
    sound &&= isPlainAssignment(statement);
    if (sound) settled = walk.settled;
    if (!endsLine(i)) continue;
    walk.settled = settled;
    sound = true;
  }
}

function isPlainAssignment({ command, background }: Statement): boolean {
  return (
    command.type === "Command" &&
    background !== true &&
    command.name === undefined &&
    command.prefix.every(
      (item) => item.type === "Assignment" && item.value.type === "Word" && !/\$[[{]|\$\(\(/.test(item.text),
    )
  );
}

/** A script inside `$(...)` or `<(...)`: a child shell, so its `cd` and assignments end with it. */
export function readChildScript(walk: Walk, script: ParsedScript): void {
  restoring(walk, ["certain", "directories", "compound", "settled", "inQuotes"], () => {
    walk.certain = false;
    walk.inQuotes = false;
    walk.compound ||=
      walk.nesting > 1 || script.commands.length > 1 || script.commands[0]?.command.type !== "Command";
    readScript(walk, script);
  });
}

function readStatement(walk: Walk, statement: Statement): void {
  const { command } = statement;
  if (!statement.background) readNode(walk, command);
  else if (walk.zsh && command.type === "AndOr") {
    // Of `cd x && ls &` zsh leaves only the last command to the background.
    const { directories } = walk;
    uncertainly(walk, false, () => readNode(walk, command));
    if (walk.directories !== directories) walk.directories = UNKNOWN_DIRECTORY;
  } else uncertainly(walk, true, () => readNode(walk, command));
}

export function readNode(walk: Walk, node: PipelineNode | AndOr): void {
  if (node.type === "AndOr") readAndOr(walk, node);
  else if (node.type === "Pipeline") readPipeline(walk, node);
  else readCommandNode(walk, node);
}

export function readCommandNode(walk: Walk, node: CommandNode): void {
  switch (node.type) {
    case "Command":
      readCommand(walk, node);
      return;
    case "Redirected": {
      const firstRedirect = walk.redirects.length;
      const { settled, fed } = walk;
      const isFed = feeds(node.redirects);
      readRedirects(walk, node.redirects);
      walk.fed ||= isFed;
      const firstCommand = walk.commands.length;
      readCommandNode(walk, node.command);
      // `while read x; do ... done < file`: the first command inside is the one that it is for.
      giveReads(walk, firstRedirect, walk.commands[firstCommand]);
      if (isFed) walk.fed = fed;
      // Where a redirect fails, nothing of it runs.
      walk.settled = settled;
      return;
    }
    case "Subshell":
      uncertainly(walk, true, () => readList(walk, node.body));
      return;
    case "BraceGroup":
      readList(walk, node.body);
      return;
    case "If": {
      const before = walk.directories;
      readList(walk, node.clause);
      if (walk.directories !== before) walk.directories = eitherDirectory(before, walk.directories);
      uncertainly(walk, false, () => readList(walk, node.then));
      for (const branch of node.elif) {
        uncertainly(walk, false, () => {
          readList(walk, branch.clause);
          readList(walk, branch.then);
        });
      }
      if (node.else !== undefined) {
        const otherwise = node.else;
        uncertainly(walk, false, () => readList(walk, otherwise));
      }
      return;
    }
    case "While":
      readLoop(walk, () => {
        readList(walk, node.clause);
        readList(walk, node.body);
      });
      return;
    case "For":
    case "Select": {
      const { settled } = walk;
      const loop = readNames(walk, node.name, node.wordlist);
      const body = () => readLoop(walk, () => readList(walk, node.body));
      if (loop === undefined || node.type === "Select") body();
      else withLoop(walk, loop, body);
      // A loop over no words sets nothing.
      walk.settled = settled;
      return;
    }
    case "ArithmeticFor":
      readOptional(walk, node.initialize);
      readLoop(walk, () => {
        readOptional(walk, node.test);
        readOptional(walk, node.update);
        readList(walk, node.body);
      });
      return;
    case "Case":
      scanWord(walk, node.word);
      for (const item of node.items) {
        for (const pattern of item.pattern) scanWord(walk, pattern);
        uncertainly(walk, false, () => readList(walk, item.body));
      }
      return;
    case "TestCommand":
      if (walk.posix) markOpaque(walk, "sh does not know [[; write [ instead", "");
      readTest(walk, node.expression);
      return;
    case "ArithmeticCommand":
      if (walk.posix) markOpaque(walk, "(( means something else in sh; write $((...)) instead", node.body);
      if (node.expression === undefined) markOpaque(walk, "its arithmetic cannot be read", node.body);
      else readArithmetic(walk, node.expression);
      return;
    case "Function":
      readFunction(walk, node.name, node.body);
      return;
    case "Coproc":
      markOpaque(walk, "coproc starts a program beside the line; write a pipe instead", "");
      if (node.name !== undefined) scanWord(walk, node.name);
      uncertainly(walk, true, () => {
        if (node.body.type === "CompoundList") readList(walk, node.body);
        else readCommandNode(walk, node.body);
      });
      return;
    default:
      markOpaque(walk, "it uses syntax that is not read here", String((node as { type: string }).type));
  }
}

function readList(walk: Walk, list: CompoundList): void {
  readStatements(walk, list.commands);
}

function readLoop(walk: Walk, read: () => void): void {
  forgetValues(walk);
  const before = walk.directories;
  const { fed } = walk;
  uncertainly(walk, false, read);
  // Its first commands were judged as they are in the first round.
  if (walk.fed !== fed) markOpaque(walk, "a loop changes where its input comes from", "");
  if (walk.directories === before) return;
  // The next round starts elsewhere, but its commands were judged only where the first one started.
  markOpaque(walk, "a loop changes the folder; write paths instead of cd", "");
  walk.directories = UNKNOWN_DIRECTORY;
}

function readOptional(walk: Walk, expression: ArithmeticExpression | undefined): void {
  if (expression !== undefined) readArithmetic(walk, expression);
}

function readNames(walk: Walk, name: Word, words: readonly Word[] | undefined): Loop | undefined {
  const args: Arg[] = [];
  for (const word of words ?? []) addArgs(walk, word, args);
  const numbers = words !== undefined && args.every(isNumber);
  assign(walk, name.text, numbers ? NUMBER : ANYTHING, name.text);
  return words === undefined ? undefined : knownLoop(walk, name.text, words, args);
}

function readFunction(walk: Walk, name: Word, body: CommandNode | CompoundList): void {
  const text = resolveValue(walk, name).text;
  if (walk.parts.isKnownName(text))
    markOpaque(walk, `a function of this line takes the place of ${text}; give it another name`, text);
  walk.functions ??= new Set();
  walk.functions.add(text);
  forgetValues(walk);
  // It runs when it is called, perhaps after the loops around it.
  withLoop(walk, undefined, () =>
    uncertainly(walk, false, () => {
      if (body.type === "CompoundList") readList(walk, body);
      else readCommandNode(walk, body);
    }),
  );
}
