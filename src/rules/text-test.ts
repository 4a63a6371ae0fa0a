/** Operators on text, patterns among them. */
import type { CompilePattern, SafePattern } from "../core/pattern.ts";
import type { CallView, Operator } from "./condition.ts";

export type TextTest = (text: string, view: CallView) => boolean | undefined;

export function textTest(
  operator: Operator,
  value: string,
  compilePattern: CompilePattern,
): TextTest | string {
  if (operator === "equals") return (text) => text === value;
  if (operator === "contains") return (text) => text.includes(value);
  if (operator === "startsWith") return (text) => text.startsWith(value);
  if (operator === "inside") return () => false;
  const compiled = compilePattern(value);
  if (!compiled.ok) return compiled.message;
  return (text, view) => testWithin(compiled.pattern, text, view);
}

function testWithin(pattern: SafePattern, text: string, view: CallView): boolean | undefined {
  if (view.patternsExhausted && !pattern.linear) return undefined;
  const answer = pattern.test(text);
  if (answer === undefined) view.patternsExhausted = true;
  return answer;
}

/** To widen, every text must hold: one harmless field must not vouch for another. */
export function textsHold(
  texts: readonly string[],
  view: CallView,
  test: TextTest,
  widening: boolean,
): boolean | undefined {
  if (widening) return texts.length > 0 && texts.every((text) => test(text, view) === true);
  let unknown = false;
  for (const text of texts) {
    const answer = test(text, view);
    if (answer === true) return true;
    if (answer === undefined) unknown = true;
  }
  return unknown ? undefined : false;
}
