/**
 * The lines of a patch that name files. A patch carries its paths inside its text, where a rule about paths
 * would not look: this is how rules see them. The tool that applies patches reads its headers with the same
 * functions, so both speak of the same files.
 */
import { eachWord } from "../text/words.ts";

export type SectionKind = "add" | "update" | "delete" | "move";

/** Every path that a line names as a file to change, in any format of patch tools. Rather one too many. */
export function pathsInPatch(text: string): readonly string[] {
  const found = new Set<string>();
  const lines = patchLines(text);
  for (const [index, line] of lines.entries()) {
    const section = readSection(line);
    if (section !== undefined) found.add(section.path);
    for (const path of gitPaths(line)) found.add(path);
    const files = readFilePair(line, lines[index + 1]) ?? contextPair(line, lines[index + 1]);
    if (files?.from !== undefined) found.add(files.from);
    if (files?.to !== undefined) found.add(files.to);
  }
  // An agent on another system, or its patch tool, may read a backslash as the end of a folder's name.
  for (const path of [...found]) if (path.includes("\\")) found.add(path.replaceAll("\\", "/"));
  return [...found];
}

export function patchLines(text: string): string[] {
  return text.split(/\r?\n/);
}

const section =
  /^\s*\*{3}\s*(?:(add|create|update|edit|modify|delete|remove)\s+file|(move|rename)\s+to)\s*:(.*)$/is;

/** `*** Update File: src/a.ts`, also indented and in the spellings that models confuse it with. */
export function readSection(line: string): { readonly kind: SectionKind; readonly path: string } | undefined {
  if (!line.includes("***")) return undefined;
  const [, verb, move, rest = ""] = section.exec(line) ?? [];
  const path = rest.trim();
  if ((verb ?? move) === undefined || path === "") return undefined;
  return { kind: move === undefined ? kinds.get(verb!.toLowerCase())! : "move", path };
}

const kinds = new Map<string, SectionKind>([
  ...eachWord<SectionKind>("add create", "add"),
  ...eachWord<SectionKind>("update edit modify", "update"),
  ...eachWord<SectionKind>("delete remove", "delete"),
]);

export interface FilePair {
  /** Undefined: /dev/null, the file is new or goes. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** `--- a/x` followed by `+++ b/x`. A removed line that begins with `-- ` looks like the first alone. */
export function readFilePair(line: string, next: string | undefined): FilePair | undefined {
  if (!line.startsWith("--- ") || next?.startsWith("+++ ") !== true) return undefined;
  return withoutPrefixes(readName(line.slice(4)), readName(next.slice(4)));
}

/** The old form: `*** x` directly followed by `--- x`. No tool of ours applies it; another agent's may. */
function contextPair(line: string, next: string | undefined): FilePair | undefined {
  if (!line.startsWith("*** ") || next?.startsWith("--- ") !== true) return undefined;
  if (readSection(line) !== undefined || /^\*{3} (?:begin|end)\b/i.test(line)) return undefined;
  return withoutPrefixes(readName(line.slice(4)), readName(next.slice(4)));
}

/** `diff --git a/x b/x`: both names, if they can be told apart. A rename has lines of its own for them. */
export function readGitPair(line: string): FilePair | undefined {
  if (!line.startsWith("diff --git ")) return undefined;
  const rest = line.slice("diff --git ".length).trimEnd();
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  if (quoted !== null) return withoutPrefixes(readName(quoted[1]!), readName(quoted[2]!));
  const middle = (rest.length - 1) / 2;
  const [left, right] = [rest.slice(0, middle), rest.slice(middle + 1)];
  const same = Number.isInteger(middle) && rest[middle] === " " && left.slice(2) === right.slice(2);
  return same ? withoutPrefixes(left, right) : undefined;
}

/** `rename from x`, `copy to y`: names without a prefix. */
export function readGitMove(
  line: string,
): { readonly verb: "rename" | "copy"; readonly end: "from" | "to"; readonly path: string } | undefined {
  const [, verb, end, rest] = /^(rename|copy) (from|to) (.+)$/s.exec(line) ?? [];
  const path = rest === undefined ? undefined : readName(rest);
  if (path === undefined) return undefined;
  return { verb: verb as "rename", end: end as "from", path };
}

function gitPaths(line: string): string[] {
  const moved = readGitMove(line);
  if (moved !== undefined) return [moved.path];
  if (line.startsWith("Index: ")) return [line.slice("Index: ".length).trim()].filter((path) => path !== "");
  if (!line.startsWith("diff --git ")) return [];
  const pair = readGitPair(line);
  if (pair !== undefined) return [pair.from, pair.to].filter((path) => path !== undefined);
  // Two different names with spaces: any of the places between them may be the right one.
  return [...line.slice("diff --git ".length).matchAll(/ b\//g)].flatMap(({ index }) => {
    const rest = line.slice("diff --git ".length);
    return [rest.slice(0, index).replace(/^a\//, ""), rest.slice(index + 3)];
  });
}

/** git writes `a/` and `b/` in front; only both together are not part of the names. */
function withoutPrefixes(from: string | undefined, to: string | undefined): FilePair {
  const prefixed = (from?.startsWith("a/") ?? true) && (to?.startsWith("b/") ?? true);
  if (!prefixed) return { from, to };
  return { from: from?.slice(2), to: to?.slice(2) };
}

/** A name ends at a tab (a time may follow) and may be quoted as in C. Undefined: /dev/null. */
function readName(written: string): string | undefined {
  const name = written.startsWith('"') ? unquote(written) : written.replace(/\t.*$/s, "").trimEnd();
  return name === "/dev/null" ? undefined : name;
}

/** From 7 on, in the order of their codes. Every other character that is escaped stands for itself. */
const escapes = "abtnvfr";

function unquote(written: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"/s.exec(written)?.[1];
  if (inner === undefined) return written;
  const bytes: Buffer[] = [];
  for (const [piece, octal, letter] of inner.matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Buffer.of(Number.parseInt(octal, 8)));
    else if (letter !== undefined)
      bytes.push(Buffer.of(escapes.includes(letter) ? 7 + escapes.indexOf(letter) : letter.charCodeAt(0)));
    else bytes.push(Buffer.from(piece));
  }
  return Buffer.concat(bytes).toString();
}
