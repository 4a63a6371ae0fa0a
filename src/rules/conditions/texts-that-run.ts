/** Commands that a program is given to run, for rules that mean to stop them: `git rebase -x 'rm -rf x'`. */
import type { JudgedCommand } from "../../core/ports/command.ts";
import { wordSet } from "../../core/text/words.ts";

/** More than anybody writes. */
const maxTexts = 64;

/** They run the text of `-c` in a shell. */
const packageRunners = wordSet("npm npx pnpm pnpx yarn bunx");

/** Their value is a command, whatever the program: `split --filter='gzip > $FILE.gz'`, `nodemon --exec`. */
const namesCommand = /^--(?:call|cmd|command|exec|filter|pre|rsh|run|shell-command)(?:=|$)/;

/**
 * The words of each. Only of options that name one, and of programs that do more here than is plain: of others a
 * text is a message. It is read roughly, so that it can make a rule doubt, and not more.
 */
export function textsThatRun({
  argv,
  dynamic,
  beyond,
  risk,
}: Pick<JudgedCommand, "argv" | "dynamic" | "beyond" | "risk">): string[][] {
  if (risk === "read" || (risk === "write" && beyond === undefined)) return [];
  const program = (argv[0] ?? "").replace(/^.*\//, "");
  const found: string[][] = [];
  const given = program === "git" ? behindSubcommand(argv) : undefined;
  if (given !== undefined) found.push(given);
  for (const [index, word] of argv.entries()) {
    if (found.length >= maxTexts) break;
    if (index === 0 || dynamic.includes(index) || !/\s/.test(word)) continue;
    const option = argv[index - 1] ?? "";
    const isNamed = namesCommand.test(word) || (namesCommand.test(option) && !option.includes("="));
    const isCall = option === "-c" && packageRunners.has(program);
    if (beyond !== undefined || isNamed || isCall) found.push(...commandsIn(word));
  }
  return found;
}

/** `git bisect run rm -rf x` */
function behindSubcommand(argv: readonly string[]): string[] | undefined {
  const at = argv.findIndex(
    (word, index) =>
      (word === "run" && argv[index - 1] === "bisect") ||
      (word === "foreach" && argv.slice(1, index).includes("submodule")),
  );
  if (at < 0) return undefined;
  const rest = argv.slice(at + 1);
  while (rest[0]?.startsWith("-")) rest.shift();
  return rest;
}

/** `core.pager=rm -rf x`, `-Orm -rf x`, `!rm -rf x; ls` */
function commandsIn(word: string): string[][] {
  const text = word.replace(/^-[A-Za-z](?=\S)/, "").replace(/^[\w.-]+=/, "");
  return text
    .split(/[;&|\n(){}`!]+/, maxTexts)
    .map((part) => part.replaceAll(/["'\\]/g, "").trim())
    .filter((part) => part !== "")
    .map((part) => part.split(/\s+/));
}
