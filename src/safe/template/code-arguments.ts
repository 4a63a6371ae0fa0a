/**
 * Judges one command of a template: whether a value in it would be run instead of being handed over as data.
 */

import {
  isShell,
  namesCommand,
  type ProgramRule,
  REWRITING_BUILTINS,
  ruleFor,
  VARIABLE_BUILTINS,
} from "./known-programs.ts";
import type { Feeding } from "./walk.ts";
import { holesOf, literalOf, prefixOf, programOf, type TemplateWord } from "./words.ts";

export interface CommandContext {
  /** What may reach the command through a pipe. */
  readonly fed: Feeding;
  /** Placeholders whose values may start with a dash. */
  readonly dashes: ReadonlySet<string>;
}

/** Undefined when every value in the command is data. */
export function findCodeArgument(
  words: readonly TemplateWord[],
  context: CommandContext,
): string | undefined {
  const [name] = words;
  if (name === undefined) return undefined;
  const args = words.slice(1);
  if (hasHoles([name])) return `${shown([name])} would be the name of a command`;
  const holds = hasHoles(args);
  const fed = context.fed !== "nothing";
  const program = programOf(name);
  if (program === undefined) {
    return holds || fed ? "the command that gets it is only known when the template runs" : undefined;
  }
  const rewriting = findRewriting(program, args);
  if (rewriting !== undefined) return rewriting;
  if (!holds && !fed) return undefined;

  const rule = ruleFor(program);
  if (rule?.never !== undefined) {
    if (holds) return `${shown(args)} is an argument of ${program}: ${rule.never}`;
    return VARIABLE_BUILTINS.has(program)
      ? undefined
      : `${program} gets the value through a pipe: ${rule.never}`;
  }
  if (isShell(program) && args.some((word) => /^-[a-z]*[cs]/.test(prefixOf(word)))) {
    return `${program} runs text as a command here; the template is run by sh already, so write that command in the template itself`;
  }
  if (context.fed === "value" && /^g?xargs$/.test(program)) {
    return "xargs would split the value into several arguments; give it to the command directly";
  }
  return (
    findCodeOption(program, args, rule) ??
    findFreeOption(program, args, rule, context.dashes) ??
    findNested(program, args, rule, context)
  );
}

function findRewriting(program: string, args: readonly TemplateWord[]): string | undefined {
  const called =
    program === "command" || program === "builtin"
      ? args.map((word) => literalOf(word)).find((text) => text !== undefined && !text.startsWith("-"))
      : program;
  if (called === undefined || !REWRITING_BUILTINS.has(called)) return undefined;
  return `${called} changes the shell that runs the template; leave it out of a template with values`;
}

/** An option directly before the value, or the option the value is glued to. */
function findCodeOption(
  program: string,
  args: readonly TemplateWord[],
  rule: ProgramRule | undefined,
): string | undefined {
  for (const [at, word] of args.entries()) {
    if (!hasHoles([word])) continue;
    const prefix = prefixOf(word);
    const before = literalOf(args[at - 1]);
    if (/^--[^=]+$/.test(prefix))
      return `${shown([word])} would complete the name of an option of ${program}`;
    const glued = prefix.startsWith("-") ? prefix.split("=", 1)[0] : undefined;
    const option = [glued, before].find(
      (text) => text !== undefined && takesCode(text, rule, text === glued),
    );
    if (option !== undefined)
      return `${shown([word])} is the argument of ${program} ${option}, which is run or loaded`;
    const first = prefixOf(args[0] ?? word);
    if (rule?.bundleFirst && /[IFT]/.test(first) && !first.startsWith("--")) {
      return `${program} ${first} takes a command as one of its arguments`;
    }
  }
  return undefined;
}

/**
 * With `allowDash` the value may be any option, so there must be none that runs something, or `--` before it.
 */
function findFreeOption(
  program: string,
  args: readonly TemplateWord[],
  rule: ProgramRule | undefined,
  dashes: ReadonlySet<string>,
): string | undefined {
  const readsOptionsLater =
    rule !== undefined && (rule.permutes || rule.operand === undefined || rule.operand === "subcommand");
  if (!readsOptionsLater) return undefined;
  const end =
    rule.runs !== undefined && rule.operand === undefined
      ? -1
      : args.findIndex((word) => literalOf(word) === "--");
  const open = (end === -1 ? args : args.slice(0, end)).find(
    (word) => /^-?$/.test(prefixOf(word)) && holesOf(word).some((hole) => dashes.has(hole.placeholder.name)),
  );
  if (open === undefined) return undefined;
  return `${shown([open])} has allowDash, but ${program} has options that run commands; put -- before it or take allowDash away`;
}

function takesCode(option: string, rule: ProgramRule | undefined, isGlued: boolean): boolean {
  const known = [...(rule?.code ?? []), ...(rule?.loads ?? [])];
  if (known.includes(option) || namesCommand(option)) return true;
  // `-ne`, `-xIf`: letters together. A data option first (`-F{{x}}`) makes the rest its own text.
  if (!/^-[A-Za-z0-9]{2,}$/.test(option) || rule?.data?.[option.slice(0, 2)] !== undefined) return false;
  if (rule?.flags?.includes(option) && !isGlued) return false;
  return known.some((name) => /^-[A-Za-z]$/.test(name) && option.slice(1).includes(name.slice(1)));
}

