/** Reads lines by an operator's pattern: its groups are file, line, column, severity, code and message. */
import type { SafePattern } from "../../../../../core/ports/pattern.ts";
import { type Diagnostic, made } from "../diagnostic.ts";
import { severityOf } from "./gcc.ts";

export function parsePattern(lines: readonly string[], pattern: SafePattern): Diagnostic[] {
  return lines.flatMap((line) => {
    const match = pattern.exec(line) as (readonly string[] & Groups) | null | undefined;
    const { file = "", line: row, column, severity = "", code, message = "" } = match?.groups ?? {};
    if (message.trim() === "") return [];
    return [made({ file, line: row, column, severity: severityOf(severity), message, code })];
  });
}

interface Groups {
  readonly groups?: Readonly<Record<string, string | undefined>>;
}
