/**
 * What follows the name in `${x...}`. Inside double quotes a `'` quotes there for some operators and not for
 * others, in a here-document again not, in arithmetic not, and zsh and old versions of bash differ: what is
 * between such quotes may run, and a brace between them may end the expansion. Only text that means the same
 * in each of these ways is plain.
 */

import type { ParameterOperation, Word, WordPart } from "unbash";

export function isPlainOperand(operation: ParameterOperation): boolean {
  switch (operation.type) {
    case "Default":
    case "Remove":
    case "Transform":
      return isPlainWord(operation.operand);
    case "Replace":
      return isPlainWord(operation.pattern) && isPlainWord(operation.replacement);
    case "CaseModification":
      return operation.operand === undefined || isPlainWord(operation.operand);
    case "Slice":
      return (
        isPlainWord(operation.offset) && (operation.length === undefined || isPlainWord(operation.length))
      );
    default:
      return false;
  }
}

function isPlainWord({ text, parts }: Word): boolean {
  return PLAIN.test(text) || (parts === undefined ? PIECES.test(text) : parts.every(isPlainPart));
}

function isPlainPart(part: WordPart): boolean {
  switch (part.type) {
    case "Literal":
      return PIECES.test(part.text);
    case "SingleQuoted":
      return PLAIN.test(part.value);
    case "Glob":
      return PLAIN.test(part.text);
    case "DoubleQuoted":
      return part.parts.every((child) => (child.type === "Literal" ? PLAIN.test(child.text) : true));
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      // Read for itself, and as standing in the same quotes.
      return true;
    default:
      return false;
  }
}

const PLAIN = /^[^'"\\`${}()<>]*$/;
/**
 * Also a quoted piece that is closed again in the same text, and a backslash before what it escapes
 * everywhere or nowhere.
 */
const PIECES = /^(?:[^'"\\`${}()<>]|'[^'"\\`${}()<>]*'|\\[\w"$\\/.,:*?@ -])*$/;
