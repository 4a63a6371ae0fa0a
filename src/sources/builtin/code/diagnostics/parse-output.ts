/** Turns what a checker printed into findings, by the form it is known to have. */
import { compilePattern } from "../../../../safe/regex/safe-regex.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { OutputForm } from "./options.ts";
import { parseEslintJson } from "./parse/eslint-json.ts";
import { parseGcc } from "./parse/gcc.ts";
import { parsePattern } from "./parse/pattern.ts";
import { parseTsc } from "./parse/tsc.ts";

const maxLine = 2_000;
const maxLines = 50_000;

/** Undefined: the output does not have that form at all. */
export function parseOutput(
  form: OutputForm,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): Diagnostic[] | undefined {
  if (form === "eslint-json") return parseEslintJson(stdout);
  const lines = `${stdout}\n${stderr}`
    .split(/\r?\n/, maxLines)
    .map((line) => (line.length > maxLine ? line.slice(0, maxLine) : line));
  if (form === "tsc") return parseTsc(lines);
  if (form === "gcc") return parseGcc(lines);
  const compiled = compilePattern(form.source, form.flags.replace(/[gy]/g, ""));
  return compiled.ok ? parsePattern(lines, compiled.pattern) : undefined;
}
