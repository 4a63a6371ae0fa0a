/** search.codebase: the files that say most about a question, with their best lines. No index is kept. */
import { join } from "node:path";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { closed, nonEmpty, wholeNumber } from "../input-fields.ts";
import { chooseFiles } from "./file-choice.ts";
import { bestLines } from "./ranking/best-lines.ts";
import { FileRanking } from "./ranking/rank-files.ts";
import { queryWords } from "./ranking/words.ts";
import { readStart } from "./read-start.ts";
import { findPlace } from "./search-place.ts";
import { walkFiles } from "./walked-files.ts";

const defaultLimit = 8;
const maxLimit = 30;
/** Together they bound what one question may cost. */
const maxFiles = 20_000;
const maxTotalBytes = 128 * 1024 * 1024;
const maxFileBytes = 256 * 1024;
const maxWorkMs = 20_000;

export const codebase = defineBuiltin("search.codebase", {
  title: "Search the code base",
  description:
    "Finds the files that say most about a question or some words, best first, each with its best lines. " +
    "Words of identifiers count (`readFile` and `read_file` are both read and file), names of files and folders count more. " +
    "For an exact text or pattern use search.grep.",
  input: closed(["query"], {
    query: nonEmpty("Such as `where are rate limits counted`.", 1_000),
    path: nonEmpty("The folder to search. Default: the working folder."),
    glob: nonEmpty("Only files like this, such as `*.py`."),
    limit: wholeNumber(1, maxLimit, `Files in the answer. Default ${defaultLimit}.`),
  }),
  synonyms: { path: directorySynonyms, query: ["search", "question"], limit: ["max_results"] },
  adapt: fromOtherSearches,
  idempotent: true,
  run: async ({ query, path, glob, limit = defaultLimit }, context) => {
    const words = queryWords(query);
    if (words.length === 0) {
      const message = "The query holds no word to search for. Name what the code does or calls.";
      return failed({ code: "bad_query", message });
    }
    const choice = chooseFiles({ hidden: true, include: [glob ?? []].flat(), exclude: [dullFiles] });
    if (!choice.ok) return failed({ code: "bad_glob", message: choice.message });
    const place = await findPlace(path, context);
    if (place.kind === "refused") return failed(place);
    if (place.kind === "file") {
      const message = `${JSON.stringify(path)} is a file. Name a folder, or search the file with search.grep.`;
      return failed({ code: "not_a_directory", message });
    }
    const ranking = new FileRanking<readonly string[]>(words);
    const deadline = performance.now() + maxWorkMs;
    let files = 0;
    let bytes = 0;
    const walked = await walkFiles(place, choice, async (file) => {
      if (files >= maxFiles || bytes > maxTotalBytes || performance.now() > deadline) return false;
      const start = await readStart(file, maxFileBytes);
      if (!start.ok || !start.isText) return true;
      const { text } = start;
      files += 1;
      bytes += text.length;
      ranking.add(file.names, file.names.join("/"), text);
      return true;
    });
    if (!walked.ok) return failed(walked);
    const worth = ranking.weights();
    const weights = new Map(words.map(({ word }, index) => [word, worth[index] ?? 0]));
    const results = [];
    for (const { file: names, score } of ranking.best(limit)) {
      const absolute = join(place.absolute, ...names);
      const scan = (take: Parameters<typeof place.files.scan>[1]) => place.files.scan(absolute, take);
      const start = await readStart({ scan }, maxFileBytes);
      if (!start.ok || !start.isText) continue;
      const best = bestLines(start.text, weights);
      results.push({ path: place.shown(names), score: Number(score.toFixed(2)), ...best });
    }
    const structured = { results, truncated: !walked.complete };
    const parts = results.map(
      ({ path: at, startLine, endLine, text }) => `${at}:${startLine}-${endLine}\n${text}\n`,
    );
    if (results.length === 0)
      parts.push(`[No file holds a word of ${JSON.stringify(query)}. Try other words, or search.grep.]`);
    if (!walked.complete)
      parts.push(`[Only the first ${files} files were searched; name a folder in path to search the rest.]`);
    return answered(parts.join("\n"), structured);
  },
});

/** Written by programs: they hold every word and answer no question. */
const dullFiles =
  "{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,Cargo.lock,poetry.lock,composer.lock,Gemfile.lock,go.sum,*.min.js,*.min.css,*.map,*.snap}";

/** Several questions are one with all their words; several folders are not one folder. */
function fromOtherSearches(input: JsonObject): JsonObject | string {
  const { queries, target_directories: folders, ...rest } = input;
  if (Array.isArray(folders) && folders.length > 1) return "one folder at a time: give it as path";
  const [folder] = Array.isArray(folders) ? folders : [];
  const query = Array.isArray(queries) && rest.query === undefined ? queries.join(" ") : undefined;
  return { ...rest, ...(folder !== undefined && { path: folder }), ...(query !== undefined && { query }) };
}
