/** Makes arguments of words: quotes removed, known values put in, commands inside them found. */

import type { LiteralPart, ProcessSubstitutionPart, Word, WordPart } from "unbash";
import { type Arg, GLOB, LITERAL, literalArg, MANY, ONE, unknownArg } from "../arg.ts";
import { readChildScript } from "../statements.ts";
import { MAX_NESTING, markOpaque, type Walk } from "../walk.ts";
import { expandBraces, isPlainList } from "./braces.ts";
import { addExpansion, addUnknown, expandTilde } from "./expansions.ts";
import { bareArg, HIDDEN_OPERATOR, isPlain, simplyQuoted } from "./plain-words.ts";
import { checkQuotedForZsh, meansTheSameInZsh } from "./zsh.ts";

/** Adds the argument (after brace expansion: the arguments) that a word of a command stands for. */
export function addArgs(walk: Walk, word: Word, args: Arg[]): void {
  const text = word.text;
  if (walk.zsh && !meansTheSameInZsh(walk, word) && !(args[0]?.text === "git" && REVISION.test(text))) {
    resolveParts(walk, word);
    args.push({ ...unknownArg(text, ONE), prefix: /^[\w./@]*/.exec(text)?.[0] ?? "" });
    return;
  }
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
  if (parts.some((part) => part.type === "BraceExpansion")) {
    if (walk.posix) markOpaque(walk, "sh does not expand braces; write the words out", text);
    if (walk.zsh && /\{,|,,|,\}/.test(text))
      markOpaque(walk, "zsh and bash make different words of {,a}; write the words out", text);
    const words = expandBraces(parts);
    if (words !== undefined) {
      args.push(...words.map(literalArg));
      return;
    }
  }
  args.push(joinParts(walk, parts, true));
}

/** The value of an assignment, a here-string, a `case` word: no splitting, no file names, no braces. */
export function resolveValue(walk: Walk, word: Word): Arg {
  if (walk.zsh && !meansTheSameInZsh(walk, word)) {
    resolveParts(walk, word);
    return unknownArg(word.text, ONE);
  }
  return resolveParts(walk, word);
}

function resolveParts(walk: Walk, word: Word): Arg {
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
  for (const [index, part] of parts.entries())
    addPart(walk, arg, part, { splits, first: index === 0, alone: parts.length === 1 });
  if (arg.kind === LITERAL) arg.prefix = arg.text;
  if (arg.pathless && !standAlone(parts)) arg.pathless = false;
  return arg;
}

/** `$?` is a number, but `$?/../x` is a path. */
function standAlone(parts: readonly WordPart[]): boolean {
  const [only] = parts;
  return parts.length === 1 && (only?.type !== "DoubleQuoted" || only.parts.length === 1);
}

interface PartPlace {
  /** The word is split, and its patterns stand for file names. */
  readonly splits: boolean;
  /** In its word. */
  readonly first: boolean;
  readonly alone: boolean;
}

