/** Takes a line of a shell apart as far as the programs' own documentation speaks of it; knows nothing of ours. */

export interface SplitLine {
  /** The text of each command, without redirects; those in substitutions, too. */
  readonly commands: readonly string[];
  readonly redirects: boolean;
  /** `$(...)`, backticks, `$x`, subshells, keywords: more than plain commands one after the other. */
  readonly complex: boolean;
  /** A quote without an end. */
  readonly broken: boolean;
}

export function splitLine(line: string): SplitLine {
  const commands: string[] = [];
  let redirects = false;
  let complex = false;
  let broken = false;
  let text = "";
  const end = () => {
    const one = text
      .trim()
      .replace(/^(?:if|then|else|elif|while|until|do|!|\{)\s+/, "")
      .replace(/^(?:fi|done|\})$/, "");
    if (one !== text.trim()) complex = true;
    if (one !== "") commands.push(one);
    text = "";
  };
  const inner = (from: number, close: string): number => {
    let depth = 1;
    let at = from;
    for (; at < line.length; at++) {
      if (close === ")" && line[at] === "(") depth++;
      if (line[at] === close && --depth === 0) break;
    }
    const nested = splitLine(line.slice(from, at));
    commands.push(...nested.commands);
    redirects ||= nested.redirects;
    complex = true;
    return at;
  };
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? "";
    const two = line.slice(at, at + 2);
    if (quote === "'") {
      if (char === "'") quote = "";
      text += char;
      continue;
    }
    if (char === "\\") {
      text += two;
      at++;
      continue;
    }
    if (two === "$(" || char === "`") {
      const stop = inner(at + (char === "`" ? 1 : 2), char === "`" ? "`" : ")");
      text += line.slice(at, stop + 1);
      at = stop;
      continue;
    }
    if (char === "$") complex = true;
    if (char === '"') quote = quote === "" ? '"' : "";
    if (quote !== "" || char === '"') {
      text += char;
      continue;
    }
    if (char === "'") {
      quote = "'";
      text += char;
    } else if (char === "#" && /(?:^|\s)$/.test(text)) {
      while (at + 1 < line.length && line[at + 1] !== "\n") at++;
    } else if (char === "(" || char === ")") {
      complex = true;
      end();
    } else if (/^(?:&&|\|\||\|&)$/.test(two)) {
      end();
      at++;
    } else if (/^[;|\n]$/.test(char) || (char === "&" && line[at - 1] !== ">" && line[at + 1] !== ">")) end();
    else if (char === ">" || char === "<") {
      redirects = true;
      text = text.replace(/\s\d$/, "");
      const rest = /^[<>]{1,3}[&|]?\s*(?:'[^']*'|"[^"]*"|[^\s;&|()]*)/.exec(line.slice(at))?.[0] ?? char;
      at += rest.length - 1;
    } else text += char;
  }
  if (quote !== "") broken = true;
  end();
  return { commands, redirects, complex, broken };
}

/** The words of a command without quotes, one blank between two: another spelling of the same command. */
export function inWords(command: string): string {
  const words: string[] = [];
  const form = /(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+))(\s*)/g;
  let word = "";
  for (const [, double, single, escaped, plain, blank] of command.matchAll(form)) {
    word += double ?? single ?? escaped ?? plain ?? "";
    if (blank === "") continue;
    words.push(word);
    word = "";
  }
  if (word !== "") words.push(word);
  return words.join(" ");
}
