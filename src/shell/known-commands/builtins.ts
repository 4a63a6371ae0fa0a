/** Builtins of the shell: harmless ones, those that change variables or folders, those that run commands. */

import { eachWord } from "../../core/text/words.ts";
import { GLOB, isLiteral, literalArg, MANY } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { changeDirectory } from "../paths.ts";
import { EXECUTE, UNKNOWN_DIRECTORY } from "../walk.ts";
import { readPrintf } from "./printf.ts";
import { readTestBuiltin } from "./test-builtin.ts";
import { readDeclaration, readLet, readMapfile, readRead, readUnset } from "./variable-builtins.ts";

/** `echo /etc/*` tells the names there. */
function readEcho(use: CommandUse): void {
  for (const arg of use.args.slice(1)) if (arg.kind === GLOB && arg.text.includes("/")) use.readPath(arg);
}

/** Accepts only literal words of this shape. */
function words(shape: RegExp): KnownCommand {
  return (use) => {
    for (let i = 1; i < use.args.length; i++) {
      const arg = use.args[i];
      if (!isLiteral(arg) || !shape.test(arg.text)) {
        use.cannotTell(`it is not known what ${use.args[0]?.text} does with these words`);
        return;
      }
    }
  };
}

function refuse(reason: string): KnownCommand {
  return (use) => use.cannotTell(reason);
}

function readCd(use: CommandUse): void {
  const { walk, args } = use;
  const only = args[1];
  if (args.length === 2 && isLiteral(only) && only.text !== "" && only.text.charCodeAt(0) !== 45) {
    use.readPath(only);
    const [first] = walk.directories;
    if (walk.directories.length === 1 && first !== undefined)
      walk.directories = [changeDirectory(first, only.text)];
    else walk.directories = walk.directories.map((directory) => changeDirectory(directory, only.text));
    return;
  }
  let i = 1;
  while (isLiteral(args[i]) && /^-[LPe@]+$/.test(args[i]?.text ?? "")) i++;
  if (args[i]?.text === "--") i++;
  const target = args[i];
  if (args.length > i + 1) use.cannotTell("cd has several words; put the folder into quotes");
  const home = walk.context.home ?? "~";
  if (target === undefined) {
    use.readPath(literalArg(home));
    walk.directories = [home];
    return;
  }
  use.readPath(target);
  if (!isLiteral(target) || target.text.startsWith("-") || target.text === "") {
    use.unknownPaths = true;
    walk.directories = UNKNOWN_DIRECTORY;
    return;
  }
  // `cd -P link/..` is not taken from the text.
  if (args.some((arg) => /^-\w*P/.test(arg.text)) && target.text.includes(".."))
    walk.directories = UNKNOWN_DIRECTORY;
  else walk.directories = walk.directories.map((directory) => changeDirectory(directory, target.text));
}

function readPushd(use: CommandUse): void {
  for (const arg of use.args.slice(1)) use.readPath(arg);
  use.unknownPaths = true;
  use.walk.directories = UNKNOWN_DIRECTORY;
}

function readSet(use: CommandUse): void {
  for (let i = 1; i < use.args.length; i++) {
    const text = isLiteral(use.args[i]) ? (use.args[i]?.text ?? "") : "";
    if (/^[-+][eux]+$/.test(text)) continue;
    if (
      /^[-+][eux]*o$/.test(text) &&
      /^(?:pipefail|errexit|nounset|xtrace)$/.test(use.args[i + 1]?.text ?? "")
    )
      i++;
    else {
      use.cannotTell("set changes how the rest of the line is read; leave it out");
      return;
    }
  }
}

function readSource(use: CommandUse): void {
  if (use.args[1] !== undefined) use.readPath(use.args[1]);
  use.unknownPaths = true;
  use.cannotTell("it runs a file in this shell, and what stands in files is not read in advance");
}

function readType(use: CommandUse): void {
  for (const arg of use.args.slice(1)) if (arg.kind === MANY && arg.tainted) use.unknownPaths = true;
}

export const BUILTINS: ReadonlyMap<string, KnownCommand> = new Map<string, KnownCommand>([
  ["echo", readEcho],
  ...eachWord("true false :", () => {}),
  ["pwd", words(/^-[LP]+$/)],
  ["times", words(/^$/)],
  ["type", readType],
  ["cd", readCd],
  ...eachWord("pushd popd", readPushd),
  ["dirs", words(/^-[clpv]+$/)],
  ["printf", readPrintf],
  ...eachWord("test [", readTestBuiltin),
  ["read", readRead],
  ...eachWord("mapfile readarray", readMapfile),
  ...eachWord("declare typeset local", readDeclaration(false)),
  ["readonly", refuse("readonly fixes the text of a variable; write a plain assignment")],
  ["export", readDeclaration(true)],
  ["unset", readUnset],
  ["let", readLet],
  ["set", readSet],
  ...eachWord("exit return break continue shift", words(/^\d{1,5}$/)),
  ["wait", words(/^(?:\d+|%\d+|-n)$/)],
  ["jobs", words(/^-[lprs]+$/)],
  ["umask", words(/^-[Sp]+$/)],
  ["ulimit", words(/^-[aHS]+$/)],
  ["hash", words(/^-r$/)],
  ...eachWord("kill disown", (use: CommandUse) => use.raise(EXECUTE)),
  ...eachWord("source .", readSource),
  ..."alias unalias shopt enable complete compgen compopt bind fc history getopts suspend logout caller coproc emulate setopt zmodload zle autoload"
    .split(" ")
    .map((name): [string, KnownCommand] => [
      name,
      refuse(`${name} can change what later commands mean; leave it out`),
    ]),
]);
