/** Compiles a plugin's shell template: a value is only ever one argument, never text for a shell. */

import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";
import { quietly } from "../../core/run/quietly.ts";
import { bindValues, findWrongDefaults, type TemplateProgram } from "./bind-values.ts";
import { findCodeArgument } from "./code-arguments.ts";
import { markPlaceholders } from "./placeholders.ts";
import { renderScript } from "./render.ts";
import { describePlace, walkTemplate } from "./walk.ts";
import { type Hole, holesOf, prefixOf, type TemplateWord } from "./words.ts";

const MAX_TEMPLATE_CHARACTERS = 10_000;

export interface TemplateProperty {
  readonly required: boolean;
  readonly default?: unknown;
  /** The value may start with a dash, that is, be an option. */
  readonly allowDash?: boolean;
}

export type TemplateProperties = Readonly<Record<string, TemplateProperty>>;

export type BoundTemplate =
  | {
      readonly ok: true;
      readonly command: "sh";
      /** `-c`, the script, a name, and the values: they never become part of the script. */
      readonly args: readonly string[];
      /** The same with the values written out and quoted: for rules and people to read, never to run. */
      readonly line: string;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

export type CompiledTemplate =
  | {
      readonly ok: true;
      readonly bind: (values: Readonly<Record<string, unknown>>) => BoundTemplate;
      /** The placeholders, each once. */
      readonly names: readonly string[];
      /** Every shell reads it in the same way. False only without placeholders, where anything goes. */
      readonly portable: boolean;
    }
  | { readonly ok: false; readonly errors: readonly string[] };

export function compileTemplate(template: string, properties: TemplateProperties): CompiledTemplate {
  const unreadable = findUnreadable(template);
  if (unreadable !== undefined) return { ok: false, errors: [unreadable] };
  const marked = markPlaceholders(template, new Set(Object.keys(properties)));
  if (!marked.ok) return marked;
  const { text, placeholders } = marked;
  const script = parseText(text);
  if (script === undefined)
    return { ok: false, errors: ["The template is nested too deeply; put the work into a script."] };

  const { commands, errors } = walkTemplate(script, text, placeholders);
  // Without values there is nothing to protect: the author may write whatever sh understands.
  if (placeholders.length === 0) {
    const invalid = (script.errors ?? []).map((error) => `Not valid shell text: ${error.message}.`);
    if (invalid.length > 0) return { ok: false, errors: invalid };
    const program = { text, holes: [], argumentLists: [], names: [], properties };
    return toCompiled(program, errors.length === 0);
  }
  const problems = [...errors];
  const dashes = new Set(Object.keys(properties).filter((name) => properties[name]?.allowDash));
  const holes: Hole[] = [];
  const argumentLists: (readonly TemplateWord[])[] = [];
  for (const command of commands) {
    const problem = findCodeArgument(command.words, { fed: command.fed, dashes });
    if (problem !== undefined) problems.push(`Refused: ${problem}.`);
    // The output of `$(...)` can become a command; whether it does is not worth guessing.
    if (command.substituted) continue;
    argumentLists.push(command.words.slice(1));
    holes.push(...command.words.flatMap(holesOf));
  }
  for (const placeholder of placeholders) {
    if (holes.some((hole) => hole.placeholder === placeholder)) continue;
    const place = describePlace(script, placeholder);
    problems.push(
      `Refused: {{${placeholder.name}}} stands in ${place}; a value can only be an argument of a command.`,
    );
  }
  problems.push(...holes.flatMap((hole) => findEscaped(text, hole)));
  problems.push(...argumentLists.flat().flatMap((word) => findOpenOption(word, properties)));
  const names = [...new Set(placeholders.map((placeholder) => placeholder.name))];
  problems.push(...findWrongDefaults(names, properties));
  if (problems.length > 0) return { ok: false, errors: [...new Set(problems)] };

  const program = { text, holes, argumentLists, names, properties };
  return isWellSpliced(program)
    ? toCompiled(program, true)
    : { ok: false, errors: ["The values cannot be placed safely; write the template more simply."] };
}

function toCompiled(program: TemplateProgram, portable: boolean): CompiledTemplate {
  return { ok: true, bind: (values) => bindValues(program, values), names: program.names, portable };
}

function findUnreadable(template: string): string | undefined {
  if (template.trim() === "") return "The template is empty; write the command to run.";
  if (template.length > MAX_TEMPLATE_CHARACTERS) {
    return `The template has ${template.length} characters, the limit is ${MAX_TEMPLATE_CHARACTERS}; put the work into a script.`;
  }
  const control = [...template].some(
    (character) => character !== "\n" && character !== "\t" && character < " ",
  );
  return control || template.includes("\x7f")
    ? "The template holds control characters; remove them."
    : undefined;
}

/** `\{{x}}` would escape our own quote and let the value out of it. */
function findEscaped(text: string, hole: Hole): string[] {
  const { name, pos } = hole.placeholder;
  if (hole.quoting === "single" || text[pos - 1] !== "\\") return [];
  return [
    `Refused: a backslash stands directly before {{${name}}}; put the placeholder or the backslash into single quotes.`,
  ];
}

/** In `--{{x}}` the value itself would choose the option. */
function findOpenOption(word: TemplateWord, properties: TemplateProperties): string[] {
  const [first] = holesOf(word);
  if (first === undefined || prefixOf(word) !== "--" || properties[first.placeholder.name]?.allowDash)
    return [];
  return [
    `Refused: the value of {{${first.placeholder.name}}} would choose the option; write the option's name, or set allowDash.`,
  ];
}

/** Reads the finished script once more: every value must be found again as a quoted argument. */
function isWellSpliced(program: TemplateProgram): boolean {
  const script = parseText(renderScript(program, []));
  if (script === undefined) return false;
  let quoted = 0;
  let sound = true;
  const visit = (node: SyntaxNode, inQuotes: boolean): void => {
    if (node.type === "Script" && (node.errors ?? []).length > 0) sound = false;
    if (node.type === "ParameterExpansion" && /^\d+$/.test(node.parameter)) {
      if (inQuotes) quoted++;
      else sound = false;
    }
    forEachChild(node, (child) => visit(child, node.type === "DoubleQuoted"));
  };
  visit(script, false);
  return sound && quoted === program.holes.length;
}

/** Undefined: it is nested too deeply for the parser. */
function parseText(text: string): ParsedScript | undefined {
  return quietly(() => parse(text));
}
