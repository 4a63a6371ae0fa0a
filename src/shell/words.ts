/** Turns the words of the syntax tree into arguments: quotes removed, known values put in, commands inside them found. */

import type { DoubleQuotedChild, ProcessSubstitutionPart, Word, WordPart } from "unbash";
import { type Arg, GLOB, LITERAL, literalArg, MANY, ONE } from "./arg.ts";
import { expandBraces, isPlainList } from "./braces.ts";
import { addExpansion, addUnknown, expandTilde } from "./expansions.ts";
import { readChildScript } from "./statements.ts";
import { MAX_NESTING, markOpaque, type Walk } from "./walk.ts";

/** Adds the argument (after brace expansion: the arguments) that a word of a command stands for. */
export function addArgs(walk: Walk, word: Word, args: Arg[]): void {
  const text = word.text;
  if (isPlain(text)) {
    args.push(literalArg(text));
    return;
  }
  const quoted = simplyQuoted(text);
  if (quoted !== undefined) {
    args.push(literalArg(quoted));
    return;
  }
  const parts = word.parts;
  if (parts === undefined) {
    args.push(bareArg(walk, word));
    return;
  }
  let braces = false;
  for (const part of parts) {
    if (part.type === "BraceExpansion") braces = true;
  }
  if (braces && walk.posix) markOpaque(walk, "braces mean something else in sh", text);
  if (braces) {
    const words = expandBraces(parts);
    if (words !== undefined) {
      for (const each of words) args.push(literalArg(each));
      return;
    }
  }
  const arg = joinParts(walk, parts, true);
  args.push(arg);
}

/** The value of an assignment, a here-string, a `case` word: no splitting, no file names, no braces. */
export function resolveValue(walk: Walk, word: Word): Arg {
  const text = word.text;
  if (isPlain(text)) return literalArg(text);
  const quoted = simplyQuoted(text);
  if (quoted !== undefined) return literalArg(quoted);
  const parts = word.parts;
  if (parts === undefined) return bareArg(walk, word);
  return joinParts(walk, parts, false);
}

/** Finds the commands inside a word whose text does not matter. */
export function scanWord(walk: Walk, word: Word): void {
  if (!isPlain(word.text) && simplyQuoted(word.text) === undefined) resolveValue(walk, word);
}

