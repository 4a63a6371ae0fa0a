/** Walks the syntax tree of a template, refuses what is not plain POSIX sh, and lists its commands. */

import { forEachChild, type ParsedScript, type SyntaxNode, type Word } from "unbash";
import { wordSet } from "../../core/text/words.ts";
import type { Placeholder } from "./placeholders.ts";
import { type TemplateWord, toTemplateWord } from "./words.ts";

export interface TemplateCommand {
  /** Name and arguments. */
  readonly words: readonly TemplateWord[];
  readonly fed: Feeding;
  /** Inside `$(...)` or backticks: its output becomes part of another command. */
  readonly substituted: boolean;
}

/** What an earlier stage of the pipeline sends: nothing, output that depends on a value, or a value. */
export type Feeding = "nothing" | "output" | "value";

export interface WalkedTemplate {
  readonly commands: readonly TemplateCommand[];
  readonly errors: readonly string[];
}

/** Syntax of bash that another `sh` reads differently: there a word could be something else than we think. */
const NOT_POSIX: Readonly<Record<string, string>> = {
  AnsiCQuoted: "$'...'",
  LocaleString: '$"..."',
  ProcessSubstitution: "<(...)",
  ExtendedGlob: "an extended glob",
  TestCommand: "[[ ... ]]",
  ArithmeticCommand: "((...))",
  ArithmeticFor: "for ((...))",
  Select: "select",
  Coproc: "coproc",
  HereString: "<<<",
  ArrayValue: "an array",
  FileDescriptorVariable: "{name}> redirects",
  Time: "time",
};

const UNDERSTOOD = wordSet(
  "Script Statement CompoundList CaseItem Elif Command If For While Subshell BraceGroup Case Redirected Pipeline AndOr Negation Word Literal Glob SingleQuoted DoubleQuoted SimpleExpansion ParameterExpansion CommandExpansion ArithmeticExpansion BraceExpansion Assignment Redirect HereDoc FileDescriptor HereDocDelimiter HereDocBody Default Remove ArithmeticBinary ArithmeticUnary ArithmeticTernary ArithmeticGroup ArithmeticWord ArithmeticCommandExpansion",
);

const PRINTERS = wordSet("echo printf basename dirname realpath readlink expr seq yes");

