/** Arithmetic evaluates the *text* of variables again (`x='a[$(cmd)]'; $((x))` runs cmd): only numbers and trusted names pass. */

import type { ArithmeticExpression, Script, Word, WordPart } from "unbash";
import { readArithmeticExpansion, readCommandExpansion } from "./expansions.ts";
import { assign } from "./variables.ts";
import { ANYTHING, MAX_NESTING, markOpaque, NUMBER, trust, type Walk } from "./walk.ts";
import { scanWord } from "./words.ts";

export function readArithmetic(walk: Walk, expression: ArithmeticExpression): void {
  switch (expression.type) {
    case "ArithmeticBinary":
      if (/^(?:[-+*/%&^|]|<<|>>)?=$/.test(expression.operator)) noteAssignment(walk, expression.left);
      readArithmetic(walk, expression.left);
      readArithmetic(walk, expression.right);
      return;
    case "ArithmeticUnary":
      if (expression.operator === "++" || expression.operator === "--")
        noteAssignment(walk, expression.operand);
      readArithmetic(walk, expression.operand);
      return;
    case "ArithmeticTernary":
      readArithmetic(walk, expression.test);
      readArithmetic(walk, expression.consequent);
      readArithmetic(walk, expression.alternate);
      return;
    case "ArithmeticGroup":
      readArithmetic(walk, expression.expression);
      return;
    case "ArithmeticWord":
      if (expression.parts === undefined) readOperand(walk, expression.value);
      else for (const part of expression.parts) readPart(walk, part);
      return;
    case "ArithmeticCommandExpansion":
      if (walk.nesting >= MAX_NESTING || expression.script === undefined)
        markOpaque(walk, "arithmetic that cannot be read", expression.text);
      else {
        readCommandExpansion(walk, { ...expression, script: expression.script, type: "CommandExpansion" });
        if (!printsNumber(expression.script))
          markOpaque(walk, "command output evaluated as arithmetic", expression.text);
      }
      return;
    default:
      markOpaque(walk, "arithmetic that is not understood", "");
  }
}

/** A word that the shell evaluates as arithmetic: a subscript, an offset, an operand of `-eq` in `[[`. */
export function readArithmeticWord(walk: Walk, word: Word): void {
  const parts = word.parts;
  if (parts === undefined) {
    readOperand(walk, word.text.trim());
    return;
  }
  for (const part of parts) readPart(walk, part);
}

function readOperand(walk: Walk, text: string): void {
  if (/^[-+]?\s*(?:\d+|0[xX][0-9a-fA-F]+)?$/.test(text)) return;
  if (/^[A-Za-z_]\w*$/.test(text)) readName(walk, text);
  else markOpaque(walk, "arithmetic on something that is not a number or a plain name", text);
}

function readName(walk: Walk, name: string): void {
  const value = walk.values?.get(name);
  if (value === ANYTHING) markOpaque(walk, "arithmetic evaluates the text of a variable", name);
  else trust(walk, [name]);
}

function readPart(walk: Walk, part: WordPart): void {
  if (walk.nesting >= MAX_NESTING) {
    markOpaque(walk, "substitutions nested too deeply", part.text);
    return;
  }
  walk.nesting++;
  readNumberPart(walk, part);
  walk.nesting--;
}

function readNumberPart(walk: Walk, part: WordPart): void {
  switch (part.type) {
    case "Literal":
      if (!/^[\s\d]*$/.test(part.value)) readOperand(walk, part.value);
      return;
    case "DoubleQuoted":
      for (const child of part.parts) readPart(walk, child);
      return;
    case "SimpleExpansion":
      readExpandedName(walk, part.text.slice(1), part.text);
      return;
    case "ParameterExpansion":
      if (part.prefix === "#" && part.index === undefined && part.operation === undefined) return;
      if (part.prefix === undefined && part.index === undefined) {
        if (part.operation === undefined) {
          readExpandedName(walk, part.parameter, part.text);
          return;
        }
        const operation = part.operation;
        if (
          operation.type === "Default" &&
          operation.operator.endsWith("-") &&
          /^\d+$/.test(operation.operand.text)
        ) {
          readExpandedName(walk, part.parameter, part.text);
          return;
        }
      }
      break;
    case "CommandExpansion":
      readCommandExpansion(walk, part);
      if (part.script !== undefined && printsNumber(part.script)) return;
      markOpaque(walk, "command output evaluated as arithmetic", part.text);
      return;
    case "ArithmeticExpansion":
      readArithmeticExpansion(walk, part);
      return;
  }
  scanWord(walk, { type: "Word", text: part.text, value: part.text, pos: 0, end: 0, parts: [part] });
  markOpaque(walk, "arithmetic on something that is not a number or a plain name", part.text);
}

function readExpandedName(walk: Walk, name: string, text: string): void {
  if (/^[?#$!]$/.test(name)) return;
  if (/^[A-Za-z]\w*$/.test(name)) readName(walk, name);
  else markOpaque(walk, "arithmetic evaluates an argument", text);
}

function noteAssignment(walk: Walk, target: ArithmeticExpression): void {
  if (target.type === "ArithmeticWord" && target.parts === undefined && /^[A-Za-z_]\w*$/.test(target.value)) {
    const certain = walk.certain;
    walk.certain = false;
    assign(walk, target.value, NUMBER, target.value);
    walk.certain = certain;
  } else markOpaque(walk, "arithmetic assigns to something that is not a plain name", "");
}

/** `$(... | wc -l)`, `$(date +%s)`: the output is a number whatever the input. */
export function printsNumber(script: Script): boolean {
  const last = script.commands.at(-1)?.command;
  if (script.commands.length !== 1 || last === undefined) return false;
  const command = last.type === "Pipeline" ? last.commands.at(-1) : last;
  if (command?.type !== "Command" || command.prefix.length > 0) return false;
  const words: string[] = [];
  for (const item of command.suffix) {
    if (item.type === "Word") words.push(item.text);
    else if (item.type !== "Redirect" || item.operator !== "<") return false;
  }
  const text = `${command.name?.text ?? ""} ${words.join(" ")}`;
  return /^(?:wc -[lwcm]|date \+%s|nproc |grep -c [\w.]+)$/.test(text);
}
