/** Conditions on commands: words compared as words. */
import type { CompilePattern } from "../core/pattern.ts";
import type { Answer, CallView, Holds, Operator } from "./condition.ts";
import { type TextTest, textTest } from "./text-test.ts";

/** Wrappers that change how long or how nicely something runs, but not what runs or as whom. */
const plainWrappers = new Set(["timeout", "nice", "ionice", "time", "nohup", "stdbuf", "command"]);

/**
 * Words are compared as words: `git push` holds for `git push origin`, not for `git pushx`. To widen, the part must be fully known:
 * the bare program name, no dynamic word in the compared part, no use beyond the program's plain one.
 */
export function commandHolds(
  operator: Operator,
  value: string,
  compilePattern: CompilePattern,
): Holds | string {
  const wanted = value.trim().split(/\s+/);
  const compiled = operator === "matches" ? textTest("matches", value, compilePattern) : undefined;
  if (typeof compiled === "string") return compiled;
  const test: TextTest | undefined = compiled;
  return (subject, view, widening) => {
    const { command } = subject;
    // What is not understood may be the very command that a deny means; an approval it can never match.
    if (command === undefined) return subject.opaque !== undefined && !widening ? "maybe" : false;
    if (widening && !command.via.every((wrapper) => plainWrappers.has(wrapper))) return false;
    const exact = operator === "equals" && command.argv.length === wanted.length;
    if (widening && command.beyond !== undefined && !exact) return false;
    if (widening) return compare(command.argv, command.dynamic, view, true);
    const plain = withBareProgram(command.argv);
    const answer = compare(plain, command.dynamic, view, false);
    if (answer !== false) return answer;
    // `git -C . push` is `git push` to a rule that means to stop it.
    const { argv, removed } = withoutGlobalOptions(plain);
    if (removed === 0) return false;
    return compare(
      argv,
      command.dynamic.map((index) => index - removed),
      view,
      false,
    );
  };

  function compare(
    argv: readonly string[],
    dynamic: readonly number[],
    view: CallView,
    widening: boolean,
  ): Answer {
    if (test !== undefined) {
      if (dynamic.length === 0) return test(argv.join(" "), view);
      return widening ? "maybe" : test(argv.join(" "), view) === true || "maybe";
    }
    if (operator === "contains") {
      const found = ` ${argv.join(" ")} `.includes(` ${wanted.join(" ")} `);
      return found || dynamic.length === 0 ? found : "maybe";
    }
    if (operator === "equals" && argv.length !== wanted.length) return false;
    return startsWithWords(argv, wanted, dynamic);
  }
}

function startsWithWords(
  argv: readonly string[],
  wanted: readonly string[],
  dynamic: readonly number[],
): Answer {
  for (const [index, word] of wanted.entries()) {
    if (dynamic.includes(index)) return "maybe";
    if (argv[index] !== word) return false;
  }
  return true;
}

function withBareProgram(argv: readonly string[]): readonly string[] {
  const [program = "", ...rest] = argv;
  return [program.slice(program.lastIndexOf("/") + 1), ...rest];
}

const gitOptionsWithValue = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--exec-path",
]);

function withoutGlobalOptions(argv: readonly string[]): {
  readonly argv: readonly string[];
  readonly removed: number;
} {
  if (argv[0] !== "git") return { argv, removed: 0 };
  let at = 1;
  while (argv[at]?.startsWith("-")) at += gitOptionsWithValue.has(argv[at] ?? "") ? 2 : 1;
  return { argv: ["git", ...argv.slice(at)], removed: at - 1 };
}
