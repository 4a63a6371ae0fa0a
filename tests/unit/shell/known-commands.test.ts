import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../../src/shell/judge.ts";
import { programProblem } from "../../../src/shell/known-commands/awk.ts";
import { scriptProblem } from "../../../src/shell/known-commands/sed.ts";

const first = (line: string) => {
  const command = judgeCommand(line, { cwd: "/work", home: "/home/user" }).commands.at(-1);
  if (command === undefined) throw new Error(`no command in ${line}`);
  return command;
};

describe("git branch and git tag", () => {
  it.each([
    "git branch",
    "git branch -a --sort=-committerdate",
    "git branch --format='%(refname:short) %(upstream)' --merged main",
    "git tag",
    "git tag -l 'v*' --sort=-v:refname",
    "git tag --list --format='%(refname)' 'v1.*'",
  ])("only list: %s", (line) => {
    expect([first(line).risk, first(line).beyond]).toEqual(["read", undefined]);
  });

  it.each([
    "git branch --format=x --edit-description",
    "git branch --format=x -D master2",
    "git branch --format=x -m renamed",
    "git branch --format=x foo",
    "git branch --format=x -f other HEAD~",
    "git branch '--format=x y' foo",
    "git branch '--format=x\nfoo'",
    "git branch --contains HEAD foo",
    "git branch -l foo bar",
    "git tag --format=x v1",
    "git tag -n v1",
    "git tag -l v1 -d v2",
    "git tag --format=x -l v1 -f v2",
  ])("do more than that: %s", (line) => {
    expect(first(line).risk).not.toBe("read");
  });
});

describe("options", () => {
  it("are accepted only by their full name", () => {
    expect(first("sort --reverse a").beyond).toBeUndefined();
    expect(first("sort --rev a").beyond).toContain("--rev");
    expect(first("sort --outp=x a").beyond).toContain("--outp");
    expect(first("head --lines=5 a").risk).toBe("read");
    expect(first("head --lines 5 a").reads).toEqual(["a"]);
  });

  it("may stand together, with their value attached or after them", () => {
    expect(first("sort -rnk2 a").risk).toBe("read");
    expect(first("sort -rno out a").writes).toEqual(["out"]);
    expect(first("sort -oout a").writes).toEqual(["out"]);
    expect(first("cut -d, -f 1 a").reads).toEqual(["a"]);
  });

  it("that follow links below a folder leave open what is read", () => {
    for (const line of [
      "grep -Rn key docs",
      "grep -r --dereference-recursive key docs",
      "rg -iL key docs",
      "rg --follow key",
    ])
      expect(first(line).unknownPaths, line).toBe(true);
    for (const line of ["grep -rn key docs", "grep -e -R docs", "rg -i key docs", "grep -r -- -R docs"])
      expect(first(line).unknownPaths, line).toBe(false);
  });

  it("end at two dashes", () => {
    expect(first("sort -- -o").reads).toEqual(["-o"]);
    expect(first("sort -- -o").beyond).toBeUndefined();
  });

  it("may hide in words that are not known, where an option can do harm", () => {
    expect(first("sort *").beyond).toContain("may be an option");
    expect(first("sort ./*").beyond).toBeUndefined();
    expect(first('sort "$x"').beyond).toBeDefined();
    expect(first('sort "./$x"').beyond).toBeUndefined();
    expect(first("sort ./$x").beyond).toBeDefined();
    expect(first("cat *").beyond).toBeUndefined();
    expect(first('rg --glob="$x" a').beyond).toBeUndefined();
  });
});

describe("sed scripts", () => {
  it("that print, delete and substitute are harmless", () => {
    for (const script of [
      "p",
      "1,5p",
      "$d",
      "/a/,/b/p",
      "s/a/b/g",
      "s|/x|/y|2p",
      "\\,a,d",
      "1!G;h;$!d",
      "y/abc/xyz/",
      ":a;N;$!ba;s/\\n/ /g",
      "/x/{n;p}",
      "1i text",
      "a\\\ntext\np",
      "s/[/]/x/",
      "s/[^/]*$//",
      "# c\np",
      "0~3d",
      "2q",
      "",
    ]) {
      expect([script, scriptProblem(script)]).toEqual([script, undefined]);
    }
  });

  it("that run, read or write files are not", () => {
    for (const script of [
      "w f",
      "1w f",
      "e",
      "1e ls",
      "s/a/b/e",
      "s/a/b/w f",
      "r f",
      "R f",
      "W f",
      "p;w f",
      "a x\nw f",
      "s/a/b/;e",
      "{w f\n}",
      "/a/Iw f",
      "s/a\\/b/c/w f",
      "s/[]/w f",
      "s/[\\]/]/w f",
      "sxaxbxe",
      "k",
    ]) {
      expect([script, scriptProblem(script) !== undefined]).toEqual([script, true]);
    }
  });
});

it("sed -i writes the files it is given", () => {
  expect(first("sed -i s/a/b/ f g")).toMatchObject({
    risk: "write",
    writes: ["f", "g"],
    beyond: "edits files in place",
  });
  expect(first("sed --in-place=.bak -n p f")).toMatchObject({ risk: "write", writes: ["f"] });
  expect(first("sed -ni 'w x' f").risk).toBe("opaque");
});

