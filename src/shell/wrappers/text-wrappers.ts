/** Wrappers that hand text to a shell: eval, trap, watch, flock -c, su -c. */

import { type Arg, isLiteral } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import { lazySpec, type OptionSpec } from "../option-spec.ts";
import { EXECUTE, UNKNOWN_DIRECTORY, WRITE } from "../walk.ts";
import { readPartsOf, readShellText } from "./nested-shell.ts";
import { judgeInner, programName, skipOptions, unwrapByGuess } from "./unwrap.ts";

export function readEval(use: CommandUse): void {
  const start = use.args[1]?.text === "--" ? 2 : 1;
  const words = use.args.slice(start);
  if (!words.every(isLiteral)) {
    use.cannotTell("the text that eval runs is only known when it runs; write the command itself");
    use.finish();
    readPartsOf(use, "eval", textOf(words));
    return;
  }
  readShellText(use, "eval", textOf(words), "same");
}

function textOf(words: readonly Arg[]): string {
  return words.map((word) => word.text).join(" ");
}

export function readTrap(use: CommandUse): void {
  const action = use.args[use.args[1]?.text === "--" ? 2 : 1];
  if (action === undefined || (isLiteral(action) && /^-[lp]*$|^$|^\d+$/.test(action.text))) {
    use.finish();
    return;
  }
  if (!isLiteral(action)) {
    use.cannotTell("the text that trap runs is only known when it runs; write the command itself");
    use.finish();
    readPartsOf(use, "trap", action.text);
    return;
  }
  // Between any two commands, so what it sets or where it goes would matter for all of them.
  const signals = use.args.slice(use.args.indexOf(action) + 1);
  const atExit = signals.every((signal) => isLiteral(signal) && /^(?:EXIT|0)$/.test(signal.text));
  if (!atExit && !/^[\w ./-]*$/.test(action.text))
    use.cannotTell("nobody knows in advance when trap runs its commands");
  if (!atExit && /^\s*(?:cd|pushd|popd)\b/.test(action.text))
    use.cannotTell("trap changes the folder; write paths instead of cd");
  const directories = use.walk.directories;
  use.walk.directories = UNKNOWN_DIRECTORY;
  readShellText(use, "trap", action.text, "later");
  use.walk.directories = directories;
}

/** `watch ls -l` and `flock file -c "ls"` hand text to a shell. */
export function readWatch(use: CommandUse): void {
  const at = skipOptions(use, WATCH_SPEC());
  const words = at < 0 ? [] : use.args.slice(at);
  if (words.length > 0 && words.every(isLiteral)) {
    readShellText(use, "watch", textOf(words), "sh");
    return;
  }
  unwrapByGuess(use, "watch");
  const unknown = use.args.findIndex((arg) => !isLiteral(arg));
  if (unknown > 0) readPartsOf(use, "watch", textOf(use.args.slice(unknown)));
}

export const WATCH: OptionSpec = {
  flags: "btcegxpfrCw",
  attached: "d",
  refuses: "hsv",
  values: "nq",
  long: "beep color no-color differences? errexit chgexit equexit= exec interval= precise no-rerun no-title no-wrap no-linewrap follow shotsdir=!",
};

const WATCH_SPEC = lazySpec(WATCH);

export function readFlock(use: CommandUse): void {
  const at = skipOptions(use, FLOCK_SPEC());
  const file = use.args[at];
  const next = use.args[at + 1];
  if (at < 0 || file === undefined || next === undefined || !isLiteral(next)) {
    unwrapByGuess(use, "flock");
    return;
  }
  use.writePath(file);
  use.raise(WRITE);
  use.finish();
  if (next.text !== "-c" && next.text !== "--command") {
    judgeInner(use, "flock", at + 1);
    return;
  }
  const text = use.args[at + 2];
  if (isLiteral(text)) readShellText(use, "flock", text.text, "sh");
  else {
    use.cannotTell("the text that flock -c runs is only known when it runs; write the command itself");
    readPartsOf(use, "flock", text?.text ?? "");
  }
}

export const FLOCK: OptionSpec = {
  flags: "sxeunoF",
  values: "wE",
  refuses: "c",
  long: "shared exclusive unlock nonblock timeout= wait= conflict-exit-code= close no-fork verbose command=! fcntl start= length=",
};

const FLOCK_SPEC = lazySpec(FLOCK);

export function readSu(use: CommandUse): void {
  use.raise(EXECUTE);
  const at = use.args.findIndex((arg) => arg.text === "-c" || arg.text === "--command");
  const text = use.args[at + 1];
  use.cannotTell("it runs a shell as another user");
  use.finish();
  if (at <= 0 || text === undefined) return;
  if (isLiteral(text)) readShellText(use, programName(use), text.text, "sh");
  else readPartsOf(use, programName(use), text.text);
}
