/** Lines that mean something else in zsh: opaque where the agent's shell is or may be zsh, by its configuration or its environment. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is for a shell
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../src/shell/judge.ts";
import { batchProblem } from "./shell-batch.ts";
import { BENIGN_LINES } from "./shell-escapes.ts";
import { CONTEXT, isApproved, LONG_LIST } from "./shell-policy.ts";
import { PLACE } from "./shell-real-bash.ts";

const zsh = (line: string) => judgeCommand(line, { ...PLACE, dialect: "zsh" });
const bash = (line: string) => judgeCommand(line, { ...PLACE, dialect: "bash" });

/** Not one of them is opaque for bash. */
const ONLY_IN_ZSH: readonly string[] = [
  "printf '%d' 'a[$(t1)]'",
  "printf '%s %x' a 'a[$(t1)]'",
  "printf '%*s' 'a[$(t1)]' b",
  "x='a[$(t1)]'; printf %i \"$x\"",
  "test -t 'a[$(t1)]'",
  "[ 'a[$(t1)]' -eq 0 ]",
  "[ 1 -lt 'a[$(t1)]' ]",
  "[[ -t 'a[$(t1)]' ]]",
  "echo $x[1]",
  'echo "$x[y]"',
  "cat <<E\n$x[y]\nE",
  "echo =t1",
  "x==t1",
  "echo <1-3>x",
  'echo "$=x"',
  "echo ${x:-'$(t1)'}",
  "echo ${x#'$(t1)'}",
  'echo ${x:-"$\'}"}',
  "noglob t1",
  "nocorrect ls",
  "repeat 2 ls",
  "- ls",
  "print -P '$(t1)'",
  "chdir sub",
  "cd +1",
  "read -p 'a[$(t1)]' x",
  "read -t 5 x",
  "echo x >! out",
  "echo x >!out",
  "echo x >>! out",
  "< a.txt",
  "echo a && > out",
  "NULLCMD=t1",
  "STTY=t1 ls",
  "echo a # ; t1",
  "# it's\nls",
  "echo a }",
  "COLUMNS='path[$(t1)]' ls",
  "LINES='path[$(t1)]'; ls",
  "LINES+='+path[$(t1)]'",
  "for COLUMNS in 80 'path[$(t1)]'; do ls; done",
  "read LINES < a.txt",
  'COLUMNS="$x" ls',
  "export COLUMNS='path[$(t1)]'",
];

/** What zsh would read elsewhere, so that the path is not known. */
const OTHER_PATHS = [
  "cd sub && ls & cat x",
  "cd sub && cd .. & cat x",
  "cat ^a",
  "cat a^b",
  "cat **/x",
  "cat a~b",
  "x=a.b; cat $x:r",
  'x=a.b; cat "$x:h"',
];

describe("a line for zsh", () => {
  it.each(ONLY_IN_ZSH.map((line) => [line]))("is opaque as %j", (line) => {
    expect([zsh(line).risk, bash(line).risk === "opaque"]).toEqual(["opaque", false]);
  });

  it.each(OTHER_PATHS.map((line) => [line]))("names no path in %j", (line) => {
    expect(zsh(line).commands.some(({ unknownPaths }) => unknownPaths)).toBe(true);
  });

  it("stays opaque in eval and trap, and is bash again in bash -c", () => {
    expect(zsh("eval 'echo =t1'").risk).toBe("opaque");
    expect(zsh("trap 'echo =t1' EXIT").risk).toBe("opaque");
    expect(zsh("bash -c '[ \"$x\" -eq 1 ]'").risk).not.toBe("opaque");
  });

  it.skipIf(batchProblem("zsh") !== undefined)("sets no variable that zsh keeps as a number to text", () => {
    const list = "zmodload zsh/parameter; for k v in ${(kv)parameters}; do echo $k $v; done";
    const listed = execFileSync("/usr/bin/env", ["zsh", "-fc", list], { encoding: "utf8" }).split("\n");
    const numbers = listed
      .filter((line) => /^\w+ (?:integer|float)/.test(line))
      .map((line) => line.split(" ")[0]);
    expect(numbers.length).toBeGreaterThan(15);
    for (const name of numbers) {
      const ways = [`${name}=T`, `${name}=T ls`, `for ${name} in 1 T; do ls; done`, `read ${name} <<< T`];
      for (const way of [
        ...ways,
        `export ${name}=T`,
        `declare ${name}=T`,
        `: \${${name}:=T}`,
        `${name}+=T`,
      ]) {
        const line = way.replaceAll("T", "'path[$(t1)]'");
        expect([line, zsh(line).risk]).toEqual([line, "opaque"]);
      }
    }
    expect(zsh("COLUMNS=200 ls; LINES=5; ls").risk).toBe("read");
  });

  it("is never less strict than one for bash", () => {
    for (const line of ["$x", "echo $((x))", 'eval "$x"', "echo \"${x:-'$(t1)'}\"", "printf -v x a"])
      expect([line, zsh(line).risk]).toEqual([line, "opaque"]);
  });

  it("leaves everyday lines alone", () => {
    const asked = BENIGN_LINES.filter(
      (line) => !isApproved(judgeCommand(line, { ...CONTEXT, dialect: "zsh" }), LONG_LIST),
    );
    expect(asked).toEqual([]);
  });

  it("is as harmless as in bash where both read it the same", () => {
    const plain = [
      "ls -la src",
      "git log --oneline -n 5 | head",
      "cat a.txt b.ts",
      'grep -rn "TODO" --include=*.ts src',
      "find . -name '*.ts' -not -path './node_modules/*'",
      'for f in *.ts; do wc -l "$f"; done',
      "cd src && ls",
      "x=5; echo $((x + 1))",
      "[ -f a.txt ] && echo yes",
      '[ "$x" = a ] || echo no',
      "[[ $# -gt 1 ]]",
      "printf '%s\\n' \"$x\"",
      "printf '%d\\n' 5",
      "n=$(wc -l < a.txt); [ $n -gt 5 ]",
      'echo "$(< a.txt)"',
      "# List the files\nls",
      "sed -n '1,5p' a.txt",
      "awk '{print $1}' a.txt",
      'echo "${x:-none}" ${y:-.}',
      "ls 2>/dev/null",
      'while read -r l; do echo "$l"; done < a.txt',
      "git show HEAD~1:a.txt | head",
      "find . -type f -exec grep -l x {} +",
    ];
    for (const line of plain) expect([line, zsh(line).risk]).toEqual([line, "read"]);
  });
});