function addPart(walk: Walk, arg: Arg, part: WordPart, { splits, first, alone }: PartPlace): void {
  switch (part.type) {
    case "Literal":
      // `~"x"` is a file called `~x`, or so.
      if (first && part.text === "~" && !alone) addUnknown(arg, "~", ONE);
      else addLiteral(walk, arg, part, first);
      return;
    case "SingleQuoted":
      arg.text += part.value;
      break;
    case "AnsiCQuoted":
      // NUL ends the string in bash, other controls are its markers, and these escapes differ by version.
      if (CONTROL.test(part.value) || part.text.replace(KNOWN_ESCAPES, "").includes("\\"))
        markOpaque(walk, "a $'...' text has an unusual escape; write the character itself", part.text);
      if (walk.posix) markOpaque(walk, "sh does not know $'...'; write plain quotes", part.text);
      arg.text += part.value;
      break;
    case "DoubleQuoted":
      addQuotedParts(walk, arg, part.parts);
      break;
    case "LocaleString":
      addQuotedParts(walk, arg, part.parts);
      markOpaque(walk, 'a $"..." text is translated before it is used; write "..." instead', part.text);
      break;
    case "Glob":
      if (part.kind === "bracket") for (const child of part.parts) addInside(walk, child);
      if (splits) addUnknown(arg, part.text, GLOB);
      else arg.text += part.value;
      return;
    case "ExtendedGlob":
      for (const child of part.parts ?? []) addInside(walk, child);
      markOpaque(walk, "patterns such as @(a|b) are not read here; write the names out", part.text);
      addUnknown(arg, part.text, MANY);
      return;
    case "BraceExpansion":
      for (const child of part.parts ?? []) addInside(walk, child);
      if (!isPlainList(part))
        markOpaque(
          walk,
          "braces that hold more than a plain list are not read here; write the words out",
          part.text,
        );
      addUnknown(arg, part.text, MANY);
      return;
    case "ProcessSubstitution":
      readProcess(walk, part);
      if (walk.posix) markOpaque(walk, "sh does not know <(...); write a pipe instead", part.text);
      if (arg.text === "" && arg.kind === LITERAL) {
        arg.text = part.text;
        arg.kind = ONE;
        arg.prefix = "/dev/fd/";
        arg.pathless = true;
        return;
      }
      addUnknown(arg, part.text, ONE);
      return;
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      addExpansion(walk, arg, part, !splits);
      return;
    default:
      markOpaque(walk, "a part of a word is not read here", String((part as { type: string }).type));
      addUnknown(arg, "", MANY);
  }
}

function readProcess(walk: Walk, part: ProcessSubstitutionPart): void {
  if (walk.nesting >= MAX_NESTING || part.script === undefined) {
    markOpaque(walk, "the command in <(...) cannot be read", part.text);
    return;
  }
  walk.nesting++;
  readChildScript(walk, part.script);
  walk.nesting--;
}

/** What stands in double quotes or a here-document: no word is split, and `'` is a plain character. */
export function addQuotedParts(walk: Walk, arg: Arg, parts: readonly WordPart[]): void {
  const { inQuotes } = walk;
  walk.inQuotes = true;
  if (walk.zsh) checkQuotedForZsh(walk, parts);
  for (const part of parts) addQuoted(walk, arg, part);
  walk.inQuotes = inQuotes;
}

function addQuoted(walk: Walk, arg: Arg, part: WordPart): void {
  switch (part.type) {
    case "Literal":
      if (OPENS_EXPANSION.test(part.text) && OPENS_EXPANSION.test(part.text.replace(/\\[\s\S]/g, "")))
        markOpaque(walk, "an expansion is written in a form that is not read here", part.text);
      arg.text += part.value;
      return;
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      addExpansion(walk, arg, part, true);
      return;
    default:
      markOpaque(walk, "a part of a text in quotes is not read here", part.text);
  }
}

/** Parts inside a pattern or brace: only the commands in them matter. */
function addInside(walk: Walk, part: WordPart): void {
  addPart(walk, literalArg(""), part, { splits: false, first: false, alone: true });
}

function addLiteral(walk: Walk, arg: Arg, { text, value }: LiteralPart, first: boolean): void {
  if (OPERATORS.test(text) && OPERATORS.test(text.replace(/\\[\s\S]/g, "")))
    markOpaque(walk, HIDDEN_OPERATOR, text);
  // `{a,$x}` and its like: braces that the parser left alone but the shell may still expand.
  if (/(?<!\\)\{/.test(text) && /,|\.\./.test(text))
    markOpaque(walk, "braces in a word may expand; put them into quotes, or write the words out", text);
  if (first && text.charCodeAt(0) === 126) expandTilde(walk, arg, text, value);
  else if (/[=:]~/.test(text)) addUnknown(arg, text, ONE);
  else arg.text += value;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const CONTROL = /[\0-\x08\x0b-\x1a\x1c-\x1f\x7f]/;
const KNOWN_ESCAPES = /\\(?:[abeEfnrtv\\'"?0-7]|x[0-9a-fA-F])/g;
const OPERATORS = /[&()<>;|]/;
/** `HEAD~1`, which is a pattern to a zsh with extended patterns, but hardly ever finds a file. */
const REVISION = /^(?:@|[A-Za-z][\w/-]*)(?:[~^]\d*)+(?::[\w./-]*)?$/;
const OPENS_EXPANSION = /`|\$[({[]/;
