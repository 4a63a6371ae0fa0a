// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is for a shell
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CommandJudge } from "../../../src/core/ports/command.ts";
import { createJudge, judgeCommand } from "../../../src/shell/judge.ts";
import { JUDGE_PARTS } from "../../../src/shell/judge-parts.ts";
import { LOOP_PARTS, type LoopParts } from "../../../src/shell/loops.ts";
import { processorMs } from "../../processor-time.ts";

const CONTEXT = { cwd: "/work/project", home: "/home/user" };
const judge = (line: string) => judgeCommand(line, CONTEXT);
const programs = (line: string) => judge(line).commands.map((command) => command.argv[0]);
const only = (line: string) => {
  const { commands } = judge(line);
  expect(commands).toHaveLength(1);
  return commands[0] as NonNullable<(typeof commands)[0]>;
};

describe("variables before a command", () => {
  it.each([
    "NODE_ENV=test npm test",
    "env RUST_LOG=debug cargo test",
    "GOOS=linux CGO_ENABLED=0 go build",
    "export NODE_ENV=test",
  ])("are no riddle if they only name a mode or a target: %s", (line) =>
    expect(judge(line).opaque).toEqual([]),
  );

  it.each([
    "NODE_OPTIONS=-rx npm test",
    "NODE_ENVX=1 npm test",
    "RUSTC_WRAPPER=x cargo test",
    "GOFLAGS=-x go build",
    "GIT_SSH=x git fetch",
  ])("are one if they may name a program or a file: %s", (line) =>
    expect(judge(line).opaque).not.toEqual([]),
  );
});

describe("the commands of a line", () => {
  it("are found wherever they stand", () => {
    expect(programs("a | b && c || d; e & f\ng")).toEqual([..."abcdefg"]);
    expect(programs("if a; then b; elif c; then d; else e; fi")).toEqual(["a", "b", "c", "d", "e"]);
    expect(programs("while a; do b; done; until c; do d; done; for x in 1; do e; done")).toEqual([
      ..."abcde",
    ]);
    expect(programs("case x in a) b;; *) c;; esac; (d); { e; }")).toEqual(["b", "c", "d", "e"]);
    expect(programs("f() { a; }")).toEqual(["a"]);
    expect(programs('a $(b "$(c `d`)") <(e) ${x:-$(f)} $((1 + $(g)))').sort()).toEqual([..."abcdefg"]);
    expect(programs("a <<E\n$(b) `c` ${x:-$(d)}\nE").sort()).toEqual(["a", "b", "c", "d"]);
    expect(programs("x=$(a) y[$(b)]=$(c) d").sort()).toEqual(["a", "b", "c", "d"]);
    expect(programs("[[ $(a) == $(b) ]] && ((x = $(c)))")).toEqual(["a", "b", "c"]);
  });

  it("have their quotes removed", () => {
    expect(only(`t'o'u"c"h 'a b' "c d" e\\ f $'g\\th' ''`).argv).toEqual([
      "touch",
      "a b",
      "c d",
      "e f",
      "g\th",
      "",
    ]);
    expect(only("tou\\\nch a").argv).toEqual(["touch", "a"]);
  });

  it("keep words that are not known as written, and say which", () => {
    const outer = judge('cmd "$DIR" a *.ts $(ls) b').commands.at(-1);
    expect(outer?.argv).toEqual(["cmd", "$DIR", "a", "*.ts", "$(ls)", "b"]);
    expect(outer?.dynamic).toEqual([1, 3, 4]);
  });

  it("get plain brace lists expanded", () => {
    expect(only("cmd {a,b}c x{1..3}").argv).toEqual(["cmd", "ac", "bc", "x1", "x2", "x3"]);
    expect(judge("cmd {a,$x}").risk).toBe("opaque");
  });
});

