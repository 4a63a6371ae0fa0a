/** How stages follow each other: a Stop ends the walk, and only a stage that really waits costs a promise. */
import { Stop } from "../core/errors.ts";
import type { GateParts } from "./parts.ts";

export type Step<Value> = Value | Stop | Promise<Value | Stop>;

export function andThen<Value, Next>(
  step: Step<Value>,
  stage: (value: Value, parts: GateParts) => Step<Next>,
  parts: GateParts,
): Step<Next> {
  if (step instanceof Stop) return step;
  if (step instanceof Promise) return step.then((settled) => andThen<Value, Next>(settled, stage, parts));
  return stage(step, parts);
}
