/** `apply_patch <<'EOF'` typed into a shell: Codex takes the patch out of the line and applies it by itself. */
import { pathsInPatch, readSection } from "../../core/input/patch-headers.ts";

export interface ShellPatch {
  /** With the files' names as they are seen from where the line starts. */
  readonly text: string;
  /** The line does nothing else, whoever reads it. */
  readonly isAll: boolean;
}

/** Undefined: there is none in it. */
export function readShellPatch(command: string): ShellPatch | undefined {
  if (!/apply_?patch|\*\*\* Begin Patch/.test(command)) return undefined;
  const { folder, quoted, plain, text = "" } = wholeLine.exec(command)?.groups ?? {};
  const end = quoted ?? plain;
  // What the shell would fill in is not yet the patch; after a line that is its end, commands would follow.
  const isAll = end !== undefined && (quoted !== undefined || !/[$`\\]/.test(text)) && !hasLine(text, end);
  if (isAll) return { text: folder === undefined ? text : moved(text, withoutQuotes(folder)), isAll };
  return pathsInPatch(command).length === 0 ? undefined : { text: command, isAll: false };
}

/** Only words that mean themselves in every shell. */
const word = `[\\w./@%+=:,-]+|'[^']*'|"[^"$\`\\\\]*"`;

const wholeLine = new RegExp(
  `^\\s*(?:cd +(?<folder>${word}) +&& +)?apply_?patch +<<-? *(?:(['"])(?<quoted>\\w+)\\2|(?<plain>\\w+))[ \\t]*\\n` +
    `(?<text>[^]*\\n)[ \\t]*(?:\\k<quoted>\\k<plain>)\\s*$`,
);

function hasLine(text: string, line: string): boolean {
  return text.split("\n").some((one) => one.trim() === line);
}

function withoutQuotes(text: string): string {
  return text.replace(/^(['"])(.*)\1$/s, "$2");
}

/** The other forms of patches are none for Codex: only its own headers name files. */
function moved(text: string, folder: string): string {
  const lines = text.split("\n").map((line) => {
    const { path } = readSection(line) ?? {};
    if (path === undefined || path.startsWith("/")) return line;
    return `${line.slice(0, line.lastIndexOf(path))}${folder}/${path}`;
  });
  return lines.join("\n");
}
