/** `find`: tests and printing read; actions that delete, write or run go beyond, and are judged. */

import { wordSet } from "../../core/text/words.ts";
import { type Arg, GLOB, isLiteral, LITERAL, literalArg, MANY, maybeOption } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import { EXECUTE, OPAQUE, UNKNOWN_DIRECTORY, WRITE } from "../walk.ts";
import { judgeInner, withUnknown } from "../wrappers/unwrap.ts";

export function readFind(use: CommandUse): void {
  const { args } = use;
  let i = 1;
  let named = false;
  for (; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (isLiteral(arg) && /^-[EHLPXdsx]+$|^-O\d$/.test(arg.text)) {
      if (arg.text.includes("L")) use.unknownPaths = true;
      continue;
    }
    if (isLiteral(arg) && (arg.text.startsWith("-") || arg.text === "(" || arg.text === "!")) break;
    if (maybeOption(arg)) use.goesBeyond(`${arg.text} may be an action`, EXECUTE);
    use.readPath(arg);
    named = true;
  }
  if (!named) use.readPath(literalArg("."));
  for (; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (!isLiteral(arg)) {
      use.goesBeyond(`${arg.text} may be an action`, EXECUTE);
      use.unknownPaths = true;
      continue;
    }
    const name = arg.text;
    if (PLAIN.has(name)) {
      if (name === "-follow") use.unknownPaths = true;
      continue;
    }
    if (WITH_VALUE.has(name) || /^-newer[aBcm][aBcmt]$/.test(name)) i = readValue(use, name, i + 1);
    else if (RUNS.has(name)) i = readAction(use, i + 1, name.endsWith("dir"));
    else if (name === "-delete") {
      use.goesBeyond("-delete removes files", WRITE);
      use.unknownPaths = true;
    } else if (WRITES.has(name)) {
      use.goesBeyond(`${name} writes a file`, WRITE);
      const target = args[i + 1];
      if (target !== undefined) use.writePath(target);
      i += name === "-fprintf" ? 2 : 1;
    } else {
      // `-files0-from` and `-f` of BSD name where it starts; others may do anything.
      const reason = `${name} is not known to be harmless`;
      use.goesBeyond(reason, EXECUTE);
      use.unknownPaths = true;
      if (use.risk !== OPAQUE) use.cannotTell(reason);
    }
  }
}

function readValue(use: CommandUse, name: string, at: number): number {
  const value = use.args[at];
  if (value === undefined) use.goesBeyond(`${name} without its value`, EXECUTE);
  else {
    // A value that becomes several words leaves some of them to be actions.
    if (value.kind === MANY || value.kind === GLOB)
      use.goesBeyond(`${value.text} may become several words`, EXECUTE);
    if (READS_VALUE.has(name) || name.startsWith("-newer")) use.readPath(value);
  }
  return at;
}

function readAction(use: CommandUse, start: number, elsewhere: boolean): number {
  const words: Arg[] = [];
  let i = start;
  for (; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    if (isLiteral(arg) && (arg.text === ";" || (arg.text === "+" && use.args[i - 1]?.text === "{}"))) break;
    words.push(arg.kind === LITERAL && arg.text.includes("{}") ? found(arg) : arg);
  }
  use.goesBeyond("runs a command for what it finds", use.risk);
  if (i >= use.args.length || words.length === 0)
    use.cannotTell("the command of find -exec has no end; end it with \\; or +");
  const { directories } = use.walk;
  if (elsewhere) use.walk.directories = UNKNOWN_DIRECTORY;
  if (words.length > 0) judgeInner(use, "find", start, { words, beyond: "run by find" });
  use.walk.directories = directories;
  return i;
}

/** A found path starts like the directory given to find, so it is no option. */
function found(arg: Arg): Arg {
  const unknown = withUnknown(arg, "{}");
  return unknown.prefix === "" ? { ...unknown, prefix: "./" } : unknown;
}

const PLAIN = wordSet(
  "-print -print0 -ls -prune -depth -d -daystart -empty -executable -readable -writable -follow -mount -xdev -noleaf -nouser -nogroup -quit -true -false " +
    "-not -a -and -o -or ! ( ) , -ignore_readdir_race -noignore_readdir_race -nowarn -warn -help --help -version --version",
);
const WITH_VALUE = wordSet(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer " +
    "-anewer -cnewer -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -samefile -fstype -printf -regextype -used -context -D",
);
const READS_VALUE = wordSet("-newer -anewer -cnewer -samefile");
const RUNS = wordSet("-exec -execdir -ok -okdir");
const WRITES = wordSet("-fprint -fprint0 -fls -fprintf");
