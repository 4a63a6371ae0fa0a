/**
 * `awk`: a program that cannot run commands or write files reads; `system`, pipes, `getline`, output
 * redirects and the like go beyond.
 */

import { type Arg, LITERAL } from "../arg.ts";
import { CommandUse } from "../command-use.ts";
import { lazySpec } from "../option-spec.ts";
import { type OptionSpec, parseOptions } from "../options.ts";
import { EXECUTE } from "../walk.ts";

export const AWK: OptionSpec = {
  flags: "bcChkMnNOPrsStVI",
  values: "Fv",
  attached: "L",
  // Program text, program files, extensions, and files that are written: `-o`, `-p` and `-d` write without
  // being asked where.
  refuses: "fEeildopDgWY",
  optionsFirst: true,
  long:
    "file=! field-separator= assign= characters-as-bytes traditional copyright dump-variables?! debug?! source=! exec=! gen-pot! help include=! trace csv load=! " +
    "lint? bignum use-lc-numeric non-decimal-data pretty-print?! optimize profile?! posix re-interval no-optimize sandbox lint-old version",
  abbreviates: true,
};

const SPEC = lazySpec(AWK);

export function readAwk(use: CommandUse): void {
  const { operands } = parseOptions(use, SPEC(), 1);
  const program = operands[0];
  if (program === undefined) return;
  if (program.kind !== LITERAL) {
    use.goesBeyond("the program is not known", EXECUTE);
    if (CommandUse.mayShift(program)) use.unknownPaths = true;
  }
  const problem = programProblem(program.text);
  if (problem !== undefined) {
    use.goesBeyond(problem, EXECUTE);
    use.cannotTell(problem);
  }
  // A program that edits its own argument list reads files that stand nowhere on the line.
  if (/ARG[VC]/.test(program.text)) use.unknownPaths = true;
  for (let i = 1; i < operands.length; i++) {
    const operand = operands[i] as Arg;
    if (operand.kind === LITERAL && /^[A-Za-z_]\w*=/.test(operand.text)) {
      if (/^ARG/.test(operand.text)) use.unknownPaths = true;
    } else {
      use.readPath(operand);
      // gawk opens connections by these names, also where it reads its input.
      if (/^\/inet[46]?\//.test(operand.prefix)) {
        use.network = true;
        use.goesBeyond("opens a connection", EXECUTE);
      }
    }
  }
}

export function programProblem(program: string): string | undefined {
  if (/system[\s\\]*\(/.test(program)) return "the program calls system()";
  if (/getline/.test(program)) return "the program uses getline";
  // gawk's table of variables, by which a program reaches ARGV without naming it.
  if (/SYMTAB|FUNCTAB/.test(program)) return "the program reaches variables by their names";
  if (/\\\r?\n/.test(program)) return "the program continues lines by a backslash";
  // Without these characters there is no pipe, no output file and no extension.
  if (!/[|>@]/.test(program)) return undefined;
  return structureProblem(program);
}

/**
 * Reads strings, patterns and comments apart from code; gives up where `/` may be a division or a pattern.
 */
function structureProblem(program: string): string | undefined {
  let at = 0;
  let previous = "";
  let printing = false;
  let depth = 0;
  let printDepth = 0;
  while (at < program.length) {
    const char = program.charAt(at);
    if (char === " " || char === "\t") {
      at++;
      continue;
    }
    if (char === "#") {
      const end = program.indexOf("\n", at);
      at = end < 0 ? program.length : end;
      continue;
    }
    if (char === '"') {
      const match = stringAt(program, at);
      if (match === undefined) return "a string in the program is not understood";
      at += match.length;
      previous = '"';
      continue;
    }
    if (char === "/") {
      if (!REGEX_MAY_START.has(previous)) return "the program cannot be told apart from a pattern";
      const match = patternAt(program, at);
      if (match === undefined) return "a pattern in the program is not understood";
      at += match.length;
      previous = "/";
      continue;
    }
    const word = wordAt(program, at);
    if (word !== undefined) {
      if (word === "print" || word === "printf") {
        printing = true;
        printDepth = depth;
      }
      at += word.length;
      previous = "a";
      continue;
    }
    if (char === "@") return "the program uses @";
    if (char === "|") {
      if (program.charAt(at + 1) !== "|") return "the program uses a pipe";
      at += 2;
      previous = "||";
      continue;
    }
    if (char === ">" && printing && depth <= printDepth) {
      // The one output that is no file.
      const target = /^>[ \t]*"\/dev\/std(?:err|out)"[ \t]*(?:[;}\n]|$)/.exec(program.slice(at));
      if (target === null) return "the program writes to a file";
      at++;
      previous = ">";
      continue;
    }
    if (char === "(") depth++;
    if (char === ")") depth--;
    // A newline does not always end a statement (`print a,` goes on).
    if (char === ";" || char === "{" || char === "}") printing = false;
    previous = char === "&" && program.charAt(at + 1) === "&" ? "&&" : char;
    at += previous.length;
  }
  return undefined;
}

function stringAt(program: string, at: number): string | undefined {
  return sticky(/"(?:[^"\\\n]|\\[^\n])*"/y, program, at);
}

/** A `/` inside brackets ends the pattern for some awks only, so brackets may not hold one. */
function patternAt(program: string, at: number): string | undefined {
  return sticky(/\/(?:[^/\\\n[]|\\[^\n]|\[\^?[^\]/\\\n[]+\])*\//y, program, at);
}

function wordAt(program: string, at: number): string | undefined {
  return sticky(/[A-Za-z_0-9.$]+/y, program, at);
}

function sticky(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const REGEX_MAY_START = new Set(["", "~", "(", ",", "&&", "||", "!", "{", "}", ";", "\n"]);
