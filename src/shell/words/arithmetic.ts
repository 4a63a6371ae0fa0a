/**
 * Arithmetic evaluates the *text* of variables again (`x='a[$(cmd)]'; $((x))` runs cmd): only names that hold
 * numbers pass.
 */

import type { ArithmeticExpression, Word, WordPart } from "unbash";
import { isNumberText, MAX_NESTING, markOpaque, NUMBER, trust, type Walk } from "../walk.ts";
import { readArithmeticExpansion, readCommandExpansion } from "./expansions.ts";
import { printsNumber } from "./prints-number.ts";
import { assign, assignMaybe, isKnownNumber } from "./variables.ts";
import { scanWord } from "./words.ts";

export function readArithmetic(walk: Walk, expression: ArithmeticExpression): void {
  const { inQuotes } = walk;
  walk.inQuotes = true;
  readExpression(walk, expression, true);
  walk.inQuotes = inQuotes;
}

/** `always`: not behind `&&`, `||` or `?`, so that what it assigns is assigned. */
function readExpression(walk: Walk, expression: ArithmeticExpression, always: boolean): void {
  switch (expression.type) {
    case "ArithmeticBinary": {
      const { operator, left, right } = expression;
      if (operator !== "=") readExpression(walk, left, always);
      readExpression(walk, right, always && operator !== "&&" && operator !== "||");
      if (ASSIGNMENT.test(operator)) noteAssignment(walk, left, always && cannotFail(walk, right));
      return;
    }
    case "ArithmeticUnary":
      readExpression(walk, expression.operand, always);
      if (expression.operator === "++" || expression.operator === "--")
        noteAssignment(walk, expression.operand, always);
      return;
    case "ArithmeticTernary":
      readExpression(walk, expression.test, always);
      readExpression(walk, expression.consequent, false);
      readExpression(walk, expression.alternate, false);
      return;
    case "ArithmeticGroup":
      readExpression(walk, expression.expression, always);
      return;
    case "ArithmeticWord":
      if (expression.parts === undefined) readOperand(walk, expression.value);
      else for (const part of expression.parts) readPart(walk, part);
      return;
    case "ArithmeticCommandExpansion":
      if (walk.nesting >= MAX_NESTING || expression.script === undefined)
        markOpaque(walk, "its arithmetic cannot be read", expression.text);
      else {
        readCommandExpansion(walk, { ...expression, script: expression.script, type: "CommandExpansion" });
        if (!printsNumber(expression.script))
          markOpaque(walk, "the output of a command is evaluated as arithmetic", expression.text);
      }
      return;
    default:
      markOpaque(walk, "its arithmetic is not read here", "");
  }
}

/** A word that the shell evaluates as arithmetic: a subscript, an offset, an operand of `-eq` in `[[`. */
export function readArithmeticWord(walk: Walk, word: Word): void {
  const { parts } = word;
  const { inQuotes } = walk;
  walk.inQuotes = true;
  if (parts === undefined) readOperand(walk, word.text.trim());
  else for (const part of parts) readPart(walk, part);
  walk.inQuotes = inQuotes;
}

function readOperand(walk: Walk, text: string): void {
  if (/^[-+]?\s*(?:\d+|0[xX][0-9a-fA-F]+)?$/.test(text)) return;
  if (/^[A-Za-z_]\w*$/.test(text)) readName(walk, text);
  else markOpaque(walk, "arithmetic is done with more than numbers and plain names; write numbers", text);
}

function readName(walk: Walk, name: string): void {
  if (isKnownNumber(walk, name)) trust(walk, [name]);
  else
    markOpaque(
      walk,
      "arithmetic evaluates a variable that this line does not set to a number; set it first, such as x=1",
      name,
    );
}

function readPart(walk: Walk, part: WordPart): void {
  if (walk.nesting >= MAX_NESTING) {
    markOpaque(walk, "substitutions are nested too deeply; split the line", part.text);
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
      markOpaque(walk, "the output of a command is evaluated as arithmetic", part.text);
      return;
    case "ArithmeticExpansion":
      readArithmeticExpansion(walk, part);
      return;
  }
  scanWord(walk, { type: "Word", text: part.text, value: part.text, pos: 0, end: 0, parts: [part] });
  markOpaque(walk, "arithmetic is done with more than numbers and plain names; write numbers", part.text);
}

function readExpandedName(walk: Walk, name: string, text: string): void {
  if (/^[?#$!]$/.test(name)) return;
  if (/^[A-Za-z]\w*$/.test(name)) readName(walk, name);
  else markOpaque(walk, "arithmetic evaluates an argument of the script; write a number", text);
}

function noteAssignment(walk: Walk, target: ArithmeticExpression, always: boolean): void {
  if (target.type === "ArithmeticWord" && target.parts === undefined && /^[A-Za-z_]\w*$/.test(target.value))
    (always ? assign : assignMaybe)(walk, target.value, NUMBER, target.value);
  else markOpaque(walk, "arithmetic sets more than a plain variable", "");
}

/** `((x=1/0))` fails, and `x` keeps its old text. */
function cannotFail(walk: Walk, expression: ArithmeticExpression): boolean {
  switch (expression.type) {
    case "ArithmeticBinary":
      return (
        /^[-+*]$/.test(expression.operator) &&
        cannotFail(walk, expression.left) &&
        cannotFail(walk, expression.right)
      );
    case "ArithmeticGroup":
      return cannotFail(walk, expression.expression);
    case "ArithmeticWord":
      return (
        expression.parts === undefined &&
        (isNumberText(expression.value) || isKnownNumber(walk, expression.value))
      );
    default:
      return false;
  }
}

const ASSIGNMENT = /^(?:[-+*/%&^|]|<<|>>)?=$/;
