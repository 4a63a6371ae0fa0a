/** What all replicas together may do, and the most that is seen in a window; clocks that differ must not give more. */
import type { Limit } from "../../../src/rules/limits.ts";

export const few = { name: "few", tools: "chaos.few", per: "gate", max: 40, windowMs: 3_600_000 } as const;
export const some = { name: "some", tools: "chaos.some", per: "gate", max: 20, windowMs: 10_000 } as const;
/** Leased in chunks: asked for all the time, by the store itself. */
export const busy = { max: 1_200, windowMs: 60_000 } as const;
export const held = { name: "held", tools: "chaos.held", per: "gate", concurrent: 3 } as const;
export const limits: readonly Limit[] = [few, some, held];
