/** One command taken apart by what its program is known to take: options, their values, and the other words. */
import type { JudgedCommand } from "../../core/ports/command.ts";
import { plainWrappers } from "../../rules/conditions/command-condition.ts";
import { type OperandType, operandTypes } from "../../rules/conditions/usage.ts";
import { findHarmless, type HarmlessCommand, isBuildFolder } from "../floor/harmless-commands.ts";

export interface CommandShape {
  readonly known: HarmlessCommand;
  readonly argv: readonly string[];
  /** Options as usage writes them: `--fix`, `-n NUMBER`, `--depth=NUMBER`; with the value that was given. */
  readonly options: readonly ShapedOption[];
  readonly operands: readonly string[];
}

export interface ShapedOption {
  readonly name: string;
  /** How the value stands: `-n 5`, `--depth=5`, `-j4`. */
  readonly form: "alone" | "next" | "equals" | "joined";
  readonly value?: string;
}

/** Of the same words and the same options that change what is done: only such speak for one another. */
export function keyOf({ known, options, operands }: CommandShape): string {
  const changing = options
    .filter(({ name }) => !known.mere.has(name))
    .map(({ name, form }) => `${name}:${form}`);
  // `make test install` says nothing of `make install`.
  const together = known.operands === "pinned" && operands.length > 1 ? operands : [];
  return ["command", ...known.words, ...[...new Set(changing)].sort(), ...together].join(" ");
}

export type Shaped =
  | { readonly ok: true; readonly shape: CommandShape }
  | { readonly ok: false; readonly why: string };

/** Each of their words is a target of its own. */
const takesMany = new Set(["make", "gmake"]);

/** The floor for commands: whatever is not positively known to be harmless has no shape. */
export function shapeCommand(command: JudgedCommand): Shaped {
  const { argv, dynamic, via, beyond, risk, elsewhere, fed } = command;
  const program = argv[0] ?? "";
  const refuse = (why: string): Shaped => ({ ok: false, why });
  if (risk === "opaque") return refuse("commands that nobody can read in advance");
  if (via.some((wrapper) => !plainWrappers.has(wrapper)))
    return refuse(`commands behind ${via.find((wrapper) => !plainWrappers.has(wrapper))}`);
  if (elsewhere === true) return refuse("commands behind a cd");
  if (fed === true) return refuse("commands that the line feeds something into");
  if (dynamic.length > 0) return refuse("words that are only known when the line runs");
  if (beyond !== undefined) return refuse(`${program} that does more than usual`);
  const known = findHarmless(argv);
  if (known === undefined)
    return refuse(`${argv.slice(0, 2).join(" ")}: not among the commands that are known to be harmless`);
  const options: ShapedOption[] = [];
  const operands: string[] = [];
  for (let at = known.words.length; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const option = readOption(word, argv[at + 1], known);
    if (option === undefined) return refuse(`${known.words.join(" ")} with ${word.split("=", 1)[0]}`);
    options.push(option);
    if (option.form === "next") at++;
  }
  const odd = operands.find((word) => !mayBeOperand(word, known.operands));
  if (odd !== undefined || operands.length > known.mostOperands)
    return refuse(`${known.words.join(" ")} with words that are not known to be harmless`);
  if (known.operands === "pinned" && known.words.length > 1 && operands.length === 0)
    return refuse(`${known.words.join(" ")} without a name`);
  // `npm run lint deploy`: words for a script are no scripts, and in a rule one could stand for the other.
  if (known.operands === "pinned" && operands.length > 1 && !takesMany.has(known.words[0] ?? ""))
    return refuse(`${known.words.join(" ")} with words for what it runs`);
  return { ok: true, shape: { known, argv, options, operands } };
}

/** Undefined: the option, or its value, is not known to be harmless. */
function readOption(
  word: string,
  next: string | undefined,
  known: HarmlessCommand,
): ShapedOption | undefined {
  if (known.flags.has(word)) return { name: word, form: "alone" };
  const equals = word.indexOf("=");
  if (equals > 0) {
    const [name, value] = [word.slice(0, equals), word.slice(equals + 1)];
    return isValue(known.values.get(name), value) ? { name, form: "equals", value } : undefined;
  }
  if (known.values.has(word))
    return next !== undefined && isValue(known.values.get(word), next)
      ? { name: word, form: "next", value: next }
      : undefined;
  const short = word.slice(0, 2);
  const value = word.slice(2);
  return known.joined.has(short) && isValue(known.values.get(short), value)
    ? { name: short, form: "joined", value }
    : undefined;
}

function isValue(type: OperandType | "pinned" | undefined, value: string): boolean {
  if (type === undefined) return false;
  return type === "pinned" ? isPinned(value) : operandTypes[type].test(value);
}

function mayBeOperand(word: string, operands: HarmlessCommand["operands"]): boolean {
  if (operands === "none") return false;
  if (operands === "pinned") return isPinned(word);
  if (operands === "build-folder") return isBuildFolder(word);
  // Of a folder as a whole, and of all packages of a project.
  if (operands === "PATH" && (word === "." || word === "./...")) return true;
  return operandTypes[operands].test(word);
}

/** The name of a script, a target, a reporter: it stands in the rule as it is. */
function isPinned(word: string): boolean {
  return (
    /^[A-Za-z][\w:.-]{0,63}$/.test(word) &&
    !word.includes("::") &&
    !/^(?:NUMBER|HASH|NAME|PATH|TEXT)$/.test(word)
  );
}
