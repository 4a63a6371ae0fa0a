/** `[[ ... ]]`: operators that evaluate their operands run the commands hidden in them. */

import type { TestExpression, Word } from "unbash";
import { wordSet } from "../../core/text/words.ts";
import { markOpaque, type Walk } from "../walk.ts";
import { readArithmeticWord } from "./arithmetic.ts";
import { scanRegex, scanWord } from "./words.ts";

export function readTest(walk: Walk, expression: TestExpression): void {
  switch (expression.type) {
    case "TestUnary":
      scanWord(walk, expression.operand);
      if (expression.operator === "-v" || expression.operator === "-R")
        readVariableName(walk, expression.operand);
      else if (walk.zsh && expression.operator === "-t") readArithmeticWord(walk, expression.operand);
      else if (!UNARY.has(expression.operator))
        markOpaque(walk, "a test in [[ ]] is not read here", expression.operator);
      return;
    case "TestBinary":
      if (ARITHMETIC.has(expression.operator)) {
        readArithmeticWord(walk, expression.left);
        readArithmeticWord(walk, expression.right);
        return;
      }
      scanWord(walk, expression.left);
      if (expression.operator === "=~") scanRegex(walk, expression.right);
      else scanWord(walk, expression.right);
      // In sh, where `[[` is no keyword, `>` writes a file.
      if (!BINARY.has(expression.operator))
        markOpaque(walk, "a test in [[ ]] is not read here", expression.operator);
      return;
    case "TestLogical":
      for (const operand of expression.operands) readTest(walk, operand);
      return;
    case "TestNot":
      readTest(walk, expression.operand);
      return;
    case "TestGroup":
      readTest(walk, expression.expression);
      return;
    default:
      markOpaque(walk, "a test in [[ ]] is not read here", "");
  }
}

function readVariableName(walk: Walk, word: Word): void {
  if (!/^[A-Za-z_]\w*$/.test(word.text))
    markOpaque(walk, "the test evaluates its operand; write the plain name of a variable", word.text);
}

const UNARY = wordSet("-a -b -c -d -e -f -g -h -k -n -p -r -s -t -u -w -x -z -G -L -N -O -S");
const BINARY = wordSet("= == != =~ -nt -ot -ef");
const ARITHMETIC = wordSet("-eq -ne -lt -le -gt -ge");
