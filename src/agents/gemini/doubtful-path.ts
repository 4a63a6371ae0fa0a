/** Paths by which Gemini CLI means another file than the one that is written there. Text: what to write instead. */
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { JsonObject } from "../../core/input/json.ts";

export function explainDoubtfulPath(tool: string, input: JsonObject, cwd: string): string | undefined {
  const { file_path: path } = input;
  if (typeof path !== "string") return undefined;
  // It takes these characters out.
  if (path.includes("\0")) return "The path holds a NUL character. Write it without.";
  // Where no such file exists, it takes the sign away.
  if (path.startsWith("@"))
    return `The path ${JSON.stringify(path)} begins with @, so it can mean two files. Write an absolute path.`;
  // It looks for a file of this name in the whole workspace.
  if (tool === "replace" && !isAbsolute(path) && !existsSync(resolve(cwd, path)))
    return `There is no file ${JSON.stringify(path)} in the current folder, and another one could be meant. Write an absolute path.`;
  return undefined;
}
