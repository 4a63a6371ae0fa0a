/** The ways in which one command could be written, for rules that mean to stop it however it is written. */
import type { JudgedCommand } from "../../core/ports/command.ts";
import type { Operator } from "../shapes/operators.ts";
import type { Answer } from "./condition.ts";
import { hasSubcommands, isSetting, takesNextWord } from "./options-before-words.ts";
import { passedOn, sameAct } from "./same-acts.ts";
import { findWords, wordsOf } from "./words-in-order.ts";

export interface CommandForm {
  readonly argv: readonly string[];
  /** Indexes of words that are not known before it runs. */
  readonly dynamic: readonly number[];
}

/** As written, without global options, by its other name, with wrappers in front, and each wrapper alone (to deny `sudo`). */
export function commandForms(command: JudgedCommand): readonly CommandForm[] {
  const known = formsOf.get(command);
  if (known !== undefined) return known;
  const forms = findForms(command);
  formsOf.set(command, forms);
  return forms;
}

/** Every rule about commands asks for those of the same command. */
const formsOf = new WeakMap<JudgedCommand, readonly CommandForm[]>();

function findForms({ argv, dynamic, via: written }: JudgedCommand): CommandForm[] {
  const via = written.map((wrapper) => wrapper.slice(wrapper.lastIndexOf("/") + 1));
  const plain = { argv: bareProgram(argv), dynamic };
  const forms: CommandForm[] = [plain];
  const short = withoutGlobalOptions(plain);
  if (short !== undefined) forms.push(short);
  for (const form of short === undefined ? [plain] : [plain, short]) {
    for (const same of [sameAct(form), passedOn(form)]) if (same !== undefined) forms.push(same);
  }
  if (via.length === 0) return forms;
  forms.push({ argv: [...via, ...plain.argv], dynamic: dynamic.map((index) => index + via.length) });
  for (const wrapper of via) forms.push({ argv: [wrapper], dynamic: [] });
  return forms;
}

export function bareProgram(argv: readonly string[]): readonly string[] {
  const [program = "", ...rest] = argv;
  return [program.slice(program.lastIndexOf("/") + 1), ...rest];
}

/** Words keep their order. Options may stand anywhere, in any spelling: `rm -rf` is `rm -f -r`. */
export function mayMean(
  { argv, dynamic }: CommandForm,
  operator: Operator,
  wanted: readonly string[],
): Answer {
  if (operator === "equals") {
    if (argv.length !== wanted.length) return false;
    if (wanted.every((word, index) => argv[index] === word)) return true;
    return (
      dynamic.length > 0 &&
      wanted.every((word, index) => argv[index] === word || dynamic.includes(index)) &&
      "maybe"
    );
  }
  const end = endOfOptions(argv, dynamic);
  const isOptionAt = (index: number) => index < end && isOption(argv[index] ?? "");
  const spelled = (option: string) => (argv[0] === "rm" ? spelledShort(option) : option);
  const options = argv.filter((_, index) => isOptionAt(index) && !dynamic.includes(index)).map(spelled);
  const wantedWords = wanted.filter((word) => !isOption(word));
  const words = wordsOf(argv, isOptionAt).filter(({ index }) => index !== end && !dynamic.includes(index));
  const anywhere = operator === "contains";
  const { found } = findWords(words, wantedWords, anywhere);
  const hasOptions = wanted
    .filter(isOption)
    .map(spelled)
    .every((option) => options.some((one) => sameOption(one, option, options)));
  if (found === true && hasOptions) return true;
  if (dynamic.length === 0) return hasOptions && found;
  // What is not known may be the missing word or option, unless a known word before it already differs.
  const known = words.filter(({ index }) => index < (dynamic[0] ?? 0));
  return anywhere || findWords(known, wantedWords, false).mayGoOn ? "maybe" : false;
}

/** Behind `--` nothing is an option any more: `rm -- -rf` removes a file of that name. */
function endOfOptions(argv: readonly string[], dynamic: readonly number[]): number {
  const dashes = withoutValues.has(argv[0] ?? "") ? argv.indexOf("--") : -1;
  return dashes === -1 || dynamic.some((index) => index < dashes) ? argv.length : dashes;
}

/** Programs whose options take no separate value, so that `--` never is one. */
const withoutValues = new Set(["rm", "rmdir", "unlink", "cat"]);

function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

function sameOption(given: string, wanted: string, all: readonly string[]): boolean {
  if (given === wanted || given.startsWith(`${wanted}=`)) return true;
  const name = given.split("=", 1)[0] ?? given;
  if (wanted.startsWith("--")) return name.startsWith("--") && name.length > 3 && wanted.startsWith(name);
  // Short options may be joined or apart, so their letters are looked for in all of them.
  const letters = all.filter((one) => /^-[A-Za-z0-9]+$/.test(one)).join("");
  return /^-[A-Za-z0-9]+$/.test(wanted) && [...wanted.slice(1)].every((letter) => letters.includes(letter));
}

/** The command that is denied most has three spellings: `rm -rf`, `rm -Rf`, `rm --recursive --force`. */
function spelledShort(option: string): string {
  if (!option.startsWith("--")) return option.replaceAll("R", "r");
  if (option.length < 3) return option;
  if ("--recursive".startsWith(option)) return "-r";
  return "--force".startsWith(option) ? "-f" : option;
}

/** `git -C . push` is `git push` to a rule that means to stop it, and `npm --prefix x publish` publishes. */
function withoutGlobalOptions({ argv, dynamic }: CommandForm): CommandForm | undefined {
  const [program = ""] = argv;
  if (!hasSubcommands(program)) return undefined;
  let at = 1;
  for (let word = argv[at]; word !== undefined; word = argv[at]) {
    if (!word.startsWith("-") && !isSetting(program, word)) break;
    at += takesNextWord(program, word) ? 2 : 1;
  }
  if (at === 1) return undefined;
  const later = dynamic.filter((index) => index >= at).map((index) => index - at + 1);
  return { argv: [program, ...argv.slice(at)], dynamic: later };
}
