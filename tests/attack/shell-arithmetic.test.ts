/** Arithmetic evaluates the text of variables: only a name that the line itself has set to a number is harmless there. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is for a shell
import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../src/shell/judge.ts";
import { words } from "../words.ts";
import { PLACE } from "./shell-real-bash.ts";

const risk = (line: string) => judgeCommand(line, PLACE).risk;

/** Each puts a text into a name, without a word that would be opaque by itself. */
const SETS: readonly (readonly [string, string])[] = [
  [": 'a[$(t1)]'", "_"],
  ["echo 'a[$(t1)]'", "_"],
  ["mapfile -t <<< 'a[$(t1)]'", "MAPFILE"],
  ["[[ 'a[$(t1)]' =~ .+ ]]", "BASH_REMATCH"],
  ["read <<< 'a[$(t1)]'", "REPLY"],
  ["read -r x <<< 'a[$(t1)]'", "x"],
  ["cd 'a[$(t1)]'", "PWD"],
  ["cd 'a[$(t1)]' && cd ..", "OLDPWD"],
  ["pushd 'a[$(t1)]'", "DIRSTACK"],
  ["for x in 'a[$(t1)]'; do :; done", "x"],
  ["x=$(cat f)", "x"],
  ["x=('a[$(t1)]')", "x"],
  ["x='a[$(t1)]'; y=$x", "y"],
  ["x=5; x+='+a[$(t1)]'", "x"],
  ["true", "FROM_AN_EARLIER_CALL"],
  ["true", "x"],
  // A number, but not for certain, or not here.
  ["false && x=5", "x"],
  ["x=5 true", "x"],
  ["(x=5)", "x"],
  ["true | x=5", "x"],
  ["echo $(x=5)", "x"],
  [": ${x:=5}", "x"],
  ["for x in; do :; done", "x"],
  ["if false; then x=5; fi", "x"],
  ["bash -c 'x=5'", "x"],
  ["((0 && (x=5)))", "x"],
  ["declare x", "x"],
  // What fails sets nothing, and ends its line.
  ["echo $((1/0)); x=5\ntrue", "x"],
  ["x=$((1/0))\ntrue", "x"],
  ["((x=1/0))", "x"],
  ["((x=08))", "x"],
  ["x=5 < missing", "x"],
  ["{ x=5; } < missing", "x"],
  ["declare x=5 < missing", "x"],
  ["env declare x=5", "x"],
  ["timeout 5 let x=5", "x"],
  ["time x=5", "x"],
  ["z=1; echo ${z:-$((x=5))}", "x"],
  ["[[ -n '' && $((x=5)) -eq 5 ]]", "x"],
];

const EVALUATES: readonly ((name: string) => string)[] = [
  (n) => `echo $((${n}))`,
  (n) => `echo $(($${n} + 1))`,
  (n) => `echo "$((1 + \${${n}:-1}))"`,
  (n) => `((${n} > 1))`,
  (n) => `((${n}++))`,
  (n) => `[[ ${n} -eq 1 ]]`,
  (n) => `[[ "$${n}" -lt 1 ]]`,
  (n) => `s=abc; echo \${s:${n}}`,
  (n) => `s=abc; echo \${s:0:$${n}}`,
  (n) => `echo \${a[${n}]}`,
  (n) => `a[${n}]=1`,
  (n) => `for ((i = 0; i < ${n}; i++)); do :; done`,
  (n) => `let ${n}++`,
  (n) => `let y=${n}`,
  (n) => `[[ -v a[${n}] ]]`,
  (n) => `test -v "$${n}"`,
  (n) => `printf -v "$${n}" x`,
  (n) => `printf '%ln' "$${n}"`,
  (n) => `printf "$${n}%n" 'a[$(t1)]'`,
  (n) => `read "a[$${n}]"`,
  (n) => `read -t "$${n}" y`,
  (n) => `unset "a[${n}]"`,
  (n) => `declare -i y=${n}`,
];

describe("a variable in arithmetic", () => {
  it.each(SETS)("after %j is not trusted as %s", (setup, name) => {
    for (const evaluate of EVALUATES)
      for (const line of [`${setup}; ${evaluate(name)}`, `${setup} && ${evaluate(name)}`]) {
        // `x=5 && ...` is one of the numbers below.
        if (setup.endsWith("&& x=5") && line.includes("&& x=5 &&")) continue;
        expect([line, risk(line)]).toEqual([line, "opaque"]);
      }
  });

  it("is fine as a number that the line has set", () => {
    const numbers = [
      "x=5; echo $((x + 1))",
      "x=5 && ((x++)); echo $x",
      "for ((i = 0; i < 3; i++)); do echo $i; done",
      "n=3; for ((i = 0; i < n; i++)); do echo $((i * n)); done",
      "for i in 1 2 3; do echo $((i * 2)); done",
      "for i in $(seq 1 10); do echo $((i * 2)); done",
      "echo $(( $(wc -l < f) + 1 ))",
      'for f in *.ts; do n=$(cat "$f" | wc -l); echo $((n + 1)); done',
      "n=$(wc -l < f); [[ $n -gt 5 ]] && echo many",
      "i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done",
      "i=0; while read -r l; do ((i++)); done < f; echo $i",
      "cd sub && n=$(grep -c x) && echo $((n - 1))",
      "start=$(date +%s); echo $(($(date +%s) - start))",
      "echo $((RANDOM % 6)) ${x:1:3} $(($# + $?))",
      "declare n=5; echo ${PATH:n}",
      "(x=1; echo $((x)))",
      "i=0\nwhile [ $i -lt 3 ]; do\n  i=$((i + 1))\n  echo $((i * 2))\ndone\necho $((i))",
      "a=1; b=$(wc -l < f)\necho $((a + b))",
      "ls; x=5; echo $((x))",
      "s=abc; echo ${s:1} ${#s} ${s: -1}",
    ];
    for (const line of numbers) expect([line, risk(line)]).toEqual([line, "read"]);
  });

  it("is no number any more when the line gives it a text anywhere", () => {
    for (const line of [
      "x=5; for i in 1 2; do echo $((x)); x='a[$(t1)]'; done",
      "x=5; echo $((x)); read x",
      "x=5; trap 'echo $((x))' EXIT; x='a[$(t1)]'",
      "x=5; f() { echo $((x)); }; x=$(cat f)",
      "x=5; unset x; echo $((x))",
    ])
      expect([line, risk(line)]).toEqual([line, "opaque"]);
  });

  it("makes printf formats an allow list", () => {
    for (const format of words("%n %ln %ld %Lf %hhn %5n %-n %lln %s%zn %k %1$s %"))
      expect([format, risk(`printf '${format}' a b`)]).toEqual([format, "opaque"]);
    for (const format of ["%s\\n", "%-10s|%5d", "%5.2f%%", "%q %b", "%08x", "%(%F)T", "%*s", "a\\n"])
      expect([format, risk(`printf '${format}' a b`)]).toEqual([format, "read"]);
  });
});
