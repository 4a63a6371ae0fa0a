/** A layer that says how long each run took. */
import type { Layer } from "./layer.ts";

export interface Timing {
  readonly callId: string;
  readonly toolId: string;
  readonly durationMs: number;
  readonly threw: boolean;
}

export function timingLayer(onTiming: (timing: Timing) => void): Layer {
  return async ({ toolId, context }, next) => {
    const startedAt = performance.now();
    let threw = true;
    try {
      const value = await next();
      threw = false;
      return value;
    } finally {
      onTiming({ callId: context.callId, toolId, durationMs: performance.now() - startedAt, threw });
    }
  };
}
