/** The definitions of files and folders, within what one call may cost. */

import { extname } from "node:path";
import type { Failed } from "../../../../core/call/tool-answer.ts";
import { exactDuration } from "../../../../core/text/duration.ts";
import type { ToolContext } from "../../../../core/tool/tool.ts";
import type { IsolatedTask } from "../../../../safe/isolated/isolated-task.ts";
import { chooseFiles } from "../../search/file-choice.ts";
import { readStart } from "../../search/read-start.ts";
import { findPlace, type SearchPlace } from "../../search/search-place.ts";
import { type FoundFile, walkFiles } from "../../search/walked-files.ts";
import type { FoundDefinitions, Source } from "./find-definitions.ts";
import { knownLanguages, type Language, languageByFirstLine, languageByName } from "./languages.ts";
import type { FoundDefinition } from "./nest-definitions.ts";

export type FindTask = IsolatedTask<Source, FoundDefinitions>;

export interface FileDefinitions {
  readonly path: string;
  readonly language: string;
  readonly definitions: readonly FoundDefinition[];
  readonly hasErrors: boolean;
}

export interface Budget {
  /** How many more definitions may be shown. */
  left: number;
  /** More was there than could be looked at or shown. */
  cut: boolean;
}

const maxFiles = 300;
const maxSourceBytes = 1024 * 1024;
const maxFolderMs = 20_000;
/** The parser is asked to stop, then made to. */
const softMs = 3_000;
const hardMs = 4_000;

export async function defineAt(
  path: string | undefined,
  context: ToolContext,
  task: FindTask,
  budget: Budget,
): Promise<{ readonly ok: true; readonly files: readonly FileDefinitions[] } | Failed> {
  const place = await findPlace(path, context);
  if (place.kind === "refused") return { ok: false, code: place.code ?? "refused", message: place.message };
  if (place.kind === "directory") return defineFolder(place, task, budget);
  const { files, absolute, signal } = place;
  const file: FoundFile = { names: [], scan: (take) => files.scan(absolute, take, { signal }) };
  const found = await defineFile(place, file, task, budget);
  return found.ok ? { ok: true, files: [found.file] } : found;
}

/** Files that cannot be read or parsed are left out: whoever wants one of them names it and hears why. */
async function defineFolder(place: SearchPlace, task: FindTask, budget: Budget) {
  const choice = chooseFiles({ hidden: false, exclude: ["*.min.{js,mjs,cjs}"] });
  if (!choice.ok) return choice;
  const files: FileDefinitions[] = [];
  const deadline = performance.now() + maxFolderMs;
  let looked = 0;
  const walked = await walkFiles(place, choice, async (file) => {
    if (languageByName(file.names.at(-1) ?? "") === undefined) return true;
    if (looked >= maxFiles || budget.left === 0 || performance.now() > deadline) return false;
    looked += 1;
    const found = await defineFile(place, file, task, budget);
    if (found.ok && found.file.definitions.length > 0) files.push(found.file);
    return true;
  });
  if (!walked.ok) return { ok: false as const, code: walked.code, message: walked.message };
  budget.cut ||= !walked.complete;
  return { ok: true as const, files };
}

async function defineFile(place: SearchPlace, file: FoundFile, task: FindTask, budget: Budget) {
  const path = place.shown(file.names);
  const byName = languageByName(path);
  if (byName === undefined && extname(path) !== "") return unknownLanguage(path);
  const source = await readStart(file, maxSourceBytes);
  if (!source.ok) return { ok: false as const, code: source.code, message: source.message };
  if (!source.isText) return { ok: false as const, code: "not_text", message: `${path} is not a text file.` };
  if (!source.isWhole) {
    const message = `${path} is larger than ${maxSourceBytes} bytes, which is too large to be parsed. Search it with search.grep.`;
    return { ok: false as const, code: "too_large", message };
  }
  const language = byName ?? languageByFirstLine(source.text);
  if (language === undefined) return unknownLanguage(path);
  const found = await parse(language, source.text, task, place.signal);
  if (!found.ok) return { ok: false as const, code: found.code, message: `${path} ${found.message}` };
  const definitions = found.value.definitions.slice(0, budget.left);
  budget.cut ||= definitions.length < found.value.definitions.length;
  budget.left -= definitions.length;
  const { hasErrors } = found.value;
  return { ok: true as const, file: { path, language: language.name, definitions, hasErrors } };
}

async function parse({ grammar, query }: Language, text: string, task: FindTask, signal: AbortSignal) {
  const end = await task.run({ grammar, query, text, maxMs: softMs }, { timeoutMs: hardMs, signal });
  if (end.ok && !end.value.gaveUp) return end;
  const code = end.ok ? "timed_out" : end.code;
  const why =
    code === "timed_out"
      ? `took longer than ${exactDuration(softMs)}`
      : "needed too much memory, or broke the parser";
  const message = `could not be parsed: it ${why}. Search it with search.grep.`;
  return { ok: false as const, code, message: code === "cancelled" ? "was not parsed: cancelled." : message };
}

function unknownLanguage(path: string) {
  const message = `The language of ${path} is not known here. Known: ${knownLanguages()}.`;
  return { ok: false as const, code: "unknown_language", message };
}
