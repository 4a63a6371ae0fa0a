/**
 * A shell or an interpreter that is given nothing to run. In Codex it ends at once, unless it has a terminal:
 * then it waits for `write_stdin`, which no hook is shown. Whether it has one is not told either.
 */

/** Its name; undefined: every command of the line has something to do. */
export function findBareShell(command: string): string | undefined {
  const heredoc = command.indexOf("<<");
  const shown = heredoc === -1 ? command : command.slice(0, heredoc);
  for (const [, single, double, bare] of shown.matchAll(given)) {
    const found = findBareShell(single ?? double?.replaceAll(/\\(.)/gs, "$1") ?? bare ?? "");
    if (found !== undefined) return found;
  }
  // What follows is text of a file, and words in quotes are no commands.
  const line = (heredoc === -1 ? command : command.slice(0, heredoc + 2))
    .replace(/(['"])([\w./-]+)\1/g, "$2")
    .replace(/'[^']*'|"(?:\\.|[^"\\])*"/gs, "_")
    .replace(/<\s*\/dev\/(?:stdin|tty|fd\/0)\b/g, " ");
  for (const part of line.split(/;|&&|\|\||\n|&(?![>\d])/)) {
    const found = bareIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function bareIn(part: string): string | undefined {
  // What is piped into it, or comes from a file, is there for everybody to read.
  if (/[|<]/.test(part)) return undefined;
  const words = part.replace(/\d*>{1,2}&?\s*\S+/g, " ").match(/\S+/g) ?? [];
  const start = words.findIndex((word) => !onlyStarts.test(word));
  const [program = "", ...args] = start === -1 ? [] : words.slice(start);
  const name = program.slice(program.lastIndexOf("/") + 1);
  const [, options] = opens.find(([names]) => names.test(name)) ?? [];
  return options?.test(args.join(" ")) === true ? name : undefined;
}

/** What a shell is given to run may be nothing but another one: `bash -c 'exec sh'`. */
const given =
  /(?<![\w-])(?:ba|z|da|a|k|mk|fi|c|tc)?sh(?:\s+-\S+)*?\s+-\w*c\s+(?:'([^']*)'|"((?:\\.|[^"\\])*)"|([^\s'";&|]+))/gs;

/** `FOO=1 exec env -i timeout 60 bash`. */
const onlyStarts =
  /^(?:\w+=.*|exec|command|env|nohup|setsid|sudo|doas|time|nice|ionice|stdbuf|unbuffer|timeout|busybox|-\w*|\d+[smhd]?)$/s;

/** With which options it still has nothing to run: `--version` and `-c` are none of them. */
const opens: readonly (readonly [names: RegExp, options: RegExp])[] = [
  [
    /^(?:ba|z|da|a|k|mk|fi|c|tc)?sh$/,
    /^(?:(?:-[abefhiklmnprsuvxBCEHPT]+|--(?:login|interactive|norc|noprofile|posix|restricted|no-config|private)|[-+]o \w+|--(?:rcfile|init-file) \S+)(?: |$))*$/,
  ],
  [/^(?:i?python|pypy)[\d.]*$/, /^(?:-[bBdEiIOPqsSuvx]*(?: |$))*$/],
  [/^(?:node|nodejs|deno|bun)$/, /^(?:-i?|--interactive|repl)?$/],
  [/^(?:irb|pry|php|perl|ruby|lua|luajit|julia|ghci|tclsh)$/, /^(?:-[ai]?)?$/],
];
