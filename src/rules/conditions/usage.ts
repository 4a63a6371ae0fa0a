/**
 * A command's use, written as manuals write it: `git log [--oneline] [-n NUMBER] [PATH...]`. The words of an
 * approved command are compared one by one, and an option that is not named is not covered. An option in
 * parentheses must be there, at any place: `ruff format (--check) [PATH...]`. `[<]`: it may be fed something.
 */

export interface Usage {
  /** The words that it begins with, the program first. */
  readonly words: readonly string[];
  /** What it is to do may come by its input, which no word tells: `psql shop <<< '\\! rm -rf x'`. */
  readonly mayBeFed: boolean;
  matches(argv: readonly string[]): boolean;
}

/** What a word in capitals stands for. None of them begins with a dash or holds what a shell would act on. */
export const operandTypes = {
  NUMBER: /^\d{1,9}$/,
  HASH: /^[0-9a-f]{7,40}$/,
  /** One name without a folder. */
  NAME: /^[A-Za-z0-9_][\w.+-]*$/,
  /**
   * Leads down from the folder that the command runs in; no name begins with a dot. `@x` is a file with more
   * arguments to many programs, and `+x` a forced branch to git: these only behind `./`.
   */
  PATH: /^(?:\.\/|(?![@+]))(?:[A-Za-z0-9_@+][\w.@+-]*\/)*[A-Za-z0-9_@+][\w.@+-]*\/?$/,
  /** A sentence for people, such as the message of a commit. */
  TEXT: /^[^-\p{Cc}][^\p{Cc}]*$/u,
} as const;

export type OperandType = keyof typeof operandTypes;

type Fits = (word: string) => boolean;

interface Option {
  readonly name: Fits;
  /** The word behind it. */
  readonly value: Fits | undefined;
  readonly isNeeded: boolean;
}

interface Operand {
  readonly fits: Fits;
  readonly least: 0 | 1;
  readonly most: number;
}

const maxOperands = 64;

/** A string is the problem, said for the policy's author. */
export function parseUsage(text: string): Usage | string {
  const parts = text.trim().match(/\[[^[\]]*\]|\([^()]*\)|[^\s[\]()]+|[[\]()]/g) ?? [];
  const words: string[] = [];
  const options: Option[] = [];
  const operands: Operand[] = [];
  let mayBeFed = false;
  for (const part of parts) {
    if (part === "[<]") {
      mayBeFed = true;
      continue;
    }
    if (["[", "]", "(", ")"].includes(part))
      return `usage ${JSON.stringify(text)} has a bracket without the other.`;
    if (part.startsWith("[")) {
      const problem = addOptional(part.slice(1, -1).trim(), options, operands);
      if (problem !== undefined) return problem;
    } else if (part.startsWith("(")) {
      const problem = addOption(part.slice(1, -1).trim(), options, true);
      if (problem !== undefined) return problem;
    } else if (isFirst(part, words) && options.length === 0 && operands.length === 0) words.push(part);
    else if (part.startsWith("-")) return `usage writes options behind others in brackets: [${part}].`;
    else operands.push({ fits: fitsOne(part), least: 1, most: 1 });
  }
  if (words.length === 0) return `usage ${JSON.stringify(text)} must begin with the name of a program.`;
  return { words, mayBeFed, matches: (argv) => matches(argv, words, options, operands) };
}

function addOption(inside: string, options: Option[], isNeeded: boolean): string | undefined {
  const [name = "", value, ...rest] = inside.split(/\s+/);
  if (!name.startsWith("-") || rest.length > 0)
    return `usage takes one option, or one option with its value, in parentheses, not (${inside}).`;
  options.push({ name: fitsOne(name), value: value === undefined ? undefined : fitsOne(value), isNeeded });
  return undefined;
}

function addOptional(inside: string, options: Option[], operands: Operand[]): string | undefined {
  const [name = "", value, ...rest] = inside.split(/\s+/);
  if (name === "" || rest.length > 0)
    return `usage takes one option, one option with its value, or one word in brackets, not [${inside}].`;
  if (name.startsWith("-")) return addOption(inside, options, false);
  if (value !== undefined) return `usage takes each word in brackets of its own, not [${inside}].`;
  const isMany = name.endsWith("...");
  const fits = fitsOne(isMany ? name.slice(0, -3) : name);
  operands.push({ fits, least: 0, most: isMany ? maxOperands : 1 });
  return undefined;
}

/** `a|b`: one of them. */
function fitsOne(written: string): Fits {
  const forms = written.split("|").map(fitsForm);
  return (word) => forms.some((fits) => fits(word));
}

const typed = /^(.*?)(?<![A-Z])(NUMBER|HASH|NAME|PATH|TEXT)(?![A-Z])(.*)$/;

/** `--depth=NUMBER`, `src/PATH.ts`: what stands around the type is compared as it is. */
export function fitsForm(form: string): Fits {
  const [, before = "", type, after = ""] = typed.exec(form) ?? [];
  if (type === undefined) return (word) => word === form;
  const pattern = operandTypes[type as OperandType];
  return (word) => {
    if (!word.startsWith(before) || !word.endsWith(after)) return false;
    if (word.length <= before.length + after.length) return false;
    const middle = word.slice(before.length, word.length - after.length);
    // `src/x/.ts` is a hidden file, and no `src/PATH.ts`.
    return pattern.test(middle) && (after === "" || !middle.endsWith("/"));
  };
}

/** `git checkout -b`: an option may be one of the first words, and then it has to stand there. */
function isFirst(part: string, words: readonly string[]): boolean {
  return (!part.startsWith("-") || words.length > 0) && !part.includes("|") && !typed.test(part);
}

function matches(
  argv: readonly string[],
  words: readonly string[],
  options: readonly Option[],
  operands: readonly Operand[],
): boolean {
  if (!words.every((word, index) => argv[index] === word)) return false;
  const found: string[] = [];
  const missing = new Set(options.filter(({ isNeeded }) => isNeeded));
  for (let at = words.length; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-") || word === "-") {
      found.push(word);
      continue;
    }
    const option = options.find(
      ({ name, value }) => name(word) && (value === undefined || value(argv[at + 1] ?? "")),
    );
    if (option === undefined) return false;
    missing.delete(option);
    if (option.value !== undefined) at++;
  }
  return missing.size === 0 && fitAll(found, 0, operands, 0);
}

/** Whether the words from `at` on are the operands from `next` on. */
function fitAll(found: readonly string[], at: number, operands: readonly Operand[], next: number): boolean {
  const operand = operands[next];
  if (operand === undefined) return at === found.length;
  if (operand.least === 0 && fitAll(found, at, operands, next + 1)) return true;
  for (let taken = 1; taken <= operand.most && at + taken <= found.length; taken++) {
    if (!operand.fits(found[at + taken - 1] ?? "")) return false;
    if (fitAll(found, at + taken, operands, next + 1)) return true;
  }
  return false;
}
