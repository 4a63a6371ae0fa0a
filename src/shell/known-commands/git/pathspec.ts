/** Paths as git reads them: from the folder, from the top, in a revision, with its own wildcards. */
import { type Arg, GLOB, LITERAL } from "../../arg.ts";
import type { CommandUse } from "../../command-use.ts";

/** What only somebody who sees the repository can tell. */
export interface RepositoryPaths {
  readonly reads: string[];
  readonly writes: string[];
}

export type Access = "read" | "write";

/** A path after `--`, or of a subcommand that takes nothing else. */
export function addPathspec(use: CommandUse, found: RepositoryPaths, arg: Arg, access: Access): void {
  const list = access === "read" ? found.reads : found.writes;
  if (arg.kind !== LITERAL) {
    addPath(use, arg, access);
    // Where it fits no file, the shell hands the pattern on, and for git `*` also stands for slashes and
    // leading dots.
    if (arg.kind === GLOB) list.push(arg.text);
    return;
  }
  const { path, fromTop, excluded, literal, doubt } = parsePathspec(arg.text);
  if (doubt) use.unknownPaths = true;
  if (excluded) return;
  const wild = !literal && /[*?[\\]/.test(path);
  if (fromTop) list.push(`:/${path}`);
  else if (wild) list.push(path);
  if (!fromTop && (!wild || /\\/.test(path)))
    addPath(use, { ...arg, text: path === "" ? "." : path }, access);
}

/** Whether it only takes away from what others name. */
export function excludes(arg: Arg): boolean {
  return arg.kind === LITERAL && parsePathspec(arg.text).excluded;
}

/** A revision, a path in one (`HEAD:src/a.ts`, `:0:a.ts`), or a path. */
export function addRevision(use: CommandUse, found: RepositoryPaths, arg: Arg, access: Access): void {
  if (arg.kind === LITERAL) {
    const { text } = arg;
    for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
      const path = text.slice(at + 1);
      if (path === "" || path.startsWith("(")) continue;
      // From the top, unless it says otherwise.
      if (/^\.\.?(?:\/|$)/.test(path)) use.readPath({ ...arg, text: path });
      else found.reads.push(`:/${path.replace(/^\/+/, "")}`);
    }
  }
  addPathspec(use, found, arg, access);
}

function addPath(use: CommandUse, arg: Arg, access: Access): void {
  if (access === "read") use.readPath(arg);
  else use.writePath(arg);
}

interface Pathspec {
  readonly path: string;
  readonly fromTop: boolean;
  readonly excluded: boolean;
  readonly literal: boolean;
  readonly doubt: boolean;
}

/** `:(top,icase)x`, `:/x`, `:!x`: what stands in front says how the rest is read. */
function parsePathspec(text: string): Pathspec {
  const long = /^:\(([^)]*)\)([\s\S]*)$/.exec(text);
  if (long !== null) {
    const words = (long[1] ?? "").split(",");
    return {
      path: long[2] ?? "",
      fromTop: words.includes("top"),
      excluded: words.includes("exclude"),
      literal: words.includes("literal"),
      doubt: words.some((word) => !KNOWN_MAGIC.has(word)),
    };
  }
  const short = /^:([/!^]*):?([\s\S]*)$/.exec(text);
  if (short === null) return { path: text, fromTop: false, excluded: false, literal: false, doubt: false };
  const marks = short[1] ?? "";
  return {
    path: short[2] ?? "",
    // `:x` before `--` is a path of the index, and those start at the top.
    fromTop: marks.includes("/") || marks === "",
    excluded: /[!^]/.test(marks),
    literal: false,
    doubt: false,
  };
}

const KNOWN_MAGIC = new Set(["top", "literal", "icase", "glob", "exclude", ""]);