describe("wrappers", () => {
  it("show the command inside, and stand in via", () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ["env X=1 touch P", ["env"]],
      ["sudo -u root env touch P", ["sudo", "env"]],
      ["nice -n 5 timeout 10 nohup touch P", ["nice", "timeout", "nohup"]],
      ["time touch P", ["time"]],
      ["command touch P", ["command"]],
      ["exec touch P", ["exec"]],
      ["bash -c 'touch P'", ["bash"]],
      ["bash -lc 'env touch P'", ["bash", "env"]],
      ["eval 'touch P'", ["eval"]],
      ["trap 'touch P' EXIT", ["trap"]],
      ["busybox touch P", ["busybox"]],
      ["watch -n 1 touch P", ["watch"]],
      ["/usr/bin/env touch P", ["/usr/bin/env"]],
      ["stdbuf -oL setsid touch P", ["stdbuf", "setsid"]],
    ];
    for (const [line, via] of cases) {
      expect(judge(line).commands.map((command) => [command.argv[0], command.via])).toEqual([["touch", via]]);
    }
  });

  it("make a harmless command more than reading when they raise its rights", () => {
    expect(judge("ls").risk).toBe("read");
    expect(judge("env ls").risk).toBe("read");
    expect(judge("sudo ls").risk).toBe("execute");
    expect(only("sudo ls").beyond).toBeDefined();
  });

  it("give xargs and find commands words that are not known", () => {
    expect(judge("ls | xargs grep foo").risk).toBe("read");
    expect(judge("ls | xargs grep foo").commands[1]?.unknownPaths).toBe(true);
    expect(judge("find . -name a -exec grep -l foo {} +").risk).toBe("read");
    expect(judge("ls | xargs sort").risk).not.toBe("read");
  });

  it("are opaque when they are not understood, but the inner command is still listed", () => {
    const judgement = judge("sudo --frobnicate rm -rf /");
    expect(judgement.risk).toBe("opaque");
    expect(judgement.commands.map((command) => command.argv[0])).toContain("rm");
  });
});

describe("paths", () => {
  it("of known commands are reported as read or written", () => {
    expect(only("cat a ../b /c").reads).toEqual(["a", "../b", "/c"]);
    expect(only("cp a b dir").reads).toEqual(["a", "b"]);
    expect(only("cp a b dir").writes).toEqual(["dir"]);
    expect(only("mv a b").writes).toEqual(["a", "b"]);
    expect(only("grep -r foo src").reads).toEqual(["src"]);
    expect(only("grep -f pats -r foo src").reads).toEqual(["pats", "foo", "src"]);
    expect(only("grep --file=pats x").reads).toEqual(["pats", "x"]);
    expect(only("sort -o out in").writes).toEqual(["out"]);
    expect(only("ls src/*.ts").globs).toEqual(["src/*.ts"]);
    expect(judge("cat < in > out").redirects).toEqual([
      { path: "in", access: "read", command: only("cat < in > out") },
      { path: "out", access: "write" },
    ]);
  });

  it("follow the home directory", () => {
    expect(only("cat ~/.ssh/id_rsa").reads).toEqual(["/home/user/.ssh/id_rsa"]);
    expect(only('cat "$HOME/.ssh/id_rsa"').reads).toEqual(["/home/user/.ssh/id_rsa"]);
    expect(judgeCommand("cat $HOME/x", { cwd: "/w" }).commands[0]?.reads).toEqual(["~/x"]);
    expect(only("cat '~/x'").reads).toEqual(["~/x"]);
  });

  it("follow variables of the line whose text is known, and are unknown otherwise", () => {
    expect(judge('f=.env && cat "$f"').commands[0]?.reads).toEqual([".env"]);
    expect(judge("f=.env; cat $f").commands[0]?.reads).toEqual([".env"]);
    expect(judge('true && f=.env; cat "$f"').commands[1]?.unknownPaths).toBe(true);
    expect(judge('f=a; for i in 1 2; do cat "$f"; f=.env; done').commands[0]?.unknownPaths).toBe(true);
    expect(judge('f=a; g() { f=.env; }; g; cat "$f"').commands.at(-1)?.reads).toEqual([]);
    expect(judge('f=a; eval "f=.env"; cat "$f"').commands.at(-1)?.unknownPaths).toBe(true);
    expect(judge("f=a; bash -c 'cat $f'").commands[0]?.unknownPaths).toBe(true);
    expect(judge("f='a b'; cat $f").commands[0]?.unknownPaths).toBe(true);
    expect(only('cat "$f"').unknownPaths).toBe(true);
    expect(judge("cat $(ls)").commands.at(-1)?.unknownPaths).toBe(true);
  });

  it("are not known when a number is only their beginning", () => {
    expect(only("cat $?").unknownPaths).toBe(false);
    expect(only("cat $?/../../x").unknownPaths).toBe(true);
    expect(only('cat "$#/../../x"').unknownPaths).toBe(true);
    expect(only("cat $((1))'/../../x'").unknownPaths).toBe(true);
    expect(judge("ls | xargs -I0 cat $?").commands.at(-1)?.unknownPaths).toBe(true);
  });

  it("follow cd, and both ways when the cd may fail", () => {
    expect(judge("cd src && cat a").commands[1]?.reads).toEqual(["/work/project/src/a"]);
    expect(judge("cd src; cat ../../x").commands[1]?.reads).toEqual(["../../x", "/work/project/src/../../x"]);
    expect(judge("cd /tmp && cat a > b").redirects).toEqual([{ path: "/tmp/b", access: "write" }]);
    expect(judge("(cd src && ls); cat a").commands[2]?.reads).toEqual(["a"]);
    expect(judge("true || cd src && cat a").commands[2]?.reads).toEqual(["a", "/work/project/src/a"]);
    expect(judge('cd "$x" && cat a').commands[1]?.unknownPaths).toBe(true);
    expect(judge("cd / && cat etc/passwd").commands[1]?.reads).toEqual(["/etc/passwd"]);
    expect(judge("! cd src && cat ../x").commands[1]?.reads).toEqual(["../x", "/work/project/src/../x"]);
    expect(judge("if cd src; then ls; else cat ../x; fi").commands[2]?.reads).toContain("../x");
    expect(judge("cd a && cd .. && cat b").commands[2]?.reads).toEqual(["b"]);
    expect(judge("while true; do cat a; cd ..; done").risk).toBe("opaque");
  });
});

