/** `toolgate convert`: an old tool-routes.json as YAML, to standard output or into a new file. */

import { dirname, resolve } from "node:path";
import type { ConfigProblem } from "../../../../config/config-problem.ts";
import { convertRoutes } from "../../../../config/convert/convert-routes.ts";
import { readOldFixtures } from "../../../../config/convert/old-fixtures.ts";
import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import { messageOf } from "../../../../core/call/errors.ts";
import { compileConfigured } from "../../../../open/compile-config.ts";
import { readTextFile } from "../../../../safe/files/documents/read-text-file.ts";
import { describeNotes, describeProblems } from "../../open/effective-config.ts";
import { realPath } from "../../open/real-path.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { makeFolderOf, saveFile } from "../../terminal/save-file.ts";
import { shownPath } from "../../terminal/shown.ts";

interface ConvertOptions {
  readonly file: string;
  readonly out?: string | undefined;
  /** Replace a file that is there. */
  readonly force?: boolean | undefined;
}

export async function runConvert(options: ConvertOptions, io: CliIo): Promise<number> {
  const done = await convertFile(options, io);
  if (!done.ok) {
    io.err(asTyped(done.message, io));
    return exitCodes.failed;
  }
  const { to, yaml, notes, made } = done;
  io.err(made);
  if (to === undefined) io.out(yaml);
  else
    io.err(asTyped(`Wrote ${shownPath(to, io.cwd)}. Try it: toolgate test ${shownPath(to, io.cwd)}\n`, io));
  io.err(describeNotes(notes, io));
  return exitCodes.ok;
}

export type ConvertedFile =
  | {
      readonly ok: true;
      readonly yaml: string;
      /** What the author should look at. */
      readonly notes: readonly string[];
      /** The file that holds it now, if one was wanted. */
      readonly to: string | undefined;
      /** That its folder had to be made, as a whole line. */
      readonly made: string;
    }
  /** Whole lines, for people. */
  | { readonly ok: false; readonly message: string };

export async function convertFile(
  { file, out, force }: ConvertOptions,
  io: Pick<CliIo, "cwd">,
): Promise<ConvertedFile> {
  const failed = (message: string) => ({ ok: false as const, message });
  const from = resolve(io.cwd, file);
  const read = readTextFile(from);
  if (!read.ok) return failed(describeProblems([{ file: from, message: read.message }], io.cwd));
  const converted = convertRoutes(read.text, from, readOldFixtures(dirname(from)));
  if (!converted.ok) return failed(describeProblems(converted.problems, io.cwd));
  const { yaml, notes } = converted;
  const wrong = await problemsOf(yaml, from);
  if (wrong.length > 0)
    return failed(
      `${describeProblems(wrong, io.cwd)}Nothing was written: mend or remove these routes first.\n`,
    );
  if (out === undefined) return { ok: true, yaml, notes, to: undefined, made: "" };
  const to = resolve(io.cwd, out);
  let made: string;
  try {
    made = makeFolderOf(to, io.cwd);
  } catch (error) {
    return failed(`${messageOf(error)}\n`);
  }
  const why = realPath(from) === realPath(to) ? "it is the file to convert" : save(to, yaml, force === true);
  if (why !== undefined) return failed(`${shownPath(to, io.cwd)} was not written: ${why}\n`);
  return { ok: true, yaml, notes, to, made };
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
  return saveFile(file, text, replace, "the file is there already; add --force to replace it.");
}
