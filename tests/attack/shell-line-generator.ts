/** Makes random shell lines from a grammar, and damages known ones, to compare the judge with a real shell. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is for a shell
export type Random = () => number;

/** A small seeded generator, so that a failing line can be found again. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Programs that exist only as stubs which write down how they were called. */
export const STUBS = ["t1", "t2", "t3", "ls", "git", "rm", "curl", "npm", "echo2", "grep"];

export function randomLine(random: Random): string {
  return new LineMaker(random).line(3);
}

/** Inserts, deletes, doubles or swaps a few characters: finds text that parser and shell read differently. */
export function damage(random: Random, line: string): string {
  let text = line;
  const times = 1 + Math.floor(random() * 5);
  for (let i = 0; i < times; i++) {
    const at = Math.floor(random() * (text.length + 1));
    const kind = random();
    const piece = PIECES[Math.floor(random() * PIECES.length)] ?? "";
    if (kind < 0.5) text = text.slice(0, at) + piece + text.slice(at);
    else if (kind < 0.7) text = text.slice(0, at) + text.slice(at + 1);
    else if (kind < 0.85) text = text.slice(0, at) + text.slice(at, at + 6) + text.slice(at);
    else text = text.slice(0, at) + piece + text.slice(at + 1);
  }
  return text;
}

const words = (text: string) => text.split(" ");

const PIECES = [
  ..."\\'\"$`(){}[];&|<>#!*?~=,:@^%+-\n\t ",
  ...words("$( $(( )) ${"),
  ..."<<E\n,\nE\n,<<'E'\n,<<-E\n".split(","),
  ...words(">( <( $' $\" \\\n && || ;; |& &> >| <> <<<"),
  ...[" t1 ", ";t2;", "$(t3)", "`t1`"],
  ...words("in do done fi esac case"),
  ...["{ ", " }", "[[ ", " ]]", "((", "()", "function ", "coproc ", "time ", "! "],
  ...["\\`", '\\"', "a[", "]=", "${x:-", "{a,b}", "{1..2}", "$x", "<(t1)", ">(t2)", "2>(t3)"],
  ...["${x:-<(t1)}", "`t2`", "a=$(t1)", "{fd}>", "\\$(t1)", "$@", "2>&1", "1>", ">&", "#", " #", "-c", "-x"],
];

class LineMaker {
  readonly #random: Random;
  #budget = 24;

  constructor(random: Random) {
    this.#random = random;
  }

