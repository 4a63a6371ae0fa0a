/** search.glob: files by the pattern of their paths, the newest first. */
import { isAbsolute, relative, sep } from "node:path";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import type { Json, JsonObject } from "../../../core/input/json.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { countFitting } from "../fit-lines.ts";
import { closed, flag, nonEmpty } from "../input-fields.ts";
import { chooseFiles } from "./file-choice.ts";
import { findPlace, type SearchPlace } from "./search-place.ts";
import { walkFiles } from "./walked-files.ts";

const defaultLimit = 100;
const maxLimit = 1_000;

export const glob = defineBuiltin("search.glob", {
  title: "Find files",
  description:
    "Finds files of the workspace whose paths match a glob: `*.ts` at any depth, `src/**/*.{ts,tsx}` from the folder. " +
    "The newest come first. Files that .gitignore leaves out are not found unless ignored is set. " +
    `At most ${defaultLimit} files unless limit says more. Folders are listed by fs.list.`,
  input: closed(["pattern"], {
    pattern: nonEmpty("Such as `**/*.test.ts`."),
    path: nonEmpty("The folder to search. Default: the working folder."),
    sort: { type: "string", enum: ["modified", "path"], description: "Newest first (default) or by path." },
    limit: { type: "integer", minimum: 1, maximum: maxLimit },
    hidden: flag("Also names that begin with a dot. Default true."),
    ignored: flag("Also what .gitignore leaves out. Default false."),
  }),
  synonyms: {
    pattern: ["glob", "glob_pattern"],
    path: directorySynonyms,
    limit: ["head_limit", "max_results"],
  },
  adapt: fromOtherGlobs,
  idempotent: true,
  run: async ({ pattern, path, sort = "modified", limit = defaultLimit, hidden, ignored }, context) => {
    const place = await findPlace(path, context);
    if (place.kind === "refused") return failed(place);
    if (place.kind === "file") {
      const message = `${JSON.stringify(path)} is a file. Name the folder to search in.`;
      return failed({ code: "not_a_directory", message });
    }
    const choice = chooseFiles({ hidden, ignored, include: [belowFolder(pattern, place)] });
    if (!choice.ok) return failed({ code: "bad_glob", message: choice.message });
    const best = new Best(limit, sort);
    const walked = await walkFiles(place, choice, (file) => {
      const modifiedMs = sort === "modified" ? (file.modifiedMs() ?? 0) : 0;
      best.add({ path: place.shown(file.names), modifiedMs });
      // In the order of paths the first ones are all that is wanted.
      return !(sort === "path" && best.total > limit);
    });
    if (!walked.ok) return failed(walked);
    const paths = best.sorted().map((file) => file.path);
    const shown = paths.slice(0, countFitting(paths));
    const truncated = best.total > shown.length || !walked.complete;
    const text = [...shown, ...notes(pattern, shown.length, truncated)].join("\n");
    return answered(text, { files: shown, truncated });
  },
});

interface Candidate {
  readonly path: string;
  readonly modifiedMs: number;
}

/** The best so far; never holds more than twice as many as are wanted. */
class Best {
  total = 0;
  #kept: Candidate[] = [];
  readonly #limit: number;
  readonly #sort: string;

  constructor(limit: number, sort: string) {
    this.#limit = limit;
    this.#sort = sort;
  }

  add(candidate: Candidate): void {
    this.total += 1;
    this.#kept.push(candidate);
    if (this.#kept.length >= this.#limit * 2) this.sorted();
  }

  sorted(): readonly Candidate[] {
    // A walk comes in the order of paths, and sorting keeps that order among equals.
    if (this.#sort === "modified") this.#kept.sort((left, right) => right.modifiedMs - left.modifiedMs);
    this.#kept = this.#kept.slice(0, this.#limit);
    return this.#kept;
  }
}

/** A pattern that is written out from the root of the disk is meant below the folder. */
function belowFolder(pattern: string, { absolute }: SearchPlace): string {
  if (!isAbsolute(pattern) || !pattern.startsWith(`${absolute}${sep}`)) return pattern;
  return `/${relative(absolute, pattern).replaceAll(sep, "/")}`;
}

function notes(pattern: string, found: number, truncated: boolean): string[] {
  if (truncated) return [`[Only ${found} files are shown. Narrow the pattern or the path, or raise limit.]`];
  return found === 0 ? [`[No file matches ${JSON.stringify(pattern)}.]`] : [];
}

function fromOtherGlobs(input: JsonObject): JsonObject {
  const { case_sensitive: _case, respect_git_ignore: respect, respect_gemini_ignore: _own, ...rest } = input;
  const adapted: Record<string, Json> = { ...rest };
  if (typeof respect === "boolean" && rest.ignored === undefined) adapted.ignored = !respect;
  return adapted;
}
