/** code.definitions: the functions, classes, types and so on that files define, by their syntax trees. */
import { answered, failed } from "../../../core/call/tool-answer.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { createIsolatedTask, moduleBeside } from "../../../safe/isolated/isolated-task.ts";
import { defineBuiltin, directorySynonyms, pathSynonyms } from "../define-builtin.ts";
import { countFitting } from "../fit-lines.ts";
import { closed, nonEmpty, pathList, wholeNumber } from "../input-fields.ts";
import { type Budget, defineAt, type FileDefinitions } from "./definitions/define-files.ts";
import type { run as findDefinitions } from "./definitions/find-definitions.ts";
import { languages } from "./definitions/languages.ts";

const defaultLimit = 500;
const maxLimit = 5_000;
const maxPaths = 50;

export function createDefinitions() {
  const task = createIsolatedTask<typeof findDefinitions>({
    module: moduleBeside(import.meta.url, "./definitions/find-definitions"),
  });
  const tool = defineBuiltin("code.definitions", {
    title: "List definitions",
    description:
      "Lists what source files define, with line ranges: functions, classes, methods, interfaces, types, enums. " +
      "Takes a file or a folder with all that is below it, without what .gitignore leaves out. " +
      `Languages: ${languages.map(({ name }) => name).join(", ")}. Read a definition with fs.read and its lines.`,
    input: closed([], {
      path: nonEmpty("A file or a folder. Default: the working folder."),
      paths: pathList(maxPaths, "Several files or folders instead of path."),
      limit: wholeNumber(1, maxLimit, `Most definitions in the answer. Default ${defaultLimit}.`),
    }),
    synonyms: { path: [...pathSynonyms, ...directorySynonyms, "folder"], paths: ["file_paths"] },
    adapt: fromLanguageServer,
    validate: ({ path, paths }) =>
      path !== undefined && paths !== undefined ? "Give either path or paths, not both." : undefined,
    idempotent: true,
    timeoutMs: 60_000,
    run: async ({ path, paths = [path], limit = defaultLimit }, context) => {
      const budget: Budget = { left: limit, cut: false };
      const files: FileDefinitions[] = [];
      const problems: { readonly path: string; readonly message: string; readonly code: string }[] = [];
      for (const one of paths) {
        const found = await defineAt(one, context, task, budget);
        if (found.ok) files.push(...found.files);
        else if (paths.length === 1) return failed(found);
        else problems.push({ path: one ?? ".", message: found.message, code: found.code ?? "failed" });
      }
      if (problems.length === paths.length) {
        const message = problems.map((problem) => problem.message).join("\n");
        return failed({ code: problems[0]?.code ?? "failed", message });
      }
      const lines = files.flatMap(write);
      const fitting = countFitting(lines);
      budget.cut ||= fitting < lines.length;
      const text = [...lines.slice(0, fitting), ...notes(files, problems, budget)].join("\n");
      const structured = { files, problems, truncated: budget.cut };
      return answered(text, structured);
    },
  });
  return { tool, close: () => task.close() };
}

function write({ path, definitions: found, hasErrors }: FileDefinitions): string[] {
  return [
    path,
    ...found.map(
      ({ line, endLine, signature, depth }) => `${"  ".repeat(depth + 1)}${line}-${endLine}  ${signature}`,
    ),
    ...(found.length === 0 ? ["  [no definitions]"] : []),
    ...(hasErrors ? ["  [It has syntax errors; definitions may be missing.]"] : []),
  ];
}

function notes(
  files: readonly FileDefinitions[],
  problems: readonly { readonly message: string }[],
  { cut }: Budget,
): string[] {
  const more = "[There is more. Name a folder below or a single file, or raise limit.]";
  return [
    ...problems.map(({ message }) => `[${message}]`),
    ...(files.length === 0 && problems.length === 0
      ? ["[No definitions were found. Source files of the known languages only are looked at.]"]
      : []),
    ...(cut ? [more] : []),
  ];
}

/** A language server's question for the symbols of a file is ours. Its other questions need a server. */
function fromLanguageServer(input: JsonObject): JsonObject | string {
  const { operation, line: _line, character: _character, ...rest } = input;
  if (operation === undefined) return input;
  if (operation === "documentSymbol") return rest;
  return "only the operation documentSymbol is known here; find uses of a name with search.grep";
}
