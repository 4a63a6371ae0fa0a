/** Text that another shell, or this one again, will read: `bash -c`, `eval`, `trap`, `watch`. */

import { isLiteral, literalArg } from "../arg.ts";
import { CommandUse } from "../command-use.ts";
import { withLoop } from "../loops.ts";
import { parseLine } from "../parse.ts";
import { readScript } from "../statements.ts";
import {
  ANYTHING,
  EXECUTE,
  forgetValues,
  markOpaque,
  markUnread,
  restoring,
  type Value,
  type Walk,
} from "../walk.ts";
import { checkZshText } from "../words/zsh.ts";

const MAX_DEPTH = 8;

/** `same`: read by this shell now; `later`: by this shell at some time; `bash` and `sh`: by a child. */
type Reader = "same" | "later" | "bash" | "sh";

/** What holds for one text only. */
const ABOUT_TEXT = ["source", "via", "certain", "depth", "posix", "zsh", "settled", "inQuotes"] as const;

export function readShellText(use: CommandUse, name: string, text: string, reader: Reader): void {
  const { walk } = use;
  if (walk.depth >= MAX_DEPTH) {
    markUnread(walk, "shells are nested too deeply; split the line", text);
    return;
  }
  const parsed = parseLine(text);
  if (!parsed.ok) {
    markUnread(walk, parsed.reason, text);
    return;
  }
  if (use.beyond !== undefined) markOpaque(walk, use.beyond, text);
  const child = reader === "bash" || reader === "sh";
  const before = walk.commands.length;
  restoring(walk, child ? [...ABOUT_TEXT, "values", "directories"] : ABOUT_TEXT, () => {
    walk.source = text;
    walk.via = [...walk.via, name];
    walk.certain = false;
    walk.depth++;
    walk.posix ||= reader === "sh";
    if (reader === "later") forgetValues(walk);
    if (child) {
      walk.values = childValues(walk);
      walk.zsh = false;
    }
    if (reader !== "same") walk.settled = undefined;
    walk.inQuotes = false;
    if (walk.zsh) checkZshText(walk, text);
    withLoop(walk, undefined, () => readScript(walk, parsed.script));
  });
  // Text without a command, such as an assignment: the wrapper itself is what runs.
  if (walk.commands.length === before) use.finish();
}

/**
 * Text of which a part is not known, or that comes another way than by a word: what is written in it runs all
 * the same, and rules that stop it hold. It was called opaque before, so nothing is approved by this.
 */
export function readPartsOf(use: CommandUse, name: string, text: string): void {
  const { walk } = use;
  if (walk.depth >= MAX_DEPTH) return;
  // What stands in a substitution is read once more here, and so on inwards: that doubles with each level.
  walk.partsRead += text.length + 500;
  if (walk.partsRead > MAX_PARTS) markUnread(walk, "too much of the text is only known when it runs", text);
  else if (parseLine(text).ok) readShellText(use, name, text, "bash");
}

/** In characters: some milliseconds. */
const MAX_PARTS = 50_000;

/** What `bash <<EOF` and `sudo bash <<< text` feed to the shell among the commands from `first` on. */
export function readFedText(walk: Walk, first: number, texts: readonly string[]): void {
  const shell = walk.commands.slice(first).find(({ argv }) => readsInput.test(argv[0] ?? ""));
  if (shell === undefined) return;
  const use = new CommandUse(
    walk,
    shell.argv.map((text) => literalArg(text)),
  );
  for (const text of texts) readPartsOf(use, "bash", text);
}

const readsInput = /^(?:.*\/)?(?:(?:ba|da|z|k|mk|a|rba)?sh|source|\.)$/;

/** A child shell sees a variable of the line only if it is exported, else the environment's. */
function childValues(walk: Walk): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const name of walk.values?.keys() ?? []) values.set(name, ANYTHING);
  return values;
}

export function readShell(use: CommandUse): void {
  const path = use.args[0]?.text ?? "";
  const name = path.slice(path.lastIndexOf("/") + 1);
  let i = 1;
  let command = false;
  for (; i < use.args.length; i++) {
    const arg = use.args[i];
    if (!isLiteral(arg)) {
      refuse(
        use,
        command
          ? `the text that ${name} -c runs is only known when it runs; write the command itself`
          : `the options of ${name} are only known when it runs; write them out`,
      );
      const at = command ? i : 1 + use.args.findIndex((word, at) => at > i && /^-[a-z]*c$/.test(word.text));
      if (at > 0) readPartsOf(use, name, use.args[at]?.text ?? "");
      return;
    }
    const text = arg.text;
    if (text === "--" || text === "-") {
      i++;
      break;
    }
    if (/^[-+]o$/.test(text)) {
      i++;
      if (!/^(?:pipefail|errexit|nounset|xtrace)$/.test(use.args[i]?.text ?? "")) {
        refuse(use, `it is not known what an option of ${name} does`);
        return;
      }
    } else if (/^-[ceuxl]+$/.test(text)) command ||= text.includes("c");
    else if (
      /^-[ceuxl]*o$/.test(text) &&
      /^(?:pipefail|errexit|nounset)$/.test(use.args[i + 1]?.text ?? "")
    ) {
      command ||= text.includes("c");
      i++;
    } else if (text === "--norc" || text === "--noprofile" || text === "--posix") continue;
    else if (/^-(?:-version)$/.test(text) && use.args.length === 2) {
      use.finish();
      return;
    } else if (/^[-+]/.test(text)) {
      refuse(use, `it is not known what an option of ${name} does`);
      return;
    } else break;
  }
  const operand = use.args[i];
  if (command) {
    if (!isLiteral(operand)) {
      refuse(use, `the text that ${name} -c runs is only known when it runs; write the command itself`);
      readPartsOf(use, name, operand?.text ?? "");
    } else {
      const { walk } = use;
      if (!/^(?:bash|rbash|sh|dash|ash)$/.test(name))
        markOpaque(walk, `${name} reads its text in another way than bash`, operand.text);
      readShellText(use, name, operand.text, name === "bash" || name === "rbash" ? "bash" : "sh");
    }
    return;
  }
  if (operand === undefined) {
    refuse(use, `${name} runs what comes by its input, which is not read in advance`);
    return;
  }
  use.raise(EXECUTE);
  use.unknownPaths = true;
  use.readPath(operand);
  if (!isLiteral(operand) || operand.text.startsWith("/dev/"))
    use.cannotTell(`the script that ${name} runs is only known when it runs; write its name`);
  use.finish();
}

function refuse(use: CommandUse, reason: string): void {
  use.unknownPaths = true;
  use.cannotTell(reason);
  use.finish();
}
