/** Numbers of a handler, checked where they are used: a limit that is not a number would be no limit. */
import type { HandlerProblem } from "./prepared-handler.ts";

export function wholeNumber(
  field: string,
  given: unknown,
  { otherwise, most }: { readonly otherwise: number; readonly most: number },
): { readonly value: number; readonly problems: readonly HandlerProblem[] } {
  if (given === undefined) return { value: otherwise, problems: [] };
  if (typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= most)
    return { value: given, problems: [] };
  const message = `${field} must be a whole number from 1 to ${most}, not ${String(given)}.`;
  return { value: otherwise, problems: [{ field, message }] };
}