describe("awk programs", () => {
  it("that only print are harmless", () => {
    for (const program of [
      "{print $1}",
      "$3 > 5",
      '/a|b/ {print "x|y"}',
      "{ if (a > b) print a }",
      "BEGIN{x=1} {s+=$1/2} END{print s}",
      '{print (a > b) ? "x" : "y"}',
      "$1 ~ /[a-z]>/ && $2 > 1",
      '{print > "/dev/stderr"}',
      "# a > b\n{print}",
    ]) {
      expect([program, programProblem(program)]).toEqual([program, undefined]);
    }
  });

  it("that run commands or write files are not", () => {
    for (const program of [
      'BEGIN{system("x")}',
      '{print > "f"}',
      "{print >> f}",
      '{print | "sh"}',
      '"x" | getline',
      '{print $1, $2 > "f"}',
      '{print a,\nb > "f"}',
      '{print (a)(b) > "f"}',
      "@load",
      '/"/{print|"sh"}/"/',
      '1 / 2; {print > "f"}; 1 / 2',
      '{print > "/dev/stderr" x}',
    ]) {
      expect([program, programProblem(program) !== undefined]).toEqual([program, true]);
    }
  });

  it("that change their arguments read paths that are not known", () => {
    expect(first("awk 'BEGIN{ARGV[1]=\"/etc/shadow\";ARGC=2} 1'").unknownPaths).toBe(true);
  });
});

it("find reads, unless an action writes or runs something", () => {
  expect(first("find src lib -name '*.ts'").reads).toEqual(["src", "lib"]);
  expect(first("find . -delete")).toMatchObject({ risk: "write", unknownPaths: true });
  expect(first("find . -fprint out").writes).toEqual(["out"]);
  expect(judgeCommand("find . -exec rm {} +", { cwd: "/w" }).commands.map((c) => [c.argv[0], c.via])).toEqual(
    [
      ["rm", ["find"]],
      ["find", []],
    ],
  );
});

describe("git", () => {
  it("reads, writes or goes beyond by its subcommand", () => {
    expect(first("git log --oneline")).toMatchObject({ risk: "read" });
    expect(first("git commit -m x")).toMatchObject({ risk: "write" });
    expect(first("git commit -m x").beyond).toBeUndefined();
    expect(first("git push origin main")).toMatchObject({ network: true });
    expect(first("git push origin main").beyond).toBeUndefined();
    expect(first("git -c a=b log").beyond).toBeDefined();
    expect(first("git clone x").beyond).toBeDefined();
    expect(first("git frobnicate").risk).toBe("opaque");
    expect(first("git branch").risk).toBe("read");
    expect(first("git branch -D x").risk).toBe("write");
    expect(first("git config --get user.name").risk).toBe("read");
    expect(first("git config user.name x").beyond).toBeDefined();
  });

  it("does not take a flag for a message and so miss the option after it", () => {
    expect(first("git rebase -m --exec 'touch P'").beyond).toBeDefined();
    expect(first("git commit -m --exec").beyond).toBeUndefined();
  });

  it("says whether the files that change are the repository's own choice", () => {
    for (const line of ["git switch main", "git pull", "git stash", "git reset --hard", "git checkout main"])
      expect(first(line)).toMatchObject({ unknownPaths: true, pathsNotChosen: true });
    for (const line of ["git clean -fd", "git stash -u", "git stash push --include-untracked"]) {
      expect(first(line).unknownPaths).toBe(true);
      expect(first(line).pathsNotChosen).toBeUndefined();
    }
    for (const line of ["git clean -n", "git checkout -b x", "git add a", "git status"])
      expect(first(line).unknownPaths).toBe(false);
  });

  it("says what of the repository it depends on, and where", () => {
    expect(first("git show-ref").repository).toMatchObject({ directories: ["."], parts: [], hooks: [] });
    expect(first("git status").repository?.parts).toContain("worktree");
    expect(first("git status").repository?.hooks).toEqual(["post-index-change"]);
    expect(first("git push -o x origin main").repository?.remotes).toEqual(["origin"]);
    expect(first("git fetch --multiple a b").repository?.remotes).toEqual(["a", "b"]);
    expect(
      judgeCommand("cd sub && git log", { cwd: "/work" }).commands.at(-1)?.repository?.directories[0],
    ).toMatch(/sub/);
    expect(first("ls").repository).toBeUndefined();
  });
});

it("programs that write are write, with their paths, and need no beyond", () => {
  expect(first("touch a b")).toMatchObject({ risk: "write", writes: ["a", "b"] });
  expect(first("rm -rf dir")).toMatchObject({ risk: "write", writes: ["dir"] });
  expect(first("cp -r a b")).toMatchObject({ reads: ["a"], writes: ["b"] });
  expect(first("cp -t dir a b")).toMatchObject({ reads: ["a", "b"], writes: ["dir"] });
  expect(first("cp -t dir a b").beyond).toBeUndefined();
  expect(first("dd if=a of=b")).toMatchObject({ reads: ["a"], writes: ["b"] });
  expect(first("rm $x")).toMatchObject({ risk: "write", unknownPaths: true });
});

describe("programs that are not known", () => {
  it("execute, and what they touch is not known", () => {
    expect(first("make all")).toMatchObject({ risk: "execute", unknownPaths: true });
    expect(first("./run.sh /etc/passwd").reads).toContain("/etc/passwd");
    expect(first("prog --config=/etc/x").reads).toContain("/etc/x");
  });

  it("are opaque when they are given code", () => {
    for (const line of [
      "python -c 'x'",
      "node -e 'x'",
      "perl -e 'x'",
      "python",
      "sh",
      "bash -s",
      "vim a",
      "less a",
    ]) {
      expect([line, first(line).risk]).toEqual([line, "opaque"]);
    }
    expect(first("python script.py").risk).toBe("execute");
    expect(first("node --version").risk).toBe("read");
  });
});
