/** One finding of a checker, and how a list of them is put into words. */
import { visible } from "../../../../core/text/visible.ts";

export type Severity = "error" | "warning" | "info";

export interface Diagnostic {
  /** First as the checker named it, later as the workspace shows it. Empty: about the project as a whole. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly severity: Severity;
  readonly message: string;
  /** Such as `TS2322`, or the name of a rule. */
  readonly code?: string;
}

/** Text of a checker quotes source code: nothing in it may hide or pass for another line. */
const maxMessage = 600;

/** A finding as a checker wrote it. */
interface Written extends Pick<Diagnostic, "file" | "severity" | "message"> {
  readonly line?: number | string | undefined;
  readonly column?: number | string | undefined;
  readonly code?: string | undefined;
}

export function made({ file, severity, message, code, ...place }: Written): Diagnostic {
  const [line, column] = [place.line ?? Number.NaN, place.column ?? Number.NaN].map(Number);
  return {
    file: visible(file),
    ...(Number.isSafeInteger(line) && { line: line as number }),
    ...(Number.isSafeInteger(column) && { column: column as number }),
    severity,
    message: visible(message.trim(), { keepNewlines: true, maxLength: maxMessage }),
    ...(code !== undefined && code !== "" && { code: visible(code, { maxLength: 100 }) }),
  };
}

/** `file:line:col severity message (code)`, what editors and models know. */
export function write({ file, line, column, severity, message, code }: Diagnostic): string {
  const place = [file === "" ? "(project)" : file, line, column]
    .filter((part) => part !== undefined)
    .join(":");
  const text = message.replaceAll("\n", "\n    ");
  return `${place} ${severity} ${text}${code === undefined ? "" : ` (${code})`}`;
}

export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const known = new Set<string>();
  return diagnostics
    .filter((one) => {
      const text = write(one);
      return !known.has(text) && known.add(text);
    })
    .sort((left, right) => {
      if (left.file !== right.file) return left.file < right.file ? -1 : 1;
      return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
    });
}

export function summary(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Severity) => diagnostics.filter((one) => one.severity === severity).length;
  const parts = (["error", "warning", "info"] as const)
    .map((severity) => [count(severity), severity] as const)
    .filter(([number]) => number > 0)
    .map(([number, name]) => `${number} ${name}${number === 1 || name === "info" ? "" : "s"}`);
  const files = new Set(diagnostics.map(({ file }) => file)).size;
  return `${parts.join(", ")} in ${files} file${files === 1 ? "" : "s"}`;
}