  line(depth: number): string {
    let text = this.statement(depth);
    const more = Math.floor(this.#random() * 3);
    for (let i = 0; i < more; i++)
      text +=
        this.pick([" ; ", " && ", " || ", " | ", "\n", ";", " & wait; ", " |& ", "&&", "|"]) +
        this.statement(depth);
    return text;
  }

  statement(depth: number): string {
    this.#budget--;
    if (depth <= 0 || this.#budget <= 0) return this.simple(0);
    const r = this.#random();
    if (r < 0.55) return this.simple(depth);
    if (r < 0.72) return this.wrapped(depth);
    if (r < 0.92) return this.compound(depth);
    if (r < 0.96) return this.assignment(depth);
    return `f() { ${this.line(depth - 1)}; }; f ${this.arg(depth - 1)}`;
  }

  simple(depth: number): string {
    let text = this.chance(0.1) ? `${this.assignment(depth - 1)} ` : "";
    if (this.chance(0.06)) text += `${this.redirect(depth)} `;
    text += this.name();
    const args = Math.floor(this.#random() * 4);
    for (let i = 0; i < args; i++) text += ` ${this.arg(depth - 1)}`;
    if (this.chance(0.15)) text += ` ${this.redirect(depth - 1)}`;
    if (this.chance(0.06)) text += this.hereDoc(depth - 1);
    return text;
  }

  name(): string {
    const name = this.pick([
      ...STUBS,
      ...words("echo cat true printf cd sort head sed find test touch uniq tee awk pwd"),
    ]);
    const r = this.#random();
    if (r < 0.8) return name;
    if (r < 0.84) return `'${name}'`;
    if (r < 0.88) return `"${name}"`;
    if (r < 0.91) return `\\${name}`;
    if (r < 0.94) return `${name.slice(0, 1)}""${name.slice(1)}`;
    if (r < 0.96) return `$'${name}'`;
    if (r < 0.98) return `${name.slice(0, 1)}\\\n${name.slice(1)}`;
    return this.pick(["$x", "$(t1)", "{t1,a}", "t?"]);
  }

  arg(depth: number): string {
    const r = this.#random();
    if (r < 0.3 || this.#budget <= 0)
      return this.pick([
        ...words("a b.ts a.txt -n -l -- - 1 sub/x -o out1 1p a=b {}"),
        ...["x\\ y", "-x", "%s", "+", ".", "-name"],
      ]);
    if (r < 0.4)
      return this.pick([
        "'a b'",
        "'$(t3)'",
        "'`t3`'",
        "'it'\\''s'",
        "'#'",
        "';t3'",
        "''",
        "'w out2'",
        "'1e t2'",
        "'{print $1}'",
        "'s/a/b/w out3'",
        "'BEGIN{system(\"t2\")}'",
        "'{print > \"out4\"}'",
      ]);
    if (r < 0.5)
      return this.pick([
        '"a b"',
        '"$x"',
        '"\\$(t3)"',
        '"\\`t3\\`"',
        '"a;t3"',
        '"\\\\"',
        '"\\""',
        '"${x}y"',
        '"!"',
        '"a\\\nb"',
        '"$1"',
        '"{a,b}"',
        '"~"',
      ]);
    if (r < 0.57)
      return this.pick(
        words(
          '$x ${x} $1 $? $# $@ "$@" ${x:-a} ${#x} $HOME ~ ~/a $PWD/a ${x%.*} ${x/a/b} ${x:0:2} ${x^^} $RANDOM',
        ),
      );
    if (r < 0.61)
      return this.pick([
        ...words("* *.ts a* [ab]* sub/* ?.ts -* {a,b} a{b,c}d {1..3}"),
        ...["{a,'b c'}", "\\*", "{a", "a}", "{,a}"],
      ]);
    if (r < 0.64)
      return this.pick([
        "\\;",
        "\\$x",
        '\\"',
        "\\'",
        "\\\\",
        "\\(",
        "\\a",
        "$'a\\nb'",
        "$'\\x41'",
        "$'\\''",
        "a\\\nb",
        "#c",
        "a#b",
        "\\#",
      ]);
    if (depth <= 0) return "z";
    if (r < 0.72) return `$(${this.line(depth - 1)})`;
    if (r < 0.77) return `"$(${this.line(depth - 1)})"`;
    if (r < 0.81) return `\`${this.simple(0).replace(/[`\\$]/g, "")}\``;
    if (r < 0.85)
      return this.pick(["", '"']).replace(
        /^(.?)$/,
        (q) =>
          `${q}\${${this.pick(["y", "x", "1", "a[1]", "HOME"])}${this.pick([":-", "-", ":+", "+", "#", "%", "/a/", ":="])}${this.word(depth)}}${q}`,
      );
    if (r < 0.9) return `$((${this.arithmetic(depth)}))`;
    if (r < 0.95) return `<(${this.line(depth - 1)})`;
    return `"a ${this.pick(["$(t1 'x')", "`t2`", '${x:-$(t3 "q")}', "$((1+$(t1)))", "${x:-`t1`}"])} b"`;
  }

  word(depth: number): string {
    return this.pick(["a", "'b'", `$(${this.simple(depth - 1)})`, "`t2`", "$x", '"c"', "a b"]);
  }

  arithmetic(depth: number): string {
    return this.pick([
      ...words("1+2 x x+1 x++ y=3 a[0] a[x] $x"),
      `$(${this.simple(depth - 1)})`,
      ...words("1?2:3 (1) `t1` ${x:-1} 1,2 x=y a[$(t2)]"),
    ]);
  }

  assignment(depth: number): string {
    return (
      this.pick(["x=", "y=", "x+=", "z=", "a[0]=", "a="]) +
      this.pick([
        "1",
        "a",
        "t1",
        "'a b'",
        "'a[$(t2)]'",
        `$(${this.simple(Math.min(depth, 1))})`,
        "$x",
        "(1 2)",
        '"$y"',
        "~",
        "",
        "*",
        "{a,b}",
      ])
    );
  }

  redirect(depth: number): string {
    const target = this.pick([
      "out5",
      "'out6'",
      "out\\7",
      "/dev/null",
      '"out8"',
      "$x",
      depth > 0 ? `>(${this.simple(depth - 1)})` : "out9",
      "sub/out",
    ]);
    return this.pick([
      `>${target}`,
      `> ${target}`,
      `>>${target}`,
      `2>${target}`,
      `&>${target}`,
      `>|${target}`,
      "2>&1",
      ">&2",
      `< ${this.pick(["a.txt", "/dev/null"])}`,
      `<> ${target}`,
      `>& ${target}`,
      "2>/dev/null",
      depth > 0 ? `<<< ${this.arg(depth)}` : "<<< a",
    ]);
  }

  hereDoc(depth: number): string {
    const quoted = this.chance(0.4);
    const body = this.pick([
      ...words("plain $(t1) `t2` $x ${x:-$(t3)}"),
      "\\$(t3)",
      "'$(t1)'",
      '"`t2`"',
      `$(${this.simple(depth)})`,
      "$((1+1))",
      "E2",
    ]);
    const dash = this.chance(0.2) ? "-" : "";
    return ` <<${dash}${quoted ? "'E'" : "E"}\n${body}\nE\n`;
  }

  wrapped(depth: number): string {
    const inner = this.simple(depth - 1);
    const quoted = `'${this.line(depth - 1).replace(/'/g, "'\\''")}'`;
    return this.pick([
      `env ${inner}`,
      `env x=1 ${inner}`,
      `env -i ${inner}`,
      `timeout 5 ${inner}`,
      `timeout -s KILL 5 ${inner}`,
      `nohup ${inner}`,
      `nice ${inner}`,
      `nice -n 5 ${inner}`,
      `command ${inner}`,
      `builtin ${inner}`,
      `exec ${inner}`,
      `eval ${inner}`,
      `eval ${quoted}`,
      `bash -c ${quoted}`,
      `sh -c ${quoted}`,
      `bash -ec ${quoted} a b`,
      `trap ${quoted} EXIT`,
      `setsid -w ${inner}`,
      `stdbuf -o0 ${inner}`,
      `echo a b | xargs ${inner}`,
      `echo a b | xargs -n1 ${inner}`,
      `echo a | xargs -I% ${inner} %`,
      `find . -maxdepth 0 -exec ${inner} {} \\;`,
      `find . -maxdepth 0 -exec ${inner} {} +`,
      `time ${inner}`,
      `! ${inner}`,
      `env env nice ${inner}`,
      `bash <<'E'\n${inner}\nE\n`,
      `echo ${inner} | sh`,
      `source <(echo t1)`,
      `xargs -a a.txt ${inner}`,
      `busybox ${inner}`,
      `command -p ${inner}`,
      `timeout 5 bash -c ${quoted}`,
    ]);
  }

  compound(depth: number): string {
    const a = () => this.line(depth - 1);
    const end = (text: string) => (text.endsWith("\n") ? text : `${text};`);
    return this.pick([
      () => `(${a()})`,
      () => `{ ${end(a())} }`,
      () => `if ${end(a())} then ${end(a())} fi`,
      () => `if ${end(a())} then ${end(a())} else ${end(a())} fi`,
      () => `for x in ${this.arg(depth - 1)} b; do ${end(a())} done`,
      () => `for ((i=0;i<2;i++)); do ${end(a())} done`,
      () => `while ${end(a())} do ${end(a())} break; done`,
      () => `until ${end(a())} do ${end(a())} break; done`,
      () =>
        `case ${this.arg(depth - 1)} in ${this.pick(["a", "*", "$(t1)", "a|b"])}) ${a()};; *) ${a()};; esac`,
      () => `[[ ${this.pick(["-n", "-v", "-f", "-z"])} ${this.arg(depth - 1)} ]]`,
      () =>
        `[[ ${this.arg(depth - 1)} ${this.pick(["==", "!=", "=~", "-eq", "-lt", "="])} ${this.pick(["a", "$x", "1", "*", "$(t1)"])} ]]`,
      () => `((${this.arithmetic(depth)}))`,
      () => `{ ${end(a())} } ${this.redirect(depth)}`,
      () => `(${a()}) ${this.redirect(depth)}`,
      () => `! { ${end(a())} }`,
      () => `test ${this.arg(depth - 1)} ${this.arg(depth - 1)}`,
      () => `[ ${this.arg(depth - 1)} = ${this.arg(depth - 1)} ]`,
      () => `read x ${this.redirect(depth)}; echo $x`,
      () => `printf ${this.arg(depth - 1)} ${this.arg(depth - 1)}`,
      () => `let ${this.pick(["x=1", "x++", "'a[$(t1)]'"])}`,
      () => `declare x=${this.arg(depth - 1)}`,
      () => `export Y=${this.arg(depth - 1)}`,
      () => `coproc ${a()}`,
      () => `function g { ${end(a())} }; g`,
    ])();
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)] as T;
  }
}