/** Lines whose last command gets a path that the words of the loop do not name. */
const NOT_KNOWN_IN_LOOPS: readonly string[] = [
  // The word may be an option, or several words.
  "for f in -f.env; do grep x $f; done",
  "for f in a -; do cat $f; done",
  "for f in {a,-x}; do cat $f; done",
  "for f in -t/etc; do cp $f x; done",
  "for f in 'a /etc/passwd'; do cat $f; done",
  "for f in '/etc/*'; do cat $f; done",
  "for f in *; do cat $f; done",
  "for f in '*'.ts; do cat \"$f\"; done",
  "for f in ''; do grep $f a b; done",
  "for f in ARGV=x; do awk 1 $f; done",
  // The words are not known.
  "for f; do cat $f; done",
  'for f in "$@"; do cat "$f"; done',
  'for f in $(ls); do cat "$f"; done',
  'for f in a "$x"; do cat "$f"; done',
  "select f in a b; do cat $f; done",
  'for f in a; do cat "${f%x}"; done',
  'for f in a; do cat "$f$x"; done',
  'for f in a; do cat "$(ls)$f"; done',
  "for f in a; do cat ~$f; done",
  "for f in a; do cat $f*; done",
  'for f in a; do cat "${f[0]}"; done',
  "for LINES in a; do cat $LINES; done",
  // Something else may set the variable.
  "f=x; for f in a; do cat $f; done",
  "for f in a; do f=/etc/passwd; cat $f; done",
  "for f in a; do f+=/../../x; cat $f; done",
  "for f in a; do f=(/etc/passwd); cat $f; done",
  "for f in a; do read f < list; cat $f; done",
  "for f in a; do read -r x f < list; cat $f; done",
  "for f in a; do mapfile f < list; cat $f; done",
  "for f in a; do unset f; cat $f; done",
  "for f in a; do export f=/etc/passwd; cat $f; done",
  "for f in a; do declare f=/etc/passwd; cat $f; done",
  "for f in a; do : ${f:=x}; cat $f; done",
  "for f in a; do eval f=/etc/passwd; cat $f; done",
  'for f in a; do eval "$x"; cat $f; done',
  "for f in a; do . ./x; cat $f; done",
  "for f in a; do printf -v f x; cat $f; done",
  "for f in a; do ((f = 3)); cat $f; done",
  "for f in 1; do : $((f += 3)); touch $f; done",
  "for f in a; do for f in $x; do cat $f; done; done",
  "for f in a; do for f in b; do :; done; cat $f; done",
  "for f in a; do select f in b; do break; done; cat $f; done",
  "for m in 644; do m='x /etc/passwd'; chmod $m z; done",
  "g() { f=/etc/passwd; }; for f in a; do g; cat $f; done",
  "trap 'read f' DEBUG; for f in a; do cat $f; done",
  "for f in a; do cat $f; f=b; done",
  // It is read elsewhere or later.
  "for f in a b; do :; done; cat $f",
  "for f in a; do bash -c 'cat $f'; done",
  "for f in a; do trap 'cat $f' EXIT; done",
  "for f in a; do g() { cat $f; }; done",
  'for f in *; do (cd sub && cat "$f"); done',
  "for d in a b; do (cd $d && cat x); done",
  // Words are replaced once more.
  "for f in %; do ls | xargs -I% cat $f; done",
  "for f in a; do ls | xargs -I% cat $f/%; done",
  // What a glob stands for is not what will be written.
  'for f in *; do touch "$f.bak"; done',
  'for f in *; do rm "$f"; done',
  'for f in */*; do cp "$f" x; done',
  // Too many.
  `for f in ${Array.from({ length: 65 }, (_, i) => `a${i}`).join(" ")}; do cat $f; done`,
  "for f in {1..9}; do for g in {1..9}; do cat $f/$g; done; done",
  `for f in {1..64}; do ${"cat x$f; ".repeat(5)}done`,
];

