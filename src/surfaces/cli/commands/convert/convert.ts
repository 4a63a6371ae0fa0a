/** `toolgate convert`: an old tool-routes.json as YAML, to standard output or into a new file. */
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ConfigProblem } from "../../../../config/config-problem.ts";
import { convertRoutes } from "../../../../config/convert/convert-routes.ts";
import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import { compileConfigured } from "../../../../open/compile-config.ts";
import { readTextFile } from "../../../../safe/files/documents/read-text-file.ts";
import { describeNotes, describeProblems } from "../../open/effective-config.ts";
import { realPath } from "../../open/real-path.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { saveFile } from "../../terminal/save-file.ts";
import { shownPath } from "../../terminal/shown.ts";

interface ConvertOptions {
  readonly file: string;
  readonly out?: string | undefined;
  /** Replace a file that is there. */
  readonly force?: boolean | undefined;
}

export async function runConvert({ file, out, force }: ConvertOptions, io: CliIo): Promise<number> {
  const from = resolve(io.cwd, file);
  const read = readTextFile(from);
  if (!read.ok) {
    io.err(describeProblems([{ file: from, message: read.message }], io.cwd));
    return exitCodes.failed;
  }
  const converted = convertRoutes(read.text, from);
  if (!converted.ok) {
    io.err(describeProblems(converted.problems, io.cwd));
    return exitCodes.failed;
  }
  const wrong = await problemsOf(converted.yaml, from);
  if (wrong.length > 0)
    return fail(
      `${describeProblems(wrong, io.cwd)}Nothing was written: mend or remove these routes first.`,
      io,
    );
  if (out === undefined) io.out(converted.yaml);
  else {
    const to = resolve(io.cwd, out);
    const why =
      realPath(from) === realPath(to)
        ? "it is the file to convert"
        : save(to, converted.yaml, force === true);
    if (why !== undefined) return fail(`${shownPath(to, io.cwd)} was not written: ${why}`, io);
    const next = shownPath(to, io.cwd);
    io.err(`Wrote ${next}. Try it: toolgate test ${next}\n`);
  }
  io.err(describeNotes(converted.notes));
  return exitCodes.ok;
}

/** A file that cannot be used would have every call denied, so none is written. */
async function problemsOf(yaml: string, from: string): Promise<readonly ConfigProblem[]> {
  const parsed = parseConfigFile(yaml, from, "routes");
  if (!parsed.ok) return parsed.problems;
  const compiled = await compileConfigured({ routes: parsed.file.routes });
  // Lines of the new text say nothing about the old file; the route's name does.
  return compiled.ok ? [] : compiled.problems.map(({ message }) => ({ file: from, message }));
}

function save(file: string, text: string, replace: boolean): string | undefined {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    return (error as Error).message;
  }
  return saveFile(file, text, replace, "the file is there already; add --force to replace it.");
}
