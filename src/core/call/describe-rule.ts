/** Which rule decided, in the words that a model reads after a refusal. */
import type { RuleRef } from "./errors.ts";

/** `(route github-pr, toolgate.yaml:3)` */
export function describeRule({ kind, name, source }: RuleRef): string {
  if (source === undefined) return `(${kind} ${name})`;
  return `(${kind} ${name}, ${source.file}${source.line === undefined ? "" : `:${source.line}`})`;
}
