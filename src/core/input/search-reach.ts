/** Which files an agent's search tool opens, by the fields of its call: their contents are printed. */
import { wordSet, words } from "../text/words.ts";

export interface SearchReach {
  /** Folders or files as written; none: the working folder. */
  readonly paths: readonly string[];
  /** Only files with such names are opened, also hidden and ignored ones: ripgrep's globs count first. */
  readonly only?: readonly string[];
  /** Where globs begin with folders, only these are entered. */
  readonly below?: readonly string[];
  readonly without?: readonly string[];
  /** It is told to open hidden or ignored files, too. */
  readonly opensAll?: true;
}

/** Tools that print lines of the files they find. One that lists names (`search.glob`) opens none of them. */
const searchers = wordSet("search.grep search.codebase");

const pathFields = words("path paths dir_path directory directory_path target_directory target_directories");
const globFields = words(
  "glob globs include includes include_pattern includePattern file_pattern filePattern",
);

/** Undefined: no search, or one that opens nothing by itself. */
export function searchReachOf(toolId: string, args: unknown): SearchReach | undefined {
  if (!searchers.has(toolId)) return undefined;
  const paths = textsIn(args, pathFields);
  const globs = textsIn(args, globFields).flatMap(splitGlobs);
  const named = globs.filter((glob) => !glob.startsWith("!"));
  const without = globs.filter((glob) => glob.startsWith("!")).map((glob) => lastPart(glob.slice(1)));
  // Of globs that name files and globs that leave files out, the last that fits counts: nothing is certain.
  if (named.length === 0)
    return {
      paths,
      ...(without.length > 0 && { without }),
      ...(opensAll(args) && { opensAll: true as const }),
    };
  const below = named.map(folderOf);
  return {
    paths,
    only: named.map(lastPart),
    ...(paths.length === 0 && below.every((folder) => folder !== "") && { below: [...new Set(below)] }),
  };
}

/** `no_ignore`, `includeIgnoredFiles`, `hidden`, `file_filtering_options: {respect_git_ignore: false}`. */
function opensAll(args: unknown): boolean {
  if (typeof args !== "object" || args === null) return false;
  return Object.entries(args).some(([name, value]) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return opensAll(value);
    if (/respect|honou?r/i.test(name)) return /ignore|hidden/i.test(name) && !isYes(value);
    return /hidden|ignored|no[_-]?ignore|unrestricted/i.test(name) && isYes(value);
  });
}

function isYes(value: unknown): boolean {
  return value !== undefined && value !== null && !/^(?:|0|no|false|off)$/i.test(String(value));
}

function textsIn(args: unknown, fields: readonly string[]): string[] {
  if (typeof args !== "object" || args === null) return [];
  return fields.flatMap((field) => {
    if (!Object.hasOwn(args, field)) return [];
    const value = (args as Readonly<Record<string, unknown>>)[field];
    return [value].flat().filter((text) => typeof text === "string" && text !== "") as string[];
  });
}

/** Several stand in one field, between blanks or commas. */
function splitGlobs(text: string): string[] {
  const words = text.split(/\s+/).flatMap((word) => (/[{}]/.test(word) ? [word] : word.split(",")));
  return words.filter((word) => word !== "").flatMap((word) => expand(word));
}

const mostForms = 64;

/** `*.{ts,tsx}` is two globs. Where braces hold folders or too many forms, every name may fit. */
function expand(glob: string): readonly string[] {
  let forms: readonly string[] = [glob];
  for (;;) {
    const open = forms.find((form) => innerBraces.test(form));
    if (open === undefined) return forms;
    const parts = (innerBraces.exec(open)?.[1] ?? "").split(",");
    if (forms.length + parts.length > mostForms || parts.some((part) => part.includes("/"))) return ["*"];
    const filled = parts.map((part) => open.replace(innerBraces, () => part));
    forms = [...forms.filter((form) => form !== open), ...filled];
  }
}

const innerBraces = /\{([^{}]*)\}/;

function lastPart(glob: string): string {
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  return name === "" || name === "**" ? "*" : name;
}

/** The folders in front of the first wildcard; empty: none, so that every folder is entered. */
function folderOf(glob: string): string {
  const parts = glob.split("/").slice(0, -1);
  const wild = parts.findIndex((part) => !/^[\w.@ -]+$/.test(part) || part === "..");
  return parts.slice(0, wild === -1 ? parts.length : wild).join("/");
}
