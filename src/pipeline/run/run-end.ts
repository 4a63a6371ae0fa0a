/** How a run ends: what it came to, and who goes on from there. */
import { type ToolResult, textResult } from "../../core/call/content.ts";
import type { Stop } from "../../core/call/errors.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import type { GateParts } from "../parts.ts";
import type { AdmittedCall } from "../stages/approve.ts";

/** One run of a tool, from the intent to the end. */
export interface Running<Next> {
  readonly admitted: AdmittedCall;
  readonly registered: RegisteredTool;
  readonly finishing: Finishing<Next>;
  readonly parts: GateParts;
}

export interface RunEnd {
  readonly stop: Stop | undefined;
  readonly value: unknown;
  readonly result: ToolResult;
  /** When it ended, and how long the tool itself took. */
  readonly endedAt: number;
  readonly durationMs: number;
}

/** What becomes of the end of a run. Passed in, so that a run that waits costs one promise, not a chain. */
export interface Finishing<Next> {
  done(admitted: AdmittedCall, end: RunEnd, parts: GateParts): Next | Promise<Next>;
  /** Our own code broke; must not throw unless the caller of `run` catches. */
  broke(admitted: AdmittedCall, error: unknown, parts: GateParts): Next | Promise<Next>;
}

export function finishLater<Next>(
  end: Promise<RunEnd>,
  { admitted, finishing, parts }: Running<Next>,
): Promise<Next> {
  return end
    .then((settled) => finishing.done(admitted, settled, parts))
    .catch((error: unknown) => finishing.broke(admitted, error, parts));
}

export function stopped(stop: Stop, startedAt: number, { clock }: GateParts): RunEnd {
  const endedAt = clock.monotonic();
  const result = textResult(stopText(stop), true);
  return { stop, value: undefined, result, endedAt, durationMs: endedAt - startedAt };
}

/** What a model reads about a refusal. */
export function stopText(stop: Stop): string {
  return stop.hint === "" ? stop.message : `${stop.message}\nHint: ${stop.hint}`;
}
