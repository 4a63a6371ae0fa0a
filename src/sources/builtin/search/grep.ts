/** search.grep: lines that match a pattern, by ripgrep or else by this process, with the same result. */
import type { ToolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { findRipgrep } from "../../../safe/files/ripgrep.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { closed, flag, nonEmpty, wholeNumber } from "../input-fields.ts";
import { chooseFiles, type FileChoice } from "./file-choice.ts";
import { type GrepMode, GrepResult } from "./grep-result.ts";
import { anyCaseByDefault, filesByDefault, fromOtherGreps } from "./grep-shapes.ts";
import { compileSearchPattern, type SearchPattern } from "./pattern/search-pattern.ts";
import { ripgrepFiles } from "./ripgrep-files.ts";
import { searchFile } from "./search-file.ts";
import { findPlace, type SearchPlace } from "./search-place.ts";
import { type FoundFile, walkFiles } from "./walked-files.ts";

export interface GrepOptions {
  /** Where ripgrep is; undefined = there is none. Default: the one of the package `@vscode/ripgrep`. */
  readonly findProgram?: () => Promise<string | undefined>;
}

const defaultLimit = 100;
const maxLimit = 1_000;
const maxContext = 50;

export function createGrep({ findProgram = findRipgrep }: GrepOptions = {}) {
  return defineBuiltin("search.grep", {
    title: "Search in files",
    description:
      "Searches files of the workspace for lines that match a regular expression, in the order of their paths. " +
      "JavaScript syntax within one line, without look-around and back-references. " +
      "Files that .gitignore leaves out, binary files and protected ones (.env, keys) are not searched. " +
      `At most ${defaultLimit} results unless limit says more.`,
    input: closed(["pattern"], {
      pattern: nonEmpty("What to search for, such as `class \\w+Error`."),
      path: nonEmpty("The folder or file to search. Default: the working folder."),
      glob: nonEmpty("Only files like this: `*.ts` at any depth, `src/**/*.{ts,tsx}` from the folder."),
      exclude: nonEmpty("No files or folders like this glob."),
      mode: {
        type: "string",
        enum: ["content", "files", "count"],
        description: "Matching lines (default), only the files that have some, or how many each has.",
      },
      ignoreCase: flag("Default false."),
      literal: flag("The pattern is plain text. Default false."),
      context: wholeNumber(0, maxContext, "Lines shown around each match."),
      before: wholeNumber(0, maxContext, "Lines shown before each match."),
      after: wholeNumber(0, maxContext, "Lines shown after each match."),
      limit: wholeNumber(1, maxLimit, "Most lines, or files, in the answer."),
      hidden: flag("Also names that begin with a dot. Default true."),
      ignored: flag("Also what .gitignore leaves out. Default false."),
    }),
    synonyms: {
      pattern: ["regex", "query"],
      path: directorySynonyms,
      glob: ["include", "file_pattern", "include_pattern"],
      exclude: ["exclude_pattern"],
      mode: ["output_mode"],
      ignoreCase: ["-i", "ignore_case", "case_insensitive"],
      literal: ["fixed_strings"],
      context: ["-C"],
      before: ["-B"],
      after: ["-A"],
      limit: ["head_limit", "max_results", "max_matches", "total_max_matches"],
    },
    shapes: {
      Grep: filesByDefault,
      grep_search: anyCaseByDefault,
      search_file_content: anyCaseByDefault,
    },
    adapt: fromOtherGreps,
    idempotent: true,
    run: async (args, context): Promise<ToolResult> => {
      const { pattern, path, glob, exclude, mode = "content", ignoreCase = false, literal = false } = args;
      const compiled = compileSearchPattern(pattern, { ignoreCase, literal });
      if (!compiled.ok) return failed({ code: "bad_pattern", message: compiled.message });
      const { hidden, ignored } = args;
      const globs = { include: [glob ?? []].flat(), exclude: [exclude ?? []].flat() };
      const choice = chooseFiles({ hidden, ignored, ...globs });
      if (!choice.ok) return failed({ code: "bad_glob", message: choice.message });
      const place = await findPlace(path, context);
      if (place.kind === "refused") return failed(place);
      const { context: around = 0, before = around, after = around, limit = defaultLimit } = args;
      const result = new GrepResult(mode as GrepMode, { before, after, limit });
      const problem = await searchPlace({ place, pattern: compiled, choice, result }, findProgram);
      return problem ?? result.toToolResult(pattern);
    },
  });
}

export const grep = createGrep();

interface Search {
  readonly place: SearchPlace;
  readonly pattern: SearchPattern;
  readonly choice: FileChoice;
  /** Takes what is found. */
  readonly result: GrepResult;
}

/** Undefined: what was found is in the result. */
async function searchPlace(
  { place, pattern, choice, result }: Search,
  findProgram: () => Promise<string | undefined>,
): Promise<ToolResult | undefined> {
  const take = async (file: FoundFile) => {
    const found = await searchFile(file, pattern, result.nextFile());
    return found.searched ? result.add(place.shown(file.names), found) : true;
  };
  if (place.kind === "file") {
    const { files, absolute, signal } = place;
    const file: FoundFile = { names: [], scan: (piece) => files.scan(absolute, piece, { signal }) };
    const found = await searchFile(file, pattern, result.nextFile());
    if (!found.searched) return failed(found);
    result.add(place.shown([]), found);
    return undefined;
  }
  const program = await findProgram();
  if (program !== undefined) {
    const end = await ripgrepFiles({ program, pattern: pattern.ripgrep, place, choice }, take);
    if (end.ok) {
      result.complete &&= end.complete !== false;
      return undefined;
    }
    if (end.cancelled) return failed({ code: "cancelled", message: end.message });
    // What ripgrep cannot take, such as a pattern that is too large for it, is searched here.
  }
  const walked = await walkFiles(place, choice, take);
  if (!walked.ok) return failed(walked);
  result.complete &&= walked.complete;
  return undefined;
}