function findNested(
  program: string,
  args: readonly TemplateWord[],
  rule: ProgramRule | undefined,
  context: CommandContext,
): string | undefined {
  if (rule === undefined) return undefined;
  if (rule.operand !== undefined) return scanOperands(program, args, rule, context);
  for (const [at, word] of args.entries()) {
    if (!rule.runs?.includes(literalOf(word) ?? "")) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((next) => [";", "+"].includes(literalOf(next) ?? ""));
    const problem = findCodeArgument(end === -1 ? rest : rest.slice(0, end), context);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Walks to the operand that decides what runs: it must be known, and so must everything before it. */
function scanOperands(
  program: string,
  args: readonly TemplateWord[],
  rule: ProgramRule,
  context: CommandContext,
): string | undefined {
  let skip = rule.skip ?? 0;
  let doubt: string | undefined;
  let codeGiven = false;
  let optionsOver = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const text = literalOf(word);
    const prefix = prefixOf(word);
    if (!optionsOver && text === "--") {
      optionsOver = true;
      continue;
    }
    if (!optionsOver && prefix.startsWith("-") && prefix !== "") {
      const step = readOption(word, rule);
      if (hasHoles([word]) && step.kind !== "data") {
        return `${shown([word])} is part of an option of ${program} that toolgate does not know to be plain data`;
      }
      if (step.kind === "code") codeGiven = true;
      else if (step.kind === "doubt") doubt ??= shown([word]);
      at += step.takes;
      continue;
    }
    if (rule.assignments && /^[A-Za-z_]\w*=/.test(prefix)) {
      if (hasHoles([word])) return `${shown([word])} would set a variable for ${program}`;
      continue;
    }
    if (codeGiven && rule.operand === "code") break;
    if (skip > 0) {
      skip--;
      if (text === undefined && !hasHoles([word])) doubt ??= shown([word]);
      continue;
    }
    return judgeOperand(program, args.slice(at), rule, { context, doubt });
  }
  if (codeGiven) return findAfterCode(program, args, rule);
  if (context.fed !== "nothing" && rule.readsCode) return `${program} would run what comes through the pipe`;
  return hasHoles(args) && doubt !== undefined ? doubtful(program, doubt) : undefined;
}

function judgeOperand(
  program: string,
  rest: readonly TemplateWord[],
  rule: ProgramRule,
  found: { context: CommandContext; doubt: string | undefined },
): string | undefined {
  const [operand, ...later] = rest;
  if (operand === undefined) return undefined;
  const text = literalOf(operand);
  if (hasHoles([operand])) {
    const role = { code: "the program", command: "the name of the command", subcommand: "the subcommand" };
    return `${shown([operand])} would be ${role[rule.operand ?? "code"]} that ${program} runs`;
  }
  if (!hasHoles(later) && found.context.fed === "nothing") return undefined;
  if (found.doubt !== undefined) return doubtful(program, found.doubt);
  if (rule.operand === "command") return findCodeArgument(rest, found.context);
  if (text === undefined) return `what ${program} runs is only known when the template runs`;
  if (rule.neverAfter?.includes(text) && hasHoles(later)) {
    return `${shown(later)} is an argument of ${program} ${text}, which runs its arguments`;
  }
  if (!rule.runs?.includes(text)) return undefined;
  const command = literalOf(later[0]) === "--" ? later.slice(1) : later;
  const first = command[0] === undefined ? "" : prefixOf(command[0]);
  return first.startsWith("-")
    ? doubtful(`${program} ${text}`, first)
    : findCodeArgument(command, found.context);
}

/** Inline code was given; only some programs treat all that follows as data. */
function findAfterCode(
  program: string,
  args: readonly TemplateWord[],
  rule: ProgramRule,
): string | undefined {
  if (rule.dataAfterCode || !hasHoles(args)) return undefined;
  return `${program} may take ${shown(args)} as an option or a command after inline code; put the code into a file and name that file`;
}

function readOption(
  word: TemplateWord,
  rule: ProgramRule,
): { readonly kind: "code" | "data" | "known" | "doubt"; readonly takes: number } {
  const text = literalOf(word);
  const prefix = prefixOf(word);
  const name = prefix.split("=", 1)[0] ?? prefix;
  const isGlued = prefix.includes("=") || text === undefined;
  if (rule.code?.includes(name)) return { kind: "code", takes: isGlued ? 0 : 1 };
  if (rule.loads?.includes(name)) return { kind: "known", takes: isGlued ? 0 : 1 };
  const count = rule.data?.[name];
  if (count !== undefined) return { kind: "data", takes: isGlued ? 0 : count };
  if (rule.flags?.includes(prefix)) return { kind: "known", takes: 0 };
  if (!prefix.startsWith("--") && rule.data?.[prefix.slice(0, 2)] !== undefined)
    return { kind: "data", takes: 0 };
  const codeLetters = (rule.code ?? [])
    .filter((option) => /^-[A-Za-z]$/.test(option))
    .map((option) => option[1]!);
  if (/^-[A-Za-z]+$/.test(prefix) && codeLetters.includes(prefix.at(-1)!)) return { kind: "code", takes: 1 };
  return { kind: "doubt", takes: 0 };
}

function doubtful(program: string, option: string): string {
  return `toolgate does not know whether ${option} of ${program} takes the next word, so it cannot tell what runs`;
}

function hasHoles(words: readonly TemplateWord[]): boolean {
  return words.some((word) => holesOf(word).length > 0);
}

function shown(words: readonly TemplateWord[]): string {
  const names = words.flatMap((word) => holesOf(word).map((hole) => `{{${hole.placeholder.name}}}`));
  return names[0] ?? (words[0] === undefined ? "it" : prefixOf(words[0]));
}
