/** Lines over the grammar of expansions: every operator x place x quoting, and every variable x whatever evaluates its text. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is for a shell
import { words } from "../words.ts";
import { type Pick, SINKS, SOURCES, TEXTS } from "./shell-evaluations.ts";
import { damage, type Random, randomLine } from "./shell-line-generator.ts";
import { PHRASES } from "./shell-phrases.ts";

export interface GrammarLine {
  readonly text: string;
  /** The two sides of the combination that it covers: `operator :-` and `place here-document`. */
  readonly row: string;
  readonly column: string;
}

export function grammarLine(random: Random): GrammarLine {
  const pick = picker(random);
  const kind = random();
  if (kind < 0.02) return { text: randomLine(random), row: "any line", column: "any place" };
  if (kind < 0.1) return phraseLine(pick);
  const line = kind < 0.55 ? expansionLine(pick) : evaluationLine(pick);
  return random() < 0.1 ? { ...line, text: damage(random, line.text) } : line;
}

function picker(random: Random): Pick {
  return (choices) => choices[Math.floor(random() * choices.length)] as never;
}

function expansionLine(pick: Pick): GrammarLine {
  const [operator, before, after] = pick(OPERATORS);
  const place = pick(Object.keys(PLACES));
  const operand = pick(OPERANDS)(pick(COMMANDS), pick);
  const expansion = `\${${before}${pick(NAMES)}${after(operand)}}`;
  const around = pick(AROUND);
  const setup = pick(SETUPS);
  return {
    text: `${setup}${PLACES[place]?.(around.replace("%", () => expansion))}`,
    row: `\${x${operator}}`,
    column: place,
  };
}

function evaluationLine(pick: Pick): GrammarLine {
  const row = pick(Object.keys(SOURCES));
  const column = pick(Object.keys(SINKS));
  const [setup, names] = SOURCES[row]?.(pick(TEXTS)(pick(COMMANDS)), pick) ?? ["", ["x"]];
  const sink = SINKS[column]?.(pick(names), pick) ?? "";
  const joined = pick(JOINED);
  return { text: joined(setup, sink), row, column };
}

/** Words and forms that one of the shells has and the other reads differently. */
function phraseLine(pick: Pick): GrammarLine {
  const row = pick(PHRASES);
  const column = pick(Object.keys(AMONG));
  return { text: AMONG[column]?.(row, pick) ?? row, row: JSON.stringify(row), column };
}

const AMONG: Readonly<Record<string, (phrase: string, pick: Pick) => string>> = {
  alone: (phrase) => phrase,
  "after an assignment": (phrase) => `x='a[$(t1)]'; ${phrase}`,
  "after a command": (phrase) => `echo a && ${phrase}`,
  "before a command": (phrase) => `${phrase}; echo b`,
  "in a group": (phrase) => `{ ${phrase}; }`,
  "in a child": (phrase) => `(${phrase})`,
  "in a substitution": (phrase) => `echo "$(${phrase})"`,
  "in a branch": (phrase) => `if true; then ${phrase}; fi`,
  "in a loop": (phrase) => `for f in a; do ${phrase}; done`,
  "in eval": (phrase) => `eval '${phrase.replaceAll("'", "'\\''")}'`,
  "beside another": (phrase, pick) => `${phrase}; ${pick(PHRASES)}`,
};

const COMMANDS = ["$(t1)", "`t1`", "$(t2 a)", "$(t3 'b c')", '$(t1 "d")', "`t2 e`", "$(t1;t2)", "$(<a.txt)"];
const NAMES = ["x", "x", "y", "1", "@", "HOME", "a[0]", "a[@]", "_", "PWD", "s"];

