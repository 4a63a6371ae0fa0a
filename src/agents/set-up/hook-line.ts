/**
 * The line that starts our hook, written and read. Other programs read the same file: some hand the line to a
 * shell, some cut it at the blanks, some ignore every other field. So its first word is always an executable
 * of ours, and never a shell that would take the payload on its standard input for a script.
 */

export interface ProgramPath {
  /**
   * The path begins in the folder that this variable names, which the agent sets for a hook. The shell fills
   * it in: a folder's name could be code.
   */
  readonly below?: string | undefined;
  readonly path: string;
}

/** A hook that is gone, not executable or killed ends as a denial in every program that knows exit code 2. */
const orDeny = " || exit 2";
/**
 * The same for an agent to which the exit code says nothing without words on standard error: zsh has none for a
 * program that was killed. A denial of the hook's own has its words.
 */
const orDenyAloud =
  " || { test $? = 2 || echo toolgate: the hook failed, so the call is denied. >&2; exit 2; }";

const ends = { deny: orDeny, "deny-aloud": orDenyAloud, "as-it-ends": "" };

export type LineEnd = keyof typeof ends;

export function writeHookLine({ below, path }: ProgramPath, args: readonly string[], end: LineEnd): string {
  const program = below === undefined ? toShellWord(path) : `"$${below}"/${toShellWord(path)}`;
  return `${[program, ...args.map(toShellWord)].join(" ")}${ends[end]}`;
}

/**
 * A backslash and an end of line would vanish. Nobody wants other control characters in a path; and in a plugin, in
 * whose first comment the line stands, what comes behind the last two would be code.
 */
export function fitsIntoLine(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return path !== "" && !/[\x00-\x1f\x7f\u0085\u2028\u2029]/.test(path);
}

/**
 * Backslashes instead of quotes: cut at a blank, the rest of a path is still absolute. A word that starts
 * with a quote would be a relative path, and could name a file of the project.
 */
function toShellWord(text: string): string {
  return text.replace(/[^\w./,:@%+\u0080-\uffff-]/g, "\\$&");
}

const part =
  /([ \t\n]+)|\\([^\n])|'([^']*)'|"((?:[^"\\$`]|\\[^\n]|\$\{\w+\}|\$\w+)*)"|(\$\{\w+\}|\$\w+)|([^ \t\n\\'"$`;&|<>()*?[\]{}~#!]+)/y;

/** The words of a simple line; undefined if a shell would do more with the line than start a program. */
export function readHookLine(
  line: string,
  variables: Readonly<Record<string, string>> = {},
): readonly string[] | undefined {
  const end = [orDenyAloud, orDeny].find((one) => line.endsWith(one)) ?? "";
  const text = line.slice(0, line.length - end.length);
  const words: string[] = [];
  let isOpen = false;
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at;
    const found = part.exec(text);
    if (found === null) return undefined;
    const [, blank, escaped, single, double, variable, plain] = found;
    if (blank !== undefined) {
      isOpen = false;
      continue;
    }
    const filled = (inner: string) => fill(inner, variables);
    const piece =
      escaped ??
      single ??
      plain ??
      filled(variable ?? "") + filled(double ?? "").replace(/\\(["\\$`])/g, "$1");
    words.push(isOpen ? (words.pop() ?? "") + piece : piece);
    isOpen = true;
  }
  return words;
}

function fill(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\\.|\$\{(\w+)\}|\$(\w+)/g, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    return name === undefined ? whole : (variables[name] ?? whole);
  });
}
