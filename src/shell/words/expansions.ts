/** `$x`, `${x...}`, `$(...)`, `$((...))` and `~`: what is known of the result, what they run or change. */

import type {
  ArithmeticExpansionPart,
  CommandExpansionPart,
  ParameterExpansionPart,
  ParameterOperation,
  Redirection,
  Script,
  SimpleExpansionPart,
} from "unbash";
import { type Arg, isNumber, LITERAL, MANY, ONE, UNKNOWN_NUMBER } from "../arg.ts";
import { resolvePaths } from "../paths.ts";
import { readRedirect } from "../redirects.ts";
import { readChildScript } from "../statements.ts";
import { ANYTHING, isSettled, MAX_NESTING, markOpaque, NUMBER, type Walk } from "../walk.ts";
import { readArithmetic, readArithmeticWord } from "./arithmetic.ts";
import { printsNumber, printsNumbers } from "./prints-number.ts";
import { assignMaybe, isKnownNumber } from "./variables.ts";
import { resolveValue, scanWord } from "./words.ts";

type Expansion =
  | SimpleExpansionPart
  | ParameterExpansionPart
  | CommandExpansionPart
  | ArithmeticExpansionPart;

export function addExpansion(walk: Walk, arg: Arg, part: Expansion, quoted: boolean): void {
  if (walk.nesting >= MAX_NESTING) {
    markOpaque(walk, "substitutions are nested too deeply; split the line", part.text);
    addUnknown(arg, "", MANY);
    return;
  }
  walk.nesting++;
  readExpansion(walk, arg, part, quoted);
  walk.nesting--;
}

function readExpansion(walk: Walk, arg: Arg, part: Expansion, quoted: boolean): void {
  switch (part.type) {
    case "SimpleExpansion":
      addVariable(walk, arg, { text: part.text, name: part.text.slice(1), quoted });
      return;
    case "ParameterExpansion":
      addParameter(walk, arg, part, quoted);
      return;
    case "CommandExpansion": {
      readCommandExpansion(walk, part);
      if (part.script !== undefined && printsNumber(part.script)) addNumber(arg, part.text, ONE);
      else if (part.script !== undefined && printsNumbers(part.script)) addNumber(arg, part.text, MANY);
      else if (PRINTS_DIRECTORY.test(part.text)) addDirectory(walk, arg, part.text, quoted);
      else addUnknown(arg, part.text, quoted ? ONE : MANY);
      return;
    }
    case "ArithmeticExpansion":
      readArithmeticExpansion(walk, part);
      addNumber(arg, part.text, ONE);
      return;
  }
}

export function readCommandExpansion(walk: Walk, part: CommandExpansionPart): void {
  if (part.text.startsWith("${"))
    markOpaque(walk, "only newer shells know this substitution; write $(...)", part.text);
  // Inside backticks a backslash is read twice.
  if (part.text.charCodeAt(0) === 96 && part.text.includes("\\")) {
    markOpaque(walk, "backslashes in backticks are read twice; write $(...)", part.text);
  }
  if (part.script === undefined) markOpaque(walk, "the command in $(...) cannot be read", part.text);
  else {
    const content = walk.zsh ? fileContent(part.script) : undefined;
    if (content === undefined) readChildScript(walk, part.script);
    else readRedirect(walk, content);
  }
}

/** The redirect of `$(< file)`, which is no command. */
function fileContent({ commands }: Script): Redirection | undefined {
  const only = commands[0]?.command;
  if (commands.length !== 1 || only?.type !== "Command" || only.name !== undefined) return undefined;
  const [redirect] = only.redirects;
  return only.prefix.length === 1 && redirect?.type === "Redirect" && redirect.operator === "<"
    ? redirect
    : undefined;
}

export function readArithmeticExpansion(walk: Walk, part: ArithmeticExpansionPart): void {
  // `${x:-$((y=1))}` and the like: what it assigns may not happen.
  const { settled } = walk;
  if (part.text.startsWith("$["))
    markOpaque(walk, "$[...] is not read the same way everywhere; write $((...))", part.text);
  if (part.expression === undefined) {
    if (!/^\$\(\(\s*\)\)$/.test(part.text)) markOpaque(walk, "its arithmetic cannot be read", part.text);
  } else readArithmetic(walk, part.expression);
  walk.settled = settled;
}

/** With `names` the text comes from these variables of the environment; without, anybody chose it. */
export function addUnknown(arg: Arg, text: string, kind: number, names?: readonly string[]): void {
  if (arg.kind === LITERAL) arg.prefix = arg.text;
  arg.slots = undefined;
  arg.text += text;
  if (kind > arg.kind) arg.kind = kind;
  if (names === undefined) arg.tainted = true;
  else arg.names = [...(arg.names ?? []), ...names];
  arg.pathless = false;
}

function addNumber(arg: Arg, text: string, kind: number): void {
  const alone = arg.kind === LITERAL && arg.text === "";
  if (arg.kind === LITERAL) {
    arg.prefix = alone ? UNKNOWN_NUMBER : arg.text;
    arg.pathless = alone;
  }
  if (kind > arg.kind) arg.kind = kind;
  arg.slots = undefined;
  arg.text += text;
}

export function expandTilde(walk: Walk, arg: Arg, text: string, value: string): void {
  if (text === "~" || text.startsWith("~/")) {
    const home = walk.context.home ?? "~";
    arg.text += home + value.slice(1);
  } else addUnknown(arg, text, ONE);
}

interface Variable {
  /** As written. */
  readonly text: string;
  readonly name: string;
  readonly quoted: boolean;
}

