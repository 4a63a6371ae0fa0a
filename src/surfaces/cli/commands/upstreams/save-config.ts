/** Changes the user's configuration file: whole, only to a file that can be used, through links. */
import { join, resolve } from "node:path";
import { describeConfigProblem } from "../../../../config/config-problem.ts";
import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import { findFolders } from "../../../../config/folders.ts";
import { ToolgateError } from "../../../../core/call/errors.ts";
import { readTextFile } from "../../../../safe/files/documents/read-text-file.ts";
import { withFileLock } from "../../../../safe/files/file-lock.ts";
import { replacePrivateFile } from "../../../../safe/files/private-file.ts";
import type { CommonOptions } from "../../open/effective-config.ts";
import { realPath } from "../../open/real-path.ts";
import type { CliIo } from "../../terminal/io.ts";

export interface ConfigText {
  readonly file: string;
  /** Empty: there is none yet. */
  readonly text: string;
}

/** Throws for a file that cannot be used: nobody could say what a change of it means. */
export function readUserConfig(options: CommonOptions, io: CliIo): ConfigText {
  const file = userConfigFile(options, io);
  const read = readTextFile(file);
  if (!read.ok && !read.missing) throw new ToolgateError(`${file}: ${read.message}`);
  const text = read.ok ? read.text : "";
  refuseBroken(file, text, "Mend it first:");
  return { file, text };
}

/** Under a lock: two commands at once must not undo each other's change. Answers the file. */
export function changeUserConfig(
  options: CommonOptions,
  io: CliIo,
  change: (now: ConfigText) => string,
): Promise<string> {
  return withFileLock(`${realPath(userConfigFile(options, io))}.lock`, () => {
    const now = readUserConfig(options, io);
    saveUserConfig(now.file, change(now));
    return now.file;
  });
}

function saveUserConfig(file: string, text: string): void {
  refuseBroken(file, text, "It was not changed, because the result could not be used:");
  // The file may be a link into a folder that the user keeps under version control.
  replacePrivateFile(realPath(file), text);
}

function userConfigFile({ config }: CommonOptions, io: CliIo): string {
  return config === undefined ? join(findFolders(io.env).config, "config.yaml") : resolve(io.cwd, config);
}

function refuseBroken(file: string, text: string, what: string): void {
  const parsed = parseConfigFile(text, file, "config");
  if (!parsed.ok)
    throw new ToolgateError(`${what}\n${parsed.problems.map(describeConfigProblem).join("\n")}`);
}
