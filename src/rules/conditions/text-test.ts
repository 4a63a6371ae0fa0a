/** Operators on text, patterns among them. */
import type { CompilePattern, SafePattern } from "../../core/ports/pattern.ts";
import type { Operator } from "../shapes/operators.ts";
import type { CallView } from "./condition.ts";
import { PatternTime } from "./pattern-time.ts";

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
  const time = timeOf(view);
  if (time.isUp || (view.patternsExhausted && !pattern.linear)) return undefined;
  const answer = time.measure(() => pattern.test(text));
  if (answer === undefined) view.patternsExhausted = true;
  return answer;
}

/** Of each call that is being decided. */
const times = new WeakMap<CallView, PatternTime>();

function timeOf(view: CallView): PatternTime {
  const known = times.get(view);
  if (known !== undefined) return known;
  const time = new PatternTime();
  times.set(view, time);
  return time;
}

/** To widen, each value must hold: a harmless field vouches for no other. To narrow, one is enough. */
export function holdsForEach<Value>(
  values: readonly Value[],
  view: CallView,
  test: (value: Value, view: CallView) => boolean | undefined,
  widening: boolean,
): boolean | undefined {
  if (widening) return values.length > 0 && values.every((value) => test(value, view) === true);
  let unknown = false;
  for (const value of values) {
    const answer = test(value, view);
    if (answer === true) return true;
    if (answer === undefined) unknown = true;
  }
  return unknown ? undefined : false;
}