const namesAllPaths = (judgeLine: CommandJudge, line: string) => {
  const { commands, risk } = judgeLine(line, CONTEXT);
  return risk !== "opaque" && commands.at(-1)?.unknownPaths === false;
};

describe("the words of a for loop", () => {
  it("are the paths that its variable stands for", () => {
    expect(only("for f in a b; do cat $f; done")).toMatchObject({
      argv: ["cat", "$f"],
      dynamic: [1],
      reads: ["a", "b"],
      unknownPaths: false,
    });
    expect(only('for f in /etc/passwd; do cat "${f}"; done').reads).toEqual(["/etc/passwd"]);
    expect(only('for f in a "b c"; do cat "src/$f.ts"; done').reads).toEqual(["src/a.ts", "src/b c.ts"]);
    expect(only("for f in {a,b}.ts ~/c; do cat $f; done").reads).toEqual(["a.ts", "b.ts", "/home/user/c"]);
    expect(only('for f in a b; do cp $f "$f.bak"; done')).toMatchObject({
      reads: ["a", "b"],
      writes: ["a.bak", "b.bak"],
      unknownPaths: false,
    });
    expect(only("for i in 1 2; do touch f$i; done")).toMatchObject({
      writes: ["f1", "f2"],
      unknownPaths: false,
    });
    expect(only("for d in x y; do for n in 1 2; do cat $d/$n; done; done").reads).toEqual([
      "x/1",
      "x/2",
      "y/1",
      "y/2",
    ]);
    expect(only("for f in -x; do cat ./$f; done")).toMatchObject({ reads: ["./-x"], unknownPaths: false });
    expect(only("bash -c 'for f in a; do timeout 5 cat $f; done'").reads).toEqual(["a"]);
    expect(judge("for f in a; do (cd sub && cat $f); done").commands.at(-1)?.reads).toEqual([
      "/work/project/sub/a",
    ]);
  });

  it("are reported as globs when they are globs", () => {
    expect(only('for f in *.ts a; do wc -l "$f"; done')).toMatchObject({
      reads: ["a"],
      globs: ["*.ts"],
      unknownPaths: false,
    });
    expect(only('for d in packages/*; do cat "$d/package.json"; done')).toMatchObject({
      globs: ["packages/*/package.json"],
      unknownPaths: false,
    });
  });

  it("change nothing about what a program is or does with its words", () => {
    expect(judge("for c in ls; do $c x; done").risk).toBe("opaque");
    expect(only("for f in a; do sort $f; done")).toMatchObject({ risk: "execute", reads: ["a"] });
    expect(only("for f in -exec; do find . $f touch x \\;; done").beyond).toBe("$f may be an action");
    expect(judge("for f in a; do sort x > $f; done").risk).toBe("opaque");
  });

  it.each(NOT_KNOWN_IN_LOOPS.map((line) => [line]))("do not say all paths of %j", (line) => {
    expect(namesAllPaths(judgeCommand, line)).toBe(false);
  });

  const MUTANTS: Readonly<Record<string, Partial<LoopParts>>> = {
    "takes any text for a plain word": { isLoopWord: () => true },
    "forgets that a word without quotes is split": { staysOneWord: () => true },
    "splits only what is not a glob": { staysOneWord: (choice) => !choice.text.includes(" ") },
    "forgets that a word may be an option": { mayBeOption: () => false },
    "forgets other assignments": { isDoubtful: () => false },
    "looks only at what is opaque": { isDoubtful: (walk) => walk.opaque.length > 0 },
  };

  it.each(Object.entries(MUTANTS))("would show a judge that %s", (_, mutant) => {
    const broken = createJudge({ ...JUDGE_PARTS, loops: { ...LOOP_PARTS, ...mutant } });
    expect(NOT_KNOWN_IN_LOOPS.filter((line) => namesAllPaths(broken, line)).length).toBeGreaterThan(0);
  });
});

