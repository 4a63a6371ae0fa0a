/** Reads git's configuration files as git does: sections, quoted parts, comments, lines that go on. */

export interface ConfigEntry {
  /** Lower case. */
  readonly section: string;
  /** As written: `origin` in `[remote "origin"]`. */
  readonly name: string | undefined;
  /** Lower case. */
  readonly key: string;
  /** `true` where the key stands alone. */
  readonly value: string;
}

/** Undefined: git would not read it either, or nobody can tell. */
export function parseConfig(text: string): ConfigEntry[] | undefined {
  const source = text.replace(/^\ufeff/, "").replace(/\r\n/g, "\n");
  const entries: ConfigEntry[] = [];
  let section: string | undefined;
  let name: string | undefined;
  let at = 0;
  for (;;) {
    at = skip(source, at);
    if (at >= source.length) return entries;
    if (source[at] === "[") {
      const header = headerForm.exec(source.slice(at, at + maxHeader));
      if (header === null) return undefined;
      const [whole, first = "", quoted] = header;
      const dot = first.indexOf(".");
      section = (dot < 0 ? first : first.slice(0, dot)).toLowerCase();
      name =
        quoted === undefined
          ? dot < 0
            ? undefined
            : first.slice(dot + 1).toLowerCase()
          : withoutEscapes(quoted);
      at += whole.length;
      continue;
    }
    const key = /^[A-Za-z][A-Za-z0-9-]*/.exec(source.slice(at, at + maxHeader))?.[0];
    if (key === undefined || section === undefined) return undefined;
    at += key.length;
    while (source[at] === " " || source[at] === "\t") at++;
    let value = "true";
    if (source[at] === "=") {
      const read = readValue(source, at + 1);
      if (read === undefined) return undefined;
      value = read.value;
      at = read.end;
    } else if (at < source.length && source[at] !== "\n") return undefined;
    entries.push({ section, name, key: key.toLowerCase(), value });
  }
}

const maxHeader = 4096;
const headerForm = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/;

function withoutEscapes(quoted: string): string {
  return quoted.replace(/\\(.)/g, "$1");
}

/** Over white space and comments. */
function skip(source: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < source.length && /\s/.test(source.charAt(at))) at++;
    if (source[at] !== "#" && source[at] !== ";") return at;
    const end = source.indexOf("\n", at);
    at = end < 0 ? source.length : end;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };

function readValue(source: string, from: number): { value: string; end: number } | undefined {
  let value = "";
  let kept = 0;
  let quoted = false;
  let at = from;
  for (; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\n") break;
    if (char === "\\") {
      const next = source.charAt(++at);
      if (next === "\n") continue;
      const meant = escapes[next];
      if (meant === undefined) return undefined;
      value += meant;
      kept = value.length;
    } else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "#" || char === ";")) {
      const end = source.indexOf("\n", at);
      at = end < 0 ? source.length : end;
      break;
    } else if (!quoted && /\s/.test(char)) {
      if (value !== "") value += char;
    } else {
      value += char;
      kept = value.length;
    }
  }
  return quoted ? undefined : { value: value.slice(0, kept), end: at };
}