/** Name, what stands before the name, and what follows it. */
const OPERATORS: readonly (readonly [string, string, (operand: string) => string])[] = [
  ...words("- :- = := + :+ ? :? # ## % %% ^ ^^ , ,, :# :| ::=").map(
    (one) => [one, "", (operand: string) => one + operand] as const,
  ),
  ...["/", "//", "/#", "/%"].map(
    (one) => [`${one}a`, "", (operand: string) => `${one}${operand}/b`] as const,
  ),
  ...["/", "//", "/#", "/%"].map(
    (one) => [`${one}b`, "", (operand: string) => `${one}a/${operand}`] as const,
  ),
  ...["Q", "E", "P", "A", "a", "U", "u", "L", "K", "k"].map(
    (one) => [`@${one}`, "", () => `@${one}`] as const,
  ),
  ["@ operand", "", (operand) => `@${operand}`],
  [":n", "", (operand) => `:${operand}`],
  [":n:n", "", (operand) => `:0:${operand}`],
  ["[n]", "", (operand) => `[${operand}]`],
  ["[n]:-", "", (operand) => `[0]:-${operand}`],
  ["#x", "#", () => ""],
  ["#x:-", "#", (operand) => `:-${operand}`],
  ["!x", "!", () => ""],
  ["!x:-", "!", (operand) => `:-${operand}`],
  ["(e)x:-", "(e)", (operand) => `:-${operand}`],
  ["(P)x", "(P)", () => ""],
  ["(%)x:-", "(%)", (operand) => `:-${operand}`],
  ["^x", "^", () => ""],
  ["=x", "=", (operand) => `:-${operand}`],
  ["~x", "~", (operand) => `:-${operand}`],
  [":h", "", () => ":h"],
  ["plain", "", () => ""],
];

/** A command in each kind of quotes, beside each character that may end an expansion or a quote. */
const OPERANDS: readonly ((command: string, pick: Pick) => string)[] = [
  (c) => c,
  (c) => `'${c}'`,
  (c) => `"${c}"`,
  (c) => `\\${c}`,
  (c) => `$'${c}'`,
  (c) => `$"${c}"`,
  (c) => `"'${c}'"`,
  (c) => `'"${c}"'`,
  (c) => `'a b'${c}`,
  (c) => `a'${c}`,
  (c) => `a"${c}`,
  (c) => `\\'${c}\\'`,
  (c) => `\\"${c}\\"`,
  (c) => `}${c}`,
  (c) => `'}'${c}`,
  (c) => `'}${c}'`,
  (c) => `\\}${c}`,
  (c) => `"}"${c}`,
  (c) => `{${c}}`,
  (c) => `\${y:-${c}}`,
  (c) => `\${y:-'${c}'}`,
  (c) => `"\${y:-'${c}'}"`,
  (c) => `\${y#'${c}'}`,
  (c) => `"\${y/'${c}'/a}"`,
  (c) => `$((${c}))`,
  (c) => `$(echo '${c}')`,
  (c) => `"$(echo '${c}')"`,
  (c) => `<(${c.replace(/^[$`(]+|[)`]+$/g, "")})`,
  (c) => `a[${c}]`,
  (c) => `'a[${c}]'`,
  (c, pick) =>
    pick(["", "a", "'a'", "a b", "*", "[a]", "\\\\", "'", '"', "\\", ...words("~ é a/b 0 1 $x '$x'")]) +
    (c === "$(t1)" ? c : ""),
  (c, pick) =>
    pick(["'", '"', "\\", "}", "$", "a", "'a'", "#", "/", " ", "\n"]) +
    pick(["", c]) +
    pick(["'", '"', "\\", "}", "$", "a", "'"]),
];

const AROUND = [
  ...words("% % % a%b %'c' 'c'%"),
  '%"',
  ...words("x=% -% ~% %[1] {a,%}"),
  "%%".replace("%%", "%"),
];
const SETUPS = [
  "",
  "",
  "",
  "x=a; ",
  "x='a b'; ",
  'x="it\'s"; ',
  "y='$(t3)'; ",
  "a=(1 2); ",
  "s=abc; ",
  "x='a[$(t1)]'; ",
];

