/** fs.list: what is in a folder, or in the tree below it, without what .gitignore leaves out. */
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { countFitting } from "../fit-lines.ts";
import { closed, flag, nonEmpty, wholeNumber } from "../input-fields.ts";
import { compileGlobs } from "../search/glob/glob.ts";
import { findPlace } from "../search/search-place.ts";
import { listTree, type Shown } from "./list-tree.ts";

const defaultLimit = 500;
const maxLimit = 5_000;
const defaultDepth = 3;
const maxDepth = 20;

export const list = defineBuiltin("fs.list", {
  title: "List a folder",
  description:
    "Lists a folder of the workspace; folders end in /. With recursive also what is below, level by level, " +
    `${defaultDepth} levels deep unless depth says more, without what .gitignore leaves out.`,
  input: closed([], {
    path: nonEmpty("The folder. Default: the working folder."),
    recursive: flag("Also what is in its folders. Default false."),
    depth: wholeNumber(1, maxDepth, "How many levels; more than 1 is recursive."),
    sort: { type: "string", enum: ["folders-first", "name"], description: "Default folders-first." },
    hidden: flag("Also names that begin with a dot. Default true."),
    ignored: flag("Also what .gitignore leaves out. Default: only when not recursive."),
    exclude: {
      type: "array",
      items: { type: "string", minLength: 1 },
      maxItems: 50,
      description: "No entries like these globs, such as `*.log` or `build`.",
    },
    limit: wholeNumber(1, maxLimit, `Default ${defaultLimit}.`),
  }),
  synonyms: { path: directorySynonyms, exclude: ["ignore"], limit: ["max_entries"] },
  adapt: fromOtherLists,
  idempotent: true,
  run: async (args, context) => {
    const place = await findPlace(args.path, context);
    if (place.kind === "refused") return failed(place);
    if (place.kind === "file") {
      const message = `${JSON.stringify(args.path)} is a file, not a folder. Read it with fs.read, or list its parent.`;
      return failed({ code: "not_a_directory", message });
    }
    const exclude = compileGlobs(args.exclude ?? []);
    if (!exclude.ok) return failed({ code: "bad_glob", message: exclude.message });
    const depth = args.depth ?? (args.recursive === true ? defaultDepth : 1);
    const { hidden = true, ignored = depth === 1, limit = defaultLimit, sort = "folders-first" } = args;
    const listed = await listTree(place, {
      depth,
      hidden,
      ignored,
      excludes: exclude.matches,
      limit,
      foldersFirst: sort === "folders-first",
    });
    if (!listed.ok) return failed(listed);
    const lines = listed.entries.map(write);
    const shown = countFitting(lines);
    const truncated = listed.truncated || shown < lines.length;
    const text = [...lines.slice(0, shown), ...notes(shown, truncated, listed.closed)].join("\n");
    const structured = { path: place.shown([]), entries: listed.entries.slice(0, shown), truncated };
    return answered(text, structured);
  },
});

function write({ path, kind, size, leadsTo, protected: reason }: Shown): string {
  const mark = kind === "directory" ? "/" : "";
  const about = [
    ...(leadsTo === undefined
      ? []
      : [leadsTo === "outside" ? "link out of the workspace" : `link to ${leadsTo}`]),
    ...(size === undefined ? [] : [`${size} bytes`]),
    ...(reason === undefined ? [] : ["protected"]),
  ];
  return `${path}${mark}${about.length === 0 ? "" : `  (${about.join(", ")})`}`;
}

function notes(shown: number, truncated: boolean, closed: number): string[] {
  if (truncated)
    return [`[Only ${shown} entries are shown. List a folder below, lower depth, or raise limit.]`];
  if (shown === 0) return ["[The folder is empty.]"];
  return closed > 0 ? [`[${closed} folders below are not opened; raise depth to see into them.]`] : [];
}

function fromOtherLists(input: JsonObject): JsonObject {
  const { file_filtering_options: options = {}, respect_git_ignore, ...rest } = input;
  const respect = respect_git_ignore ?? (isJsonObject(options) ? options.respect_git_ignore : undefined);
  const adapted: Record<string, Json> = { ...rest };
  // Agents that write their calls as tags have only texts.
  if (rest.recursive === "true" || rest.recursive === "false") adapted.recursive = rest.recursive === "true";
  if (typeof respect === "boolean" && rest.ignored === undefined) adapted.ignored = !respect;
  return adapted;
}
