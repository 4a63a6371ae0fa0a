/** What the operands of a plain program mean: paths that it reads or writes, or text. */

import { type Arg, literalArg } from "./arg.ts";
import { CommandUse } from "./command-use.ts";
import type { CompiledSpec } from "./option-spec.ts";
import type { ParsedOptions } from "./options.ts";
import { reachOf } from "./tree-reach.ts";
import { WRITE } from "./walk.ts";

export function readOperands(use: CommandUse, spec: CompiledSpec, parsed: ParsedOptions): void {
  const { operands, seen } = parsed;
  // A link in a repository may lead anywhere: `grep -R key docs` with a `docs/x` that is a link to ~/.ssh.
  if (seen.some((name) => spec.follows?.has(name))) use.unknownPaths = true;
  switch (spec.operands) {
    case "text":
      return;
    case "first-text":
      readAfterPattern(use, spec, parsed);
      return;
    case "second-written":
      if (operands.length > 1 || operands.some(CommandUse.mayShift)) {
        use.goesBeyond("the second operand is written", WRITE);
        const target = operands[1];
        if (target !== undefined) use.writePath(target);
        else use.unknownPaths = true;
      }
      if (operands[0] !== undefined) use.readPath(operands[0]);
      return;
    default:
      for (const operand of operands) readOne(use, spec, parsed, operand);
      if (operands.length === 0) readHere(use, spec, parsed);
  }
}

function readAfterPattern(use: CommandUse, spec: CompiledSpec, parsed: ParsedOptions): void {
  const { operands, seen } = parsed;
  const paths = seen.some((name) => GIVES_PATTERN.has(name)) ? 0 : 1;
  for (let i = paths; i < operands.length; i++) readOne(use, spec, parsed, operands[i] as Arg);
  const pattern = paths === 1 ? operands[0] : undefined;
  if (pattern !== undefined && CommandUse.mayShift(pattern) && use.shiftsPaths(pattern))
    use.unknownPaths = true;
  if (operands.length <= paths) readHere(use, spec, parsed);
}

/** A file, or a folder with what lies below it. */
function readOne(use: CommandUse, spec: CompiledSpec, parsed: ParsedOptions, operand: Arg): void {
  if (isGiven(spec.enters, parsed.seen)) use.useTree(operand, "read", reachOf(spec.reach, parsed));
  else use.readPath(operand);
  if (spec.endings.length > 0) use.readCompleted(operand, spec.endings);
}

function isGiven(names: true | ReadonlySet<string> | undefined, seen: readonly string[]): boolean {
  return names === true || (names !== undefined && seen.some((name) => names.has(name)));
}

/** After a `cd` to a place that is not known, `ls` and `rg x` read there, though no word says so. */
function readHere(use: CommandUse, spec: CompiledSpec, parsed: ParsedOptions): void {
  if (isGiven(spec.readsHere, parsed.seen)) readOne(use, spec, parsed, HERE);
}

const HERE = literalArg(".");
const GIVES_PATTERN = new Set(["e", "f", "regexp", "file", "files"]);
