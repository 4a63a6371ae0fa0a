/** Says whether a command can be started, and if not, why, in words that help. */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { quietly } from "../../core/run/quietly.ts";

export interface CommandProblem {
  readonly code: "command_not_found" | "not_executable" | "bad_directory";
  readonly message: string;
}

/** The full path of the command, looked up in the child's own PATH. */
export function findCommand(command: string, path: string | undefined, cwd: string): string | undefined {
  if (command.includes("/")) {
    const full = resolve(cwd, command);
    return isExecutableFile(full) ? full : undefined;
  }
  for (const entry of (path ?? "").split(delimiter)) {
    if (isAbsolute(entry) && isExecutableFile(join(entry, command))) return join(entry, command);
  }
  return undefined;
}

export function explainMissingCommand(
  command: string,
  path: string | undefined,
  cwd: string,
): CommandProblem {
  const cannot = `Cannot start ${quoted(command)}:`;
  if (!isDirectory(cwd))
    return {
      code: "bad_directory",
      message: `${cannot} the working directory ${quoted(cwd)} is not an existing folder.`,
    };
  if (command.includes("/") && statSync(resolve(cwd, command), { throwIfNoEntry: false }) !== undefined)
    return {
      code: "not_executable",
      message: `${cannot} it is not an executable file, or the interpreter in its first line is missing. Check its mode (chmod +x) and first line.`,
    };
  const hint = /\s/.test(command)
    ? "It holds spaces: give the program alone as the command and each argument separately."
    : command.includes("/")
      ? "Check the path."
      : `Install it, or add its folder to PATH (searched: ${path === undefined || path === "" ? "nothing, PATH is empty" : path}).`;
  return { code: "command_not_found", message: `Command not found: ${quoted(command)}. ${hint}` };
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isExecutableFile(path: string): boolean {
  const isFile = quietly(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  });
  return isFile === true;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
}
