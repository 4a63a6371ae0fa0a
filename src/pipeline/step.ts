/** How stages follow each other: a Stop ends the walk, and only a stage that really waits costs a promise. */
import { Stop } from "../core/call/errors.ts";
import type { Call } from "./calls.ts";

export type Step<Value> = Value | Stop | Promise<Value | Stop>;

/** A stage that lets a call pass returns that call: one comparison instead of a search through prototypes. */
export function passed<Passing extends Call>(step: Step<Passing>, call: Call): step is Passing {
  return step === call;
}

export function andThen<Value, Next, Parts>(
  step: Step<Value>,
  stage: (value: Value, parts: Parts) => Step<Next>,
  parts: Parts,
): Step<Next> {
  if (step instanceof Stop) return step;
  if (step instanceof Promise) return later(step, stage, parts);
  return stage(step, parts);
}

/** Apart from `andThen`: a function pays for the variables of a closure that it never makes. */
function later<Value, Next, Parts>(
  step: Promise<Value | Stop>,
  stage: (value: Value, parts: Parts) => Step<Next>,
  parts: Parts,
): Promise<Next | Stop> {
  return step.then((settled) => andThen(settled, stage, parts));
}
