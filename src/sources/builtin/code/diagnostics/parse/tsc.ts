/** Reads what tsc prints with --pretty false: `a.ts(1,7): error TS2322: ...`, its further lines indented. */
import { type Diagnostic, made, type Severity } from "../diagnostic.ts";

const place = /\((\d+),(\d+)\): (?=(?:error|warning|message|info) TS\d+: )/;
const finding = /^(error|warning|message|info) (TS\d+): (.*)$/;

interface Open extends Omit<Diagnostic, "message"> {
  message: string;
}

export function parseTsc(lines: readonly string[]): Diagnostic[] {
  const found: Open[] = [];
  for (const line of lines) {
    const at = place.exec(line);
    const [, word = "", code = "", message = ""] =
      finding.exec(at === null ? line : line.slice(at.index + at[0].length)) ?? [];
    const last = found.at(-1);
    if (code !== "") {
      const where = at === null ? {} : { line: Number(at[1]), column: Number(at[2]) };
      const file = line.slice(0, at?.index ?? 0);
      found.push({ file, ...where, severity: severityOf(word), code, message });
    } else if (last !== undefined && /^\s+\S/.test(line)) last.message += `\n${line.trim()}`;
  }
  return found.map(made);
}

function severityOf(text: string): Severity {
  return text === "error" || text === "warning" ? text : "info";
}