function addVariable(walk: Walk, arg: Arg, variable: Variable): void {
  const loop = walk.loops?.get(variable.name);
  const slots = arg.kind === LITERAL ? [] : arg.slots;
  const start = arg.text.length;
  addValue(walk, arg, variable);
  if (loop === undefined || slots === undefined) return;
  arg.slots = [...slots, { start, end: arg.text.length, loop, quoted: variable.quoted }];
}

const PRINTS_DIRECTORY = /^(?:\$\( *pwd *\)|`pwd`)$/;

/** `$(pwd)` where it is known. */
function addDirectory(walk: Walk, arg: Arg, text: string, quoted: boolean): void {
  const [only, ...others] = walk.directories;
  const here = only === null || others.length > 0 ? undefined : resolvePaths(walk, ".")[0];
  const path = only === "" ? walk.context.cwd : here?.replace(/\/\.$/, "");
  const isOneWord = quoted || (path !== undefined && ONE_PLAIN_WORD.test(path));
  if (path?.startsWith("/") === true && isOneWord) arg.text += path;
  else addUnknown(arg, text, quoted ? ONE : MANY);
}

const ONE_PLAIN_WORD = /^[\w./:@%+,=~-]+$/;

function addValue(walk: Walk, arg: Arg, { text, name, quoted }: Variable): void {
  const value = lookUp(walk, name);
  if (value === undefined) addUnknown(arg, text, quoted ? ONE : MANY, [name]);
  else if (value === NUMBER) addNumber(arg, text, ONE);
  else if (value === ANYTHING) addUnknown(arg, text, quoted && name !== "@" ? ONE : MANY);
  else if (quoted || ONE_PLAIN_WORD.test(value)) arg.text += value;
  else addUnknown(arg, text, MANY);
}

/** `undefined` means: whatever the environment holds. */
function lookUp(walk: Walk, name: string): string | typeof ANYTHING | typeof NUMBER | undefined {
  if (/^[?#$!]$/.test(name)) return NUMBER;
  if (/^[0-9@*_-]/.test(name) && !/^_\w/.test(name)) return ANYTHING;
  const known = walk.values?.get(name);
  // A number that is only set sometimes: else it is what the environment holds.
  if (known === NUMBER) return isKnownNumber(walk, name) ? NUMBER : undefined;
  // A text that is set unless something fails before.
  if (known !== undefined) return isSettled(walk, name) ? known : ANYTHING;
  if (name === "HOME") return walk.context.home ?? "~";
  if (name === "PWD" && walk.directories.length === 1 && walk.directories[0] === "") return walk.context.cwd;
  if (isKnownNumber(walk, name)) return NUMBER;
  if (name === "OLDPWD" || name === "REPLY" || name === "PWD" || name === "OPTARG") return ANYTHING;
  return undefined;
}

function addParameter(walk: Walk, arg: Arg, part: ParameterExpansionPart, quoted: boolean): void {
  if (part.prefix === "!") {
    markOpaque(
      walk,
      "it is only known when it runs which variable is meant; name the variable itself",
      part.text,
    );
    addUnknown(arg, part.text, MANY);
  }
  if (part.parameter === "")
    markOpaque(walk, "an expansion is written in a form that is not read here", part.text);
  let many = false;
  if (part.index !== undefined) {
    many = part.index.text === "@" || part.index.text === "*";
    if (!many) readArithmeticWord(walk, part.index);
  }
  if (part.operation !== undefined) {
    // Whether quotes quote there, and so where it ends, depends on the operator, the place and the shell.
    if ((walk.inQuotes || walk.zsh) && !walk.parts.isPlainOperand(part.operation))
      markOpaque(
        walk,
        "there are quotes inside of an expansion that stands in quotes; leave one pair out",
        part.text,
      );
    readOperation(walk, part, part.operation);
  }
  if (part.prefix === "!") return;
  if (part.prefix === "#") {
    addNumber(arg, part.text, ONE);
    return;
  }
  if (part.index === undefined && part.operation === undefined) {
    addVariable(walk, arg, { text: part.text, name: part.parameter, quoted });
    return;
  }
  const from = lookUp(walk, part.parameter);
  const tainted = from !== undefined || part.index !== undefined || !isPlainDefault(part.operation);
  addUnknown(arg, part.text, quoted && !many ? ONE : MANY, tainted ? undefined : [part.parameter]);
}

/** `${x:-./y}`: a plain word that is no option was chosen by nobody else. */
function isPlainDefault(operation: ParameterOperation | undefined): boolean {
  return operation?.type === "Default" && /^(?!-)[\w./-]*$/.test(operation.operand.text);
}

function readOperation(walk: Walk, part: ParameterExpansionPart, operation: ParameterOperation): void {
  switch (operation.type) {
    case "Default": {
      const value = resolveValue(walk, operation.operand);
      if (operation.operator === "=" || operation.operator === ":=") {
        assignMaybe(walk, part.parameter, isNumber(value) ? NUMBER : ANYTHING, part.text);
      }
      return;
    }
    case "Remove":
      scanWord(walk, operation.operand);
      return;
    case "Replace":
      scanWord(walk, operation.pattern);
      scanWord(walk, operation.replacement);
      return;
    case "CaseModification":
      if (operation.operand !== undefined) scanWord(walk, operation.operand);
      return;
    case "Slice":
      readArithmeticWord(walk, operation.offset);
      if (operation.length !== undefined) readArithmeticWord(walk, operation.length);
      return;
    case "Transform":
      // `@P` expands the value like a prompt, which runs the commands in it.
      if (!/^[QULu]$/.test(operation.operand.text)) {
        scanWord(walk, operation.operand);
        markOpaque(walk, "the expansion evaluates the text of the variable; write $x", part.text);
      }
      return;
    default:
      markOpaque(walk, "an expansion is written in a form that is not read here", part.text);
  }
}
