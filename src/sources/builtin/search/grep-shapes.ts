/** Brings the ways in which other agents ask for a search into the one of search.grep. */
import type { InputShape } from "../../../core/input/input-shapes.ts";
import type { Json, JsonObject } from "../../../core/input/json.ts";

const modes: Readonly<Record<string, string>> = {
  files_with_matches: "files",
  content: "content",
  count: "count",
};

/** File types by the names that ripgrep gives them. */
const types: Readonly<Record<string, string>> = {
  c: "*.{c,h}",
  cpp: "*.{cpp,cc,cxx,hpp,hh,hxx,h}",
  cs: "*.cs",
  css: "*.{css,scss}",
  go: "*.go",
  html: "*.{html,htm}",
  java: "*.java",
  js: "*.{js,jsx,cjs,mjs}",
  json: "*.json",
  kotlin: "*.{kt,kts}",
  md: "*.{md,markdown,mdx}",
  php: "*.php",
  py: "*.{py,pyi}",
  ruby: "*.rb",
  rust: "*.rs",
  sh: "*.{sh,bash,zsh}",
  sql: "*.sql",
  swift: "*.swift",
  toml: "*.toml",
  ts: "*.{ts,tsx,cts,mts}",
  txt: "*.txt",
  yaml: "*.{yaml,yml}",
};

/** Claude Code names files where nothing else is asked for. */
export const filesByDefault: InputShape = (input) =>
  input.output_mode === undefined && input.mode === undefined ? { ...input, mode: "files" } : input;

/** Gemini looks past the case of letters where nothing else is asked for. */
export const anyCaseByDefault: InputShape = (input) =>
  input.case_sensitive === undefined && input.ignoreCase === undefined
    ? { ...input, ignoreCase: true }
    : input;

export function fromOtherGreps(input: JsonObject): JsonObject | string {
  // Lines are always numbered, and why a model searches is no matter for the search.
  const { "-n": _numbers, multiline, type, case_sensitive: exact, names_only: names, ...more } = input;
  // More lines of a file than were asked for do no harm.
  const { no_ignore: all, offset, max_matches_per_file: _perFile, ...rest } = more;
  if (multiline === true) return "multiline is not taken: a match never leaves its line";
  if (typeof offset === "number" && offset > 0)
    return "offset is not taken: raise limit, or name a folder or a glob below";
  const adapted: Record<string, Json> = { ...rest };
  if (names === true && rest.mode === undefined) adapted.mode = "files";
  if (typeof all === "boolean" && rest.ignored === undefined) adapted.ignored = all;
  if (typeof exact === "boolean" && rest.ignoreCase === undefined) adapted.ignoreCase = !exact;
  if (typeof rest.mode === "string") adapted.mode = modes[rest.mode] ?? rest.mode;
  if (type === undefined || type === null) return adapted;
  const glob = typeof type === "string" && Object.hasOwn(types, type) ? types[type] : undefined;
  if (glob === undefined || rest.glob !== undefined)
    return `expected a glob such as "*.ts" instead of type ${JSON.stringify(type).slice(0, 50)}`;
  return { ...adapted, glob };
}