describe("risk", () => {
  it("is the highest of all parts", () => {
    expect(judge("ls | head").risk).toBe("read");
    expect(judge("ls > out").risk).toBe("write");
    expect(judge("ls && touch a").risk).toBe("write");
    expect(judge("ls && npm test").risk).toBe("execute");
    expect(judge("ls && $x").risk).toBe("opaque");
    expect(judge("ls > /dev/null 2>&1").risk).toBe("read");
  });

  it("is opaque for lines of other shells", () => {
    expect(judgeCommand("ls", { cwd: "/w", shell: "powershell" }).risk).toBe("opaque");
    expect(judgeCommand("dir", { cwd: "/w", shell: "cmd" }).risk).toBe("opaque");
  });

  it("is opaque for text that is too long, broken or misleading", () => {
    for (const line of [
      "echo 'a",
      "if",
      "echo $(",
      "echo `a",
      "cat <<E\na",
      "a\0b",
      "ls\r",
      "ls\u00a0",
      `echo ${"a".repeat(70_000)}`,
      '"$('.repeat(5_000),
    ]) {
      expect(judge(line).risk).toBe("opaque");
    }
  });

  it("marks the network", () => {
    expect(judge("curl https://x").network).toBe(true);
    expect(judge("git push").network).toBe(true);
    expect(judge("cat < /dev/tcp/h/1").network).toBe(true);
    expect(judge("ls").network).toBe(false);
  });
});

describe("the judge", () => {
  it("never throws and always answers in full, whatever the text", () => {
    const piece = fc.constantFrom(
      ..."\\'\"$`(){}[];&|<>#!*?~=,:@^%+-\n\t abx1",
      "$(",
      "$((",
      "${",
      "<<E\n",
      "\nE\n",
      "cat ",
      "find . -exec ",
      "bash -c '",
      "awk '",
      "sed '",
      "git ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const judgement = judge(pieces.join(""));
        expect(["read", "write", "execute", "opaque"]).toContain(judgement.risk);
        if (judgement.opaque.length > 0) expect(judgement.risk).toBe("opaque");
        for (const command of judgement.commands) expect(command.argv.length).toBeGreaterThan(0);
      }),
      { numRuns: 3_000 },
    );
  });

  it("stays quick on the longest and deepest lines", () => {
    const bombs = [
      "$(".repeat(20_000),
      "(".repeat(60_000),
      "{ ".repeat(30_000),
      "`".repeat(60_000),
      "a;".repeat(32_000),
      "${x:-".repeat(10_000),
      "$((".repeat(20_000),
      `echo ${"{a,b}".repeat(1_000)}`,
      `sed '${"{".repeat(60_000)}'`,
      `awk '${"(".repeat(60_000)}>'`,
      "[[ ! ".repeat(12_000),
      "eval ".repeat(10_000),
      "cat <<E\n".repeat(8_000),
      `echo ${"\\".repeat(60_000)}`,
    ];
    for (const bomb of bombs) {
      const start = processorMs();
      judge(bomb);
      expect(processorMs() - start).toBeLessThan(5_000);
    }
  });
});
