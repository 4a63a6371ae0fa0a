/** Fields that hold a command line, told by the words in their names, however these are spelled. */

import { wordSet } from "../text/words.ts";
import { longestName, wordsInName } from "./field-words.ts";

/** Names that say enough when written without a break: `shellcommand`, `startcmd`, `argv`. */
const commandName =
  /(?:command|cmd)(?:s|lines?|strings?|text|torun|toexecute)?$|^(?:shell|bash|sh|zsh|terminal|powershell|pwsh)(?:scripts?|code|lines?)$|^(?:scripts?|argv|bash|zsh|powershell|pwsh|exec|execute)$/;

/** Only what may hold one of the words below is cut into words. */
const mayHoldWord = /command|cmd|bash|zsh|pwsh|powershell|exec|invocation|cli|shell|terminal|script/i;

/** A field with one of these words is a command: `command_to_run`, `exec_args`, `cmd2`. */
const saying = wordSet(
  "command commands commandline commandlines cmd cmds cmdline cmdlines invocation invocations bash zsh pwsh powershell exec cli",
);

/** They may also name a program, a window or a file; together with one of the second kind they are a line. */
const naming = wordSet("shell sh terminal tty console script scripts execute");
const forLines = wordSet(
  "line lines text string strings input code body content contents source inline to run exec execute start startup setup init install build pre post before after shell sh bash terminal script",
);

/** `commandId`, `exec_timeout`, `cli_version`: something about a command. */
const aboutIt = wordSet(
  "id ids uuid name names title label description summary help hint type kind mode format status state result results output outputs stdout stderr error errors exit log logs history timeout timeouts time duration seconds ms limit max min count total number index size length version prefix suffix path paths dir directory folder cwd file files url uri host user env environment enabled disabled allowed is has can should use enable disable needs supports show hide policy permission risk category group tag tags key token date at by created updated sql query java type google language lang palette schema",
);

/** Commands of their own, not the words of one. */
const manyName = /(?:commands|cmds|lines|strings|scripts)$/;
const many = wordSet(
  "commands cmds commandlines cmdlines invocations scripts lines strings list batch queue sequence",
);

const argumentNames = wordSet("args arguments argv params parameters");

export function isCommandField(name: string): boolean {
  if (name.length > longestName) return false;
  if (commandName.test(plain(name))) return true;
  if (!mayHoldWord.test(name)) return false;
  const parts = wordsInName(name);
  if (parts.some((word) => aboutIt.has(word))) return false;
  if (parts.some((word) => saying.has(word))) return true;
  const others = parts.filter((word) => !naming.has(word));
  const named = parts.length - others.length;
  return named > 0 && (named > 1 || others.length > 0) && others.every((word) => forLines.has(word));
}

export function holdsManyCommands(name: string): boolean {
  if (name.length > longestName) return false;
  return manyName.test(plain(name)) || wordsInName(name).some((word) => many.has(word));
}

/** `command: "rm", args: ["-rf", "x"]`: the rest of the line stands beside it. */
export function isArgumentField(name: string): boolean {
  return name.length <= longestName && argumentNames.has(plain(name));
}

function plain(name: string): string {
  return name.replaceAll(/[\s_.-]/g, "").toLowerCase();
}
