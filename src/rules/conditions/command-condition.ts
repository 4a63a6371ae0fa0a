/** Conditions on commands: words compared as words, strictly to approve and generously to stop. */
import type { JudgedCommand } from "../../core/ports/command.ts";
import type { CompilePattern } from "../../core/ports/pattern.ts";
import type { Operator } from "../shapes/operators.ts";
import { bareProgram, type CommandForm, commandForms, mayMean } from "./command-forms.ts";
import { type Answer, type CallView, type Holds, stronger } from "./condition.ts";
import { mayBeginWith, type PatternHead, patternHead } from "./pattern-head.ts";
import { sameAct } from "./same-acts.ts";
import { type TextTest, textTest } from "./text-test.ts";
import { textsThatRun } from "./texts-that-run.ts";
import { parseUsage, type Usage } from "./usage.ts";

/** Wrappers that change how long or how nicely something runs, but not what runs or as whom. */
export const plainWrappers: ReadonlySet<string> = new Set([
  "timeout",
  "nice",
  "ionice",
  "time",
  "nohup",
  "stdbuf",
  "command",
]);

/** What a condition asks of a command. */
interface Asked {
  readonly operator: Operator;
  readonly wanted: readonly string[];
  /** The same by its other names, for rules that stop. */
  readonly spellings: readonly (readonly string[])[];
  /** For `matches`. */
  readonly test: TextTest | undefined;
  readonly head: PatternHead | undefined;
  readonly usage: Usage | undefined;
  /** Another condition says where. */
  readonly anyFolder: boolean;
}

/** `git push` holds for `git push origin`, not for `git pushx`. */
export function commandHolds(
  { operator, value, anyFolder }: Pick<Asked, "operator" | "anyFolder"> & { readonly value: string },
  compilePattern: CompilePattern,
): Holds | string {
  const test = operator === "matches" ? textTest("matches", value, compilePattern) : undefined;
  if (typeof test === "string") return test;
  const head = test === undefined ? undefined : patternHead(value);
  const usage = operator === "usage" ? parseUsage(value) : undefined;
  if (typeof usage === "string") return usage;
  // To stop a command, what it begins with is enough, whatever comes behind.
  const wanted = usage?.words ?? value.trim().split(/\s+/);
  const asked: Asked = { operator, wanted, spellings: spellingsOf(wanted), test, head, usage, anyFolder };
  return ({ command, opaque }, view, widening) => {
    // What is not understood may be the very command that a deny means; an approval it can never match.
    if (command === undefined) return opaque !== undefined && !widening ? "maybe" : false;
    if (!widening) return stopsAny(command, asked, view);
    return !view.asksForMore() && approves(command, asked, view);
  };
}

/** To widen, the command must be fully known: its bare name, each compared word, nothing but plain use. */
function approves(
  command: JudgedCommand,
  { operator, wanted, test, usage, anyFolder }: Asked,
  view: CallView,
): Answer {
  const { argv, dynamic, via, beyond, elsewhere, fed, risk } = command;
  if (!via.every((wrapper) => plainWrappers.has(wrapper))) return false;
  if (usage !== undefined) {
    // `npm test` behind a `cd` is the test of whatever lies there.
    if (beyond !== undefined || elsewhere === true || dynamic.length > 0) return false;
    if (fed === true && risk !== "read" && !usage.mayBeFed) return false;
    // The same words mean other code in `vendor/x`: unless a rule says where, it means the workspace itself.
    return usage.matches(argv) && (anyFolder || isAtRoot(view));
  }
  // To what only reads or writes files, its input is data. To others it may be code, which no text of a rule
  // names: `psql shop <<< '\! rm -rf x'`.
  if (fed === true && risk !== "read" && risk !== "write") return false;
  if (test !== undefined)
    return beyond === undefined && dynamic.length === 0 ? test(argv.join(" "), view) : false;
  if (operator === "equals" && argv.length !== wanted.length) return false;
  if (beyond !== undefined && operator !== "equals") return false;
  if (operator === "contains") {
    return dynamic.length === 0 && ` ${argv.join(" ")} `.includes(` ${wanted.join(" ")} `);
  }
  return wanted.every((word, index) => argv[index] === word && !dynamic.includes(index));
}

function isAtRoot(view: CallView): boolean {
  const { folder, root } = view;
  return folder === root || folder === view.realPath(root);
}

/** The command, and those that it is given to run: `npx rm -rf x` is `rm -rf x`, too. */
function stopsAny(command: JudgedCommand, asked: Asked, view: CallView): Answer {
  let answer = stops(command, asked, view);
  for (const inner of command.runs ?? []) {
    if (answer === true) break;
    answer = stronger(answer, stopsAny(inner, asked, view));
  }
  return answer;
}

/** To narrow, every spelling counts: a path before the program, wrappers, options in another order. */
function stops(command: JudgedCommand, { operator, spellings, test, head }: Asked, view: CallView): Answer {
  let answer: Answer = false;
  for (const form of commandForms(command)) {
    const found = test === undefined ? meansAny(form, operator, spellings) : test(form.argv.join(" "), view);
    if (found === true) return true;
    const isDoubtful =
      found === false && test !== undefined && form.dynamic.length > 0 && mayConcern(command, form, head);
    answer = stronger(answer, isDoubtful ? "maybe" : found);
  }
  const isFound = (words: string[]) => {
    const form: CommandForm = { argv: bareProgram(words), dynamic: [] };
    return test === undefined ? meansAny(form, operator, spellings) : test(words.join(" "), view);
  };
  return answer === false && textsThatRun(command).some((words) => isFound(words) !== false)
    ? "maybe"
    : answer;
}

function spellingsOf(wanted: readonly string[]): readonly (readonly string[])[] {
  const bare = bareProgram(wanted);
  const same = sameAct({ argv: bare, dynamic: [] });
  return same === undefined ? [bare] : [bare, same.argv];
}

function meansAny(form: CommandForm, operator: Operator, spellings: Asked["spellings"]): Answer {
  let answer: Answer = false;
  for (const spelling of spellings) {
    answer = stronger(answer, mayMean(form, operator, spelling));
    if (answer === true) break;
  }
  return answer;
}

/** `^git push` cannot concern `ls $x`: the program is known. Neither can `rm -rf`: so is what `ls` does. */
function mayConcern({ risk }: JudgedCommand, form: CommandForm, head: PatternHead | undefined): boolean {
  if (head === undefined) return true;
  const isKnown = risk === "read" || risk === "write";
  const speaksOfProgram = head.anchored || (isKnown && head.words.length > 1);
  return !speaksOfProgram || mayBeginWith(form, head);
}
