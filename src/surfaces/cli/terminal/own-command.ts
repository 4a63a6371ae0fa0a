/** What a person has to type to start this very toolgate again, here. */
import { realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import type { CliIo } from "./io.ts";
import { shellWord } from "./shown.ts";

/** `toolgate`, `npx toolgate`, or the whole path of the program. */
export function ownCommand({ script, env, cwd }: Pick<CliIo, "script" | "env" | "cwd">): string {
  if (script === undefined) return "toolgate";
  const own = realFile(script);
  const isOurs = (folder: string) => realFile(join(folder, "toolgate")) === own;
  // npm puts node_modules/.bin into PATH for what it starts; the person's shell does not have it.
  const isOfNpm = (folder: string) => env.npm_command !== undefined && folder.includes("node_modules");
  const inPath = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "" && !isOfNpm(folder));
  if (inPath.some(isOurs)) return "toolgate";
  if (isFetched(own) || foldersAbove(cwd).some((folder) => isOurs(join(folder, "node_modules/.bin"))))
    return "npx toolgate";
  return basename(script) === "toolgate" ? shellWord(script) : `node ${shellWord(own)}`;
}

/**
 * Our own text for a person, with commands as they have to be typed here. Not for what somebody else wrote and a person
 * judges, as a call that waits: that is shown as it is.
 */
export function asTyped(text: string, io: Pick<CliIo, "script" | "env" | "cwd">): string {
  if (io.script === undefined || text.search(ownCommandLine) === -1) return text;
  const own = ownCommand(io);
  return text.replaceAll(ownCommandLine, () => `${own} `);
}

/** All that there are; a sentence about toolgate has another word there. */
export const commandNames =
  "acp agents approvals audit chat check completion config console convert demo doctor explain grants import init " +
  "install list mcp replay run serve sessions store suggest test tokens tools trust uninstall upstreams";

/** Words in quotes are quoted from elsewhere. */
const ownCommandLine = new RegExp(
  `(?<![\\w/@.'"-]|npx |Usage: )toolgate (?=(?:${commandNames.replaceAll(" ", "|")})(?![\\w/@-]|\\.\\w))`,
  "g",
);

/** npx keeps what no project has installed in a folder of its own. */
function isFetched(file: string): boolean {
  return /[/\\]_npx[/\\]/.test(file);
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
