/** Fields that hold a command line, by the names that agents and servers give them, however they spell those. */

/** What it is called says enough: `command`, `shellCommand`, `start_cmd`, `CommandLine`, `bash_script`, `argv`. */
const commandName =
  /(?:command|cmd)(?:s|lines?|strings?|text)?$|^(?:shell|bash|sh|zsh|terminal|powershell|pwsh)(?:scripts?|code|lines?)$|^(?:scripts?|argv|bash|zsh|powershell|pwsh|exec|execute)$/;

/** Commands of their own, not the words of one. */
const manyName = /(?:commands|cmds|lines|strings|scripts)$/;

const argumentNames: ReadonlySet<string> = new Set(["args", "arguments", "argv", "params", "parameters"]);

/** Longer names are nobody's field, only work. */
const longestName = 64;

export function isCommandField(name: string): boolean {
  return name.length <= longestName && commandName.test(plain(name));
}

export function holdsManyCommands(name: string): boolean {
  return name.length <= longestName && manyName.test(plain(name));
}

/** `command: "rm", args: ["-rf", "x"]`: the rest of the line stands beside it. */
export function isArgumentField(name: string): boolean {
  return name.length <= longestName && argumentNames.has(plain(name));
}

function plain(name: string): string {
  return name.replaceAll(/[\s_.-]/g, "").toLowerCase();
}
