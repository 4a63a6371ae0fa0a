/** Reads what eslint prints with --format json, and what others print in that form. */
import { isRecord } from "../../../../../core/input/json.ts";
import { type Diagnostic, made } from "../diagnostic.ts";

/** Undefined: it is not that form. */
export function parseEslintJson(output: string): Diagnostic[] | undefined {
  let files: unknown;
  try {
    files = JSON.parse(output);
  } catch {
    return undefined;
  }
  if (!Array.isArray(files)) return undefined;
  return files.flatMap((file: unknown) => {
    if (!isRecord(file) || typeof file.filePath !== "string" || !Array.isArray(file.messages)) return [];
    const { filePath } = file;
    return file.messages.filter(isRecord).map((one) =>
      made({
        file: filePath,
        line: numberOf(one.line),
        column: numberOf(one.column),
        severity: one.severity === 2 || one.fatal === true ? "error" : "warning",
        message: String(one.message ?? ""),
        code: typeof one.ruleId === "string" ? one.ruleId : undefined,
      }),
    );
  });
}
function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