const PLACES: Readonly<Record<string, (expansion: string) => string>> = {
  word: (e) => `echo ${e}`,
  "double quotes": (e) => `echo "${e}"`,
  "double quotes, text": (e) => `echo "it's ${e} 'q'"`,
  "single quotes": (e) => `echo '${e}'`,
  "$'' quotes": (e) => `echo $'${e}'`,
  "here-document": (e) => `cat <<E\n${e}\nE\n`,
  "here-document, text": (e) => `cat <<E\nit's ${e} "q"\nE\n`,
  "quoted here-document": (e) => `cat <<'E'\n${e}\nE\n`,
  "tabbed here-document": (e) => `cat <<-E\n\t${e}\n\tE\n`,
  "here-string": (e) => `cat <<< ${e}`,
  "quoted here-string": (e) => `cat <<< "${e}"`,
  assignment: (e) => `z=${e}`,
  "quoted assignment": (e) => `z="${e}"`,
  "assignment before a command": (e) => `LANG=${e} echo a`,
  "array element": (e) => `z=(${e} "${e}")`,
  subscript: (e) => `echo \${a[${e}]}`,
  "quoted subscript": (e) => `echo "\${a[${e}]}"`,
  arithmetic: (e) => `echo $((${e}))`,
  "quoted arithmetic": (e) => `echo "$((${e}))"`,
  "arithmetic command": (e) => `((${e}))`,
  "[[ word": (e) => `[[ -n ${e} ]]`,
  "[[ quoted": (e) => `[[ "${e}" == a ]]`,
  "[[ pattern": (e) => `[[ a == ${e} ]]`,
  "[[ regex": (e) => `[[ a =~ ${e} ]]`,
  "[[ number": (e) => `[[ ${e} -eq 1 ]]`,
  "[ word": (e) => `[ -n ${e} ]`,
  "[ quoted": (e) => `[ "${e}" = a ]`,
  "case word": (e) => `case ${e} in a) echo b;; esac`,
  "case pattern": (e) => `case a in ${e}) echo b;; esac`,
  "case quoted": (e) => `case "${e}" in *) echo b;; esac`,
  "for words": (e) => `for f in ${e}; do echo "$f"; done`,
  redirect: (e) => `echo a > ${e}`,
  "quoted redirect": (e) => `cat < "${e}"`,
  substitution: (e) => `echo $(echo ${e})`,
  "quoted substitution": (e) => `echo "$(echo "${e}")"`,
  backticks: (e) => `echo \`echo ${e}\``,
  "quoted backticks": (e) => `echo "\`echo ${e}\`"`,
  "nested operand": (e) => `echo \${z:-${e}}`,
  "nested quoted operand": (e) => `echo "\${z:-${e}}"`,
  "nested quoted operand twice": (e) => `echo "\${z:-"${e}"}"`,
  "nested pattern": (e) => `echo "\${z#${e}}"`,
  "process substitution": (e) => `cat <(echo "${e}")`,
  printf: (e) => `printf '%s\\n' "${e}"`,
  "printf format": (e) => `printf "${e}" a`,
  declaration: (e) => `declare z="${e}"`,
  eval: (e) => `eval 'echo "${e.replaceAll("'", "'\\''")}"'`,
  "bash -c": (e) => `bash -c 'echo "${e.replaceAll("'", "'\\''")}"'`,
};

const JOINED: readonly ((setup: string, sink: string) => string)[] = [
  (a, b) => `${a}; ${b}`,
  (a, b) => `${a}; ${b}`,
  (a, b) => `${a}\n${b}`,
  (a, b) => `${a} && ${b}`,
  (a, b) => `${a} || ${b}`,
  (a, b) => `{ ${a}; }; ${b}`,
  (a, b) => `(${a}; ${b})`,
  (a, b) => `if ${a}; then ${b}; fi`,
  (a, b) => `for i in 1 2; do ${b}; ${a}; done`,
  (a, b) => `while :; do ${a}; ${b}; break; done`,
  (a, b) => `echo "$(${a}; ${b})"`,
  (a, b) => `true | { ${a}; ${b}; }`,
  (a, b) => `case a in a) ${a}; ${b};; esac`,
  (a, b) => `eval '${a.replaceAll("'", "'\\''")}'; ${b}`,
  (a, b) => `bash -c '${`${a}; ${b}`.replaceAll("'", "'\\''")}'`,
  (_, b) => b,
];

export const COMBINATIONS = [
  {
    title: "expansion operator x place",
    rows: OPERATORS.map(([name]) => `\${x${name}}`),
    columns: Object.keys(PLACES),
  },
  { title: "variable x what evaluates it", rows: Object.keys(SOURCES), columns: Object.keys(SINKS) },
  {
    title: "phrase x place",
    rows: PHRASES.map((phrase) => JSON.stringify(phrase)),
    columns: Object.keys(AMONG),
  },
] as const;
