/** The files that a command's name means now, links followed. For decisions only: its starter looks again. */
import { realpathSync } from "node:fs";
import { quietly } from "../../core/run/quietly.ts";
import { findCommand } from "./find-command.ts";

/** By the PATH that children get; a name with a slash from each folder in which it may be started. */
export function programFiles(
  name: string,
  folders: readonly string[],
  path: string | undefined = process.env.PATH,
): readonly string[] {
  const found = name.includes("/")
    ? folders.map((folder) => findCommand(name, undefined, folder))
    : [findCommand(name, path, "/")];
  const files = found.filter((file) => file !== undefined);
  // One that is gone since is another file, or none, when somebody looks again.
  return [...new Set(files.map((file) => quietly(() => realpathSync.native(file)) ?? file))].sort();
}
