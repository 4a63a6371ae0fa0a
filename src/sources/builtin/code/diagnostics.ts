/** code.diagnostics: what compilers and linters say: TypeScript, and what the operator configures. */
import { resolve } from "node:path";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { countFitting } from "../fit-lines.ts";
import { closed, nonEmpty, pathList, wholeNumber } from "../input-fields.ts";
import { type Diagnostic, inOrder, summary, write } from "./diagnostics/diagnostic.ts";
import { type CodeSettings, maxTimeoutMs } from "./diagnostics/options.ts";
import { planChecks } from "./diagnostics/plan-checks.ts";
import { createRunChecker } from "./diagnostics/run-checker.ts";

const defaultLimit = 200;
const maxLimit = 2_000;
const maxPaths = 50;

export function createDiagnostics(settings: CodeSettings) {
  const runChecker = createRunChecker(settings);
  return defineBuiltin("code.diagnostics", {
    title: "Check code",
    description:
      "Reports errors and warnings of the workspace's compilers and linters as file:line:column. " +
      "TypeScript projects are checked with their own tsc; other languages where the operator configured a command. " +
      "Runs programs of the workspace.",
    input: closed([], {
      path: nonEmpty("Only what concerns this file or folder."),
      paths: pathList(
        maxPaths,
        "Several files or folders instead of path. Default: the project of the working folder.",
      ),
      limit: wholeNumber(1, maxLimit, `Most findings in the answer. Default ${defaultLimit}.`),
    }),
    synonyms: { path: pathSynonyms, paths: ["file_paths"] },
    validate: ({ path, paths }) =>
      path !== undefined && paths !== undefined ? "Give either path or paths, not both." : undefined,
    timeoutMs: maxTimeoutMs + 30_000,
    // It reads what others may be about to write, and nobody else waits for it.
    lock: "read",
    run: async ({ path, paths = path === undefined ? [] : [path], limit = defaultLimit }, context) => {
      const plan = await planChecks(paths, settings, context);
      if (!plan.ok) return failed(plan);
      if (plan.runs.length === 0)
        return failed({ code: "no_checker", message: nothingToRun(plan.notes, settings) });
      const found: Diagnostic[] = [];
      const notes = [...plan.notes];
      const problems: { readonly code: string; readonly message: string }[] = [];
      for (const run of plan.runs) {
        const end = await runChecker(run, context);
        if (end.ok) found.push(...end.diagnostics);
        else problems.push({ code: end.code ?? "failed", message: end.message });
        if (end.ok && end.flooded)
          notes.push(`${run.name} printed too much and was stopped; fix these first.`);
        if (context.signal.aborted) break;
      }
      const [problem] = problems;
      if (problem !== undefined && problems.length === plan.runs.length)
        return failed({ ...problem, message: problems.map(({ message }) => message).join("\n") });
      const wanted = inOrder(
        found.filter(({ file }) => file === "" || plan.covers(resolve(context.cwd, file))),
      );
      const names = plan.runs.map(({ name }) => name);
      return report(wanted, limit, names, [...notes, ...problems.map(({ message }) => message)]);
    },
  });
}

function report(
  wanted: readonly Diagnostic[],
  limit: number,
  names: readonly string[],
  notes: readonly string[],
) {
  const lines = wanted.slice(0, limit).map(write);
  const fitting = countFitting(lines);
  const total =
    wanted.length === 0
      ? `No problems found by ${names.join(", ")}.`
      : `${summary(wanted)}, by ${names.join(", ")}.`;
  const text = [
    ...lines.slice(0, fitting),
    ...(fitting < wanted.length
      ? [`[Only the first ${fitting} are shown; name a path to see those of a part.]`]
      : []),
    `[${total}]`,
    ...notes.map((note) => `[${note}]`),
  ].join("\n");
  const structured = {
    diagnostics: wanted.slice(0, limit),
    total: wanted.length,
    truncated: wanted.length > limit,
    checkers: names,
    notes,
  };
  return answered(text, structured);
}

function nothingToRun(notes: readonly string[], { checkers }: CodeSettings): string {
  if (notes.length > 0) return notes.join("\n");
  const globs = checkers.map(({ glob }) => glob).join(", ");
  const known =
    checkers.length === 0 ? "No other checker is configured" : `The configured checkers are for ${globs}`;
  return (
    "Nothing here can be checked: there is no tsconfig.json above it in the workspace. " +
    `${known}; the operator adds one with createCodeTools({ diagnostics: [{ glob, command, parse }] }).`
  );
}
