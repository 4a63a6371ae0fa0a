/** Changes a configuration file as a whole or not at all, and only if it is still what was looked at. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { describeConfigProblem } from "../../../config/config-problem.ts";
import { parseConfigFile } from "../../../config/file/parse-file.ts";
import { ToolgateError } from "../../../core/call/errors.ts";
import { readTextFile } from "../../../safe/files/documents/read-text-file.ts";
import { withFileLock } from "../../../safe/files/file-lock.ts";
import { replacePrivateFile } from "../../../safe/files/private-file.ts";
import { saveFile } from "../terminal/save-file.ts";
import { realPath } from "./real-path.ts";

export interface RuleFileChange {
  readonly file: string;
  /** The text of the file, now and then. */
  readonly before: string;
  readonly after: string;
  /** For its owner alone. */
  readonly isPrivate: boolean;
}

/** Empty: there is none yet. Throws when it cannot be used. */
export function readUsableFile(file: string): string {
  const read = readTextFile(file);
  if (!read.ok && !read.missing) throw new ToolgateError(`${file}: ${read.message}`);
  const text = read.ok ? read.text : "";
  refuseBroken(file, text, "Mend it first:");
  return text;
}

export function refuseBroken(file: string, text: string, what: string): void {
  const parsed = parseConfigFile(text, file, "config");
  if (!parsed.ok)
    throw new ToolgateError(`${what}\n${parsed.problems.map(describeConfigProblem).join("\n")}`);
}

/** Under a lock, and only if the file is still what was shown. */
export function writeRuleFile({ file, before, after, isPrivate }: RuleFileChange): Promise<void> {
  if (isPrivate) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const target = realPath(file);
  return withFileLock(`${target}.lock`, () => {
    if (readUsableFile(file) !== before)
      throw new ToolgateError(`${file} was changed meanwhile. Nothing was written; run it again.`);
    if (isPrivate) {
      replacePrivateFile(target, after);
      return;
    }
    const problem = saveFile(target, after, before !== "", "there is a file of that name.");
    if (problem !== undefined) throw new ToolgateError(`${file} cannot be written: ${problem}`);
  });
}