/** A pattern after `=~`, where parentheses and bars are part of the pattern. */
export function scanRegex(walk: Walk, word: Word): void {
  if (/[<>;&`]/.test(word.text)) {
    scanWord(walk, word);
    return;
  }
  const parts = word.parts;
  if (parts === undefined && /[$"']/.test(word.text.replace(/\$$|\$\)/g, ""))) scanWord(walk, word);
  for (const part of parts ?? [])
    if (part.type !== "Literal" && part.type !== "ExtendedGlob") joinParts(walk, [part], false);
  for (const part of parts ?? [])
    if (part.type === "ExtendedGlob") for (const child of part.parts ?? []) addInside(walk, child);
}

export function joinParts(walk: Walk, parts: readonly WordPart[], splits: boolean): Arg {
  const arg = literalArg("");
  arg.prefix = "";
  let first = true;
  for (const part of parts) {
    addPart(walk, arg, part, splits, first, parts.length);
    first = false;
  }
  if (arg.kind === LITERAL) arg.prefix = arg.text;
  if (arg.pathless && !standAlone(parts)) arg.pathless = false;
  return arg;
}

/** `$?` is a number, but `$?/../x` is a path. */
function standAlone(parts: readonly WordPart[]): boolean {
  const [only] = parts;
  return parts.length === 1 && (only?.type !== "DoubleQuoted" || only.parts.length === 1);
}

function addPart(walk: Walk, arg: Arg, part: WordPart, splits: boolean, first: boolean, count: number): void {
  switch (part.type) {
    case "Literal":
      // `~"x"` is a file called `~x`, or so.
      if (first && part.text === "~" && count > 1) addUnknown(arg, "~", ONE, true, undefined);
      else addLiteral(walk, arg, part.text, part.value, first);
      return;
    case "SingleQuoted":
      arg.text += part.value;
      break;
    case "AnsiCQuoted":
      // NUL ends the string in bash, other controls are markers inside it, and these escapes depend on the locale or differ between versions.
      if (CONTROL.test(part.value) || part.text.replace(KNOWN_ESCAPES, "").includes("\\"))
        markOpaque(walk, "unusual $'...' escape", part.text);
      if (walk.posix) markOpaque(walk, "$'...' means something else in sh", part.text);
      arg.text += part.value;
      break;
    case "DoubleQuoted":
      for (const child of part.parts) addQuoted(walk, arg, child);
      break;
    case "LocaleString":
      for (const child of part.parts) addQuoted(walk, arg, child);
      markOpaque(walk, 'a $"..." string is translated before it is used', part.text);
      break;
    case "Glob":
      if (part.kind === "bracket") for (const child of part.parts) addInside(walk, child);
      if (splits) addUnknown(arg, part.text, GLOB, true, undefined);
      else arg.text += part.value;
      return;
    case "ExtendedGlob":
      for (const child of part.parts ?? []) addInside(walk, child);
      markOpaque(walk, "extended pattern", part.text);
      addUnknown(arg, part.text, MANY, true, undefined);
      return;
    case "BraceExpansion":
      for (const child of part.parts ?? []) addInside(walk, child);
      if (!isPlainList(part)) markOpaque(walk, "brace expansion that is not a plain list", part.text);
      addUnknown(arg, part.text, MANY, true, undefined);
      return;
    case "ProcessSubstitution":
      readProcess(walk, part);
      if (walk.posix) markOpaque(walk, "process substitution in sh", part.text);
      if (arg.text === "" && arg.kind === LITERAL) {
        arg.text = part.text;
        arg.kind = ONE;
        arg.prefix = "/dev/fd/";
        arg.pathless = true;
        return;
      }
      addUnknown(arg, part.text, ONE, true, undefined);
      return;
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      addExpansion(walk, arg, part, !splits);
      return;
    default:
      markOpaque(walk, "a part of a word that is not understood", String((part as { type: string }).type));
      addUnknown(arg, "", MANY, true, undefined);
  }
}

function readProcess(walk: Walk, part: ProcessSubstitutionPart): void {
  if (walk.nesting >= MAX_NESTING || part.script === undefined) {
    markOpaque(walk, "process substitution that cannot be read", part.text);
    return;
  }
  walk.nesting++;
  readChildScript(walk, part.script);
  walk.nesting--;
}

function addQuoted(walk: Walk, arg: Arg, part: DoubleQuotedChild): void {
  if (part.type === "Literal") arg.text += part.value;
  else addExpansion(walk, arg, part, true);
}

/** Parts inside a pattern or brace: only the commands in them matter. */
function addInside(walk: Walk, part: WordPart): void {
  addPart(walk, literalArg(""), part, false, false, 1);
}

function addLiteral(walk: Walk, arg: Arg, text: string, value: string, first: boolean): void {
  if (OPERATORS.test(text) && OPERATORS.test(text.replace(/\\[\s\S]/g, "")))
    markOpaque(walk, HIDDEN_OPERATOR, text);
  // `{a,$x}` and its like: braces that the parser left alone but the shell may still expand.
  if (/(?<!\\)\{/.test(text) && /,|\.\./.test(text)) markOpaque(walk, "braces that may expand", text);
  if (first && text.charCodeAt(0) === 126) expandTilde(walk, arg, text, value);
  else {
    if (/[=:]~/.test(text)) addUnknown(arg, text, ONE, true, undefined);
    else arg.text += value;
  }
}

/** A word without quotes or expansions: backslashes, `~`, lone braces and brackets. */
function bareArg(walk: Walk, word: Word): Arg {
  const text = word.text;
  let glob = false;
  let brace = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 92:
        i++;
        break;
      case 42:
      case 63:
        glob = true;
        break;
      case 123:
        brace = true;
        break;
      case 38:
      case 40:
      case 41:
      case 59:
      case 60:
      case 62:
      case 124:
        // The parser takes `2>(cmd)` for plain text, the shell runs it.
        markOpaque(walk, HIDDEN_OPERATOR, text);
        break;
      case 34:
      case 36:
      case 39:
      case 96:
        // `$` alone is literal; anything else here means that the parser gave up on the word (nesting limit).
        if (text !== "$") markOpaque(walk, "a word that cannot be read", text);
        break;
    }
  }
  if (brace && /,|\.\./.test(text)) markOpaque(walk, "braces that may expand", text);
  const arg = literalArg("");
  arg.prefix = "";
  if (text.charCodeAt(0) === 126) expandTilde(walk, arg, text, word.value);
  else if (glob) addUnknown(arg, text, GLOB, true, undefined);
  else if (/[=:]~/.test(text)) addUnknown(arg, text, ONE, true, undefined);
  else arg.text = word.value;
  if (arg.kind === LITERAL) arg.prefix = arg.text;
  return arg;
}

/** `"..."` without expansions and `'...'`: the common quotes, read without asking the parser again. */
function simplyQuoted(text: string): string | undefined {
  const quote = text.charCodeAt(0);
  const last = text.length - 1;
  if (last < 1 || text.charCodeAt(last) !== quote) return undefined;
  if (quote === 39) return text.indexOf("'", 1) === last ? text.slice(1, last) : undefined;
  if (quote !== 34 || text.indexOf('"', 1) !== last) return undefined;
  return EXPANDS_IN_QUOTES.test(text) ? undefined : text.slice(1, last);
}

/** Characters that can make a word more than its text; a table, because every word is asked. */
const SPECIAL = new Uint8Array(128);
for (const char of "\\~{}$`\"'*?[]<>()!@+|&;") SPECIAL[char.charCodeAt(0)] = 1;

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (SPECIAL[text.charCodeAt(i)] === 1) return false;
  }
  return true;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const CONTROL = /[\0-\x08\x0b-\x1a\x1c-\x1f\x7f]/;
const KNOWN_ESCAPES = /\\(?:[abeEfnrtv\\'"?0-7]|x[0-9a-fA-F])/g;
const HIDDEN_OPERATOR = "an operator inside a word";
const OPERATORS = /[&()<>;|]/;
const EXPANDS_IN_QUOTES = /[\\$`]/;