const POSITIONAL = /^(\d+|[@*#_])$/;

export function walkTemplate(
  script: ParsedScript,
  source: string,
  placeholders: readonly Placeholder[],
): WalkedTemplate {
  const commands: TemplateCommand[] = [];
  const errors = new Set<string>();
  const visit = (node: SyntaxNode, place: { fed: Feeding; substituted: boolean }): void => {
    const problem = findProblem(node, source);
    if (problem !== undefined) errors.add(withNames(problem, placeholders));
    if (node.type === "Command") {
      const words = [node.name, ...node.args].filter((word): word is Word => word?.type === "Word");
      commands.push({ words: words.map((word) => toTemplateWord(word, placeholders)), ...place });
    }
    if (node.type === "Pipeline") {
      let fed = place.fed;
      for (const stage of node.commands) {
        visit(stage, { ...place, fed });
        if (holds(stage, placeholders) && fed !== "value") fed = printsArguments(stage) ? "value" : "output";
      }
      for (const prefix of node.prefixes) visit(prefix, place);
      return;
    }
    const substituted = place.substituted || node.type.includes("CommandExpansion");
    forEachChild(node, (child) => visit(child, { ...place, substituted }));
  };
  visit(script, { fed: "nothing", substituted: false });
  return { commands, errors: [...errors] };
}

/** For the message: the construct around a placeholder that is not simply an argument. */
export function describePlace(script: ParsedScript, placeholder: Placeholder): string {
  const names: Readonly<Record<string, string>> = {
    Redirect: "the target of a redirect",
    Assignment: "an assignment",
    ArithmeticExpansion: "arithmetic",
    HereDocBody: "a here-document",
    CommandExpansion: "a command substitution",
    ParameterExpansion: "a variable expansion",
    SimpleExpansion: "a variable name",
    BraceExpansion: "a brace expansion",
    Glob: "a glob",
    For: "the list of a loop",
    Case: "a case",
  };
  let found: string | undefined;
  const visit = (node: SyntaxNode): void => {
    // No short cut by position: the body of a here-document lies outside of the command it belongs to.
    if (holds(node, [placeholder])) found = names[node.type] ?? found;
    forEachChild(node, visit);
  };
  visit(script);
  return found ?? "a comment or another place that is no argument";
}

function findProblem(node: SyntaxNode, source: string): string | undefined {
  const text = "pos" in node ? source.slice(node.pos, node.end) : "";
  const bash = NOT_POSIX[node.type];
  if (bash !== undefined)
    return `${bash} is not POSIX sh (${clip(text)}); templates are run by sh, so write it another way.`;
  if (node.type === "Function")
    return `Functions (${clip(text)}) have arguments of their own; write the commands directly.`;
  if (!UNDERSTOOD.has(node.type))
    return `toolgate does not understand ${clip(text)} (${node.type}); write it more simply.`;
  switch (node.type) {
    case "Script":
      return node.errors?.[0] === undefined ? undefined : `Not valid shell text: ${node.errors[0].message}.`;
    case "SimpleExpansion":
      return POSITIONAL.test(node.text.slice(1)) ? positional(text) : undefined;
    case "ParameterExpansion":
      if (POSITIONAL.test(node.parameter) || node.prefix === "!") return positional(text);
      return /['"`\\]/.test(text)
        ? `Quotes inside ${clip(text)} are read differently by different shells; set a variable first.`
        : undefined;
    case "ArithmeticExpansion":
      return /\$\{?[\d@*#]/.test(text) ? positional(text) : undefined;
    case "CommandExpansion":
      return text.startsWith("`") && /['"\\]/.test(text)
        ? `Quotes inside backticks (${clip(text)}); write $(...) instead.`
        : undefined;
    case "For":
      return node.wordlist === undefined ? positional(`for ${node.name.text}`) : undefined;
    case "Assignment":
      return node.append || node.index !== undefined
        ? `${clip(text)} is not POSIX sh; write name=value.`
        : undefined;
    case "Pipeline":
      return node.operators.includes("|&") ? "|& is not POSIX sh; write 2>&1 |." : undefined;
    case "CaseItem":
      return node.terminator !== undefined && node.terminator !== ";;"
        ? `${node.terminator} is not POSIX sh.`
        : undefined;
    case "Redirect":
      if (node.operator.startsWith("&")) return `${node.operator} is not POSIX sh; write >file 2>&1.`;
      return node.operator.endsWith("&") && !/^(\d+|-)$/.test(node.target?.text ?? "")
        ? `${clip(text)} is not POSIX sh; write >file 2>&1.`
        : undefined;
    case "HereDoc":
      return /^(\w+|'\w+'|"\w+")$/.test(node.delimiter?.text ?? "")
        ? undefined
        : "Use a plain word as the end of a here-document.";
    default:
      return undefined;
  }
}

function printsArguments(stage: SyntaxNode): boolean {
  return stage.type !== "Command" || PRINTERS.has(stage.name?.value ?? "");
}

/** The author knows `{{name}}`, not the word that stands for it. */
function withNames(message: string, placeholders: readonly Placeholder[]): string {
  return placeholders.reduce((text, { token, name }) => text.replaceAll(token, `{{${name}}}`), message);
}

function positional(text: string): string {
  return `${clip(text)} reads the values as the shell's own arguments; write {{name}} where a value belongs.`;
}

function holds(node: SyntaxNode, placeholders: readonly Placeholder[]): boolean {
  if (!("pos" in node)) return false;
  return placeholders.some(({ pos }) => pos >= node.pos && pos < node.end);
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
