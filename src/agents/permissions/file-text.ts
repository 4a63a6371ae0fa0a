/** Which files a permission means. */
import { escaped } from "./command-text.ts";

export interface FileText {
  /** A folder or file, and all below it: `src`, `/etc`, `~/.ssh`. Undefined: only the pattern says. */
  readonly inside?: string;
  /**
   * A regular expression. A path in the workspace is compared relative to it, every other one as a whole; if
   * the pattern begins with a slash, each as a whole.
   */
  readonly pattern?: string;
  /** A file that is meant. */
  readonly sample: string;
}

/**
 * A pattern as .gitignore has it: `*` within a name, `**` over folders, a name alone at any depth, a folder
 * with all below it. `from`: the absolute folder that it starts in; undefined: the workspace.
 */
export function ignoreText(written: string, from: string | undefined): FileText {
  const isAnchored = written
    .replace(/^\.\//, "/")
    .replace(/\/(?:\*\*)?$/, "")
    .includes("/");
  const glob = written.replace(/^\.?\//, "").replace(/\/$/, "");
  const base = from === undefined ? "" : `${from.replace(/\/$/, "")}/`;
  const here = (path: string) => `${base}${path}`;
  if (glob === "" || glob === "**" || glob === "*") return { inside: from ?? ".", sample: here("notes.txt") };
  const folder = glob.replace(/\/\*\*$/, "");
  const meant = here(sampleOf(folder === glob ? glob : `${folder}/notes.txt`));
  if (isAnchored && !/[*?[\]\\]/.test(folder)) return { inside: here(folder), sample: meant };
  const body = ignoreSource(folder);
  const deep = isAnchored ? body : `(?:[^/]+/)*${body}`;
  const end = folder === glob ? "(?:/|$)" : "/";
  if (from === undefined) return { inside: ".", pattern: `^${deep}${end}`, sample: meant };
  // The slash in front says that whole paths are compared; what looks back, that it is the first one.
  return { inside: from, pattern: `/(?<=^/)${escaped(base.slice(1))}${deep}${end}`, sample: meant };
}

function sampleOf(glob: string): string {
  return glob
    .replaceAll(/\*\*\//g, "")
    .replaceAll(/\*+|\?/g, "x")
    .replaceAll(/\[!?([^\]])[^\]]*\]/g, "$1");
}

function ignoreSource(glob: string): string {
  return glob
    .split(/(\*\*\/|\*\*|\*|\?|\[[^\]/]*\])/)
    .map((piece) => {
      if (piece === "**/") return "(?:[^/]+/)*";
      if (piece === "**") return ".*";
      if (piece === "*") return "[^/]*";
      if (piece === "?") return "[^/]";
      if (/^\[[^\]/]+\]$/.test(piece)) return piece.replace(/^\[!/, "[^");
      return escaped(piece);
    })
    .join("");
}

/** A text in which `*` stands for any characters, slashes too, compared with the path from the workspace. */
export function wildcardText(glob: string, home: string): FileText {
  const text = glob.replace(/^(?:~|\$HOME)(?=\/|$)/, home);
  const isWhole = text.startsWith("/");
  const head = text.replace(/^\.\//, "");
  const folder = head.replace(/\/\*+$/, "");
  if (folder === "*" || folder === "**") return everyFile;
  if (folder !== head && !/[*?]/.test(folder)) return { inside: folder, sample: `${folder}/notes.txt` };
  if (!/[*?]/.test(head)) return { inside: head, sample: head };
  const sample = sampleOf(head);
  const source = head
    .split(/(\*+|\?)/)
    .map((piece) => (/^\*+$/.test(piece) ? ".*" : piece === "?" ? "." : escaped(piece)))
    .join("");
  return isWhole
    ? { pattern: `/(?<=^/)${source.slice(1)}$`, sample }
    : { inside: ".", pattern: `^${source}$`, sample };
}

/** Approved is only what lies in the workspace; stopped is every file. */
const everyFile: FileText = { inside: ".", pattern: "^", sample: "notes.txt" };
