/** The hash of an input as the gate computes it, to bind an edited one. */
import { fingerprint } from "../../core/input/fingerprint.ts";
import { takeJson } from "../../safe/schema/json-guard.ts";

/** Undefined: it is not plain JSON. */
export function hashInput(input: unknown): string | undefined {
  const taken = takeJson(input);
  return taken.ok ? fingerprint(taken.value) : undefined;
}
