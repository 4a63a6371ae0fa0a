/** Reads the lines that compilers and linters of all kinds print: `file:line:column: severity: message`. */
import { type Diagnostic, made, type Severity } from "../diagnostic.ts";

const shape =
  /^((?:[A-Za-z]:)?[^:\s][^:]*):(\d+):(?:(\d+):)?\s+(?:(fatal error|error|warning|note|info|hint)\b:?)?\s*(.*)$/i;

export function parseGcc(lines: readonly string[]): Diagnostic[] {
  return lines.flatMap((line) => {
    const [, file = "", row, column, severity = "", message = ""] = shape.exec(line) ?? [];
    if (message === "") return [];
    return [made({ file, line: row, column, severity: severityOf(severity), message })];
  });
}

/** Without a word for it, it is what the program was run for: an error. */
export function severityOf(word: string): Severity {
  const lower = word.toLowerCase();
  if (lower.startsWith("warn")) return "warning";
  return ["note", "info", "information", "hint", "style", "message"].includes(lower) ? "info" : "error";
}
