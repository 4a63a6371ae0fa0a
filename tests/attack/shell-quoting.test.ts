/** Expansions in double quotes, here-documents and arithmetic, where a single quote does not quote: what stands there runs. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is for a shell
import { describe, expect, it } from "vitest";
import { createJudge, judgeCommand } from "../../src/shell/judge.ts";
import { JUDGE_PARTS } from "../../src/shell/judge-parts.ts";
import { PLACE } from "./shell-real-bash.ts";

const harmless = (line: string, judge = judgeCommand) => {
  const { risk, commands } = judge(line, PLACE);
  return risk !== "opaque" && !commands.some(({ argv }) => argv[0] === "t1");
};

const OPERATORS = ["-", ":-", "=", ":=", "+", ":+", "?", ":?", "#", "##", "%", "%%", "/", "//", "^", ",,"];
const PLACES: Readonly<Record<string, (expansion: string) => string>> = {
  "double quotes": (e) => `echo "${e}"`,
  "a here-document": (e) => `cat <<E\n${e}\nE`,
  "an indented here-document": (e) => `cat <<-E\n\t${e}\n\tE`,
  "a quoted here-string": (e) => `cat <<< "${e}"`,
  "a quoted assignment": (e) => `y="${e}"`,
  arithmetic: (e) => `echo $((${e}))`,
  "a quoted operand": (e) => `echo "\${z:-${e}}"`,
  "quotes in an operand": (e) => `echo \${z:-"${e}"}`,
  "a here-document in a substitution": (e) => `echo "$(cat <<E\n${e}\nE\n)"`,
};

/** Where bash runs it: seen with a real one. */
const RUNS: readonly string[] = [
  "echo \"${x:-'$(t1)'}\"",
  "echo \"${x='`t1`'}\"",
  "cat <<E\n${x:-'$(t1)'}\nE",
  "cat <<E\n${x#'$(t1)'}\nE",
  "echo \"${x:-${y:-'$(t1)'}}\"",
  "echo ${x//\"${y:-'$(t1)'}\"/b}",
  'echo "${x:-"${y:-\'$(t1)\'}"}"',
  "echo \"${x:+$'`t1`'}${y:-$'`t1`'}\"",
  "x=1; cat <<E\n${x+'}$(t1)'}\nE",
  "[[ -n \"${x:-'$(t1)'}\" ]]",
  "case \"${x:-'$(t1)'}\" in *) ;; esac",
  "for f in \"${x:-'$(t1)'}\"; do :; done",
  "bash -c 'echo \"${x:-'\\''$(t1)'\\''}\"'",
];

describe("two lines that a backslash joins", () => {
  it.each([
    'echo "$\\\n(t1)"',
    "echo $\\\n(t1)",
    "cat <\\\n(t1)",
    'echo "$\\\n{x:-`t1`}"',
    "x=1; xy='a[$(t1)]'; echo $((x\\\n[y]))",
    'xy=t1; echo "$x\\\ny"',
    "cat <<E\n$\\\n(t1)\nE",
    "echo a &\\\n& t1",
  ])("hide no expansion and no operator in %j", (line) => {
    expect(harmless(line)).toBe(false);
  });

  it("are no reason to ask between words and inside plain ones", () => {
    for (const line of ["ls \\\n  -l \\\n  src", "cat a &&\\\n cat b", "ca\\\nt a.txt", "ls |\\\n  head"])
      expect([line, judgeCommand(line, PLACE).risk]).toEqual([line, "read"]);
  });
});

describe("an expansion inside quotes", () => {
  it.each(Object.entries(PLACES))("hides no command in single quotes in %s", (_, place) => {
    for (const operator of OPERATORS)
      for (const text of ["'$(t1)'", "'`t1`'", "'}$(t1)'", "a'$(t1)'b", "''$(t1)''"]) {
        const line = place(`\${x${operator}${text}}`);
        expect([line, harmless(line)]).toEqual([line, false]);
      }
  });

  it.each(RUNS.map((line) => [line]))("shows what runs in %j", (line) => {
    expect(harmless(line)).toBe(false);
  });

  it("is no reason to ask where its operand means the same in every reading", () => {
    const plain = [
      'echo "${x:-none}"',
      "echo \"${x:-'none at all'}\"",
      'echo "${x:-"$HOME"}"',
      'echo "${1:-.}" "${x%.*}" "${x##*/}" "${x//a/b}" "${x^^}"',
      'echo "${x//\\"/}" "${x//\\//-}"',
      "echo ${x:-'$(t1)'}",
      "cat <<E\nit's ${x:-a} (yes); `date`\nE",
      "cat <<'E'\n${x:-'$(t1)'}\nE",
      "echo \"$(echo '$(t1)')\"",
    ];
    for (const line of plain) expect([line, judgeCommand(line, PLACE).risk]).toEqual([line, "read"]);
  });

  it("would show a judge that takes every operand for plain", () => {
    const broken = createJudge({ ...JUDGE_PARTS, isPlainOperand: () => true });
    expect(RUNS.filter((line) => harmless(line, broken)).length).toBeGreaterThan(2);
  });
});
