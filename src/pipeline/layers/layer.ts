/** Layers wrap the run of a tool alone: they cannot skip a stage, change the input or avoid the ledger. */
import type { JsonObject } from "../../core/input/json.ts";
import type { ToolContext } from "../../core/tool/tool.ts";

export interface LayerCall {
  readonly toolId: string;
  readonly input: JsonObject;
  readonly context: ToolContext;
}

/** `next()` runs what is inside and gives what the tool returned. */
export type Layer = (call: LayerCall, next: () => Promise<unknown>) => Promise<unknown>;

/** The first layer is the outermost. `next` works once, and while the call lasts: one yes, one run. */
export function wrap(
  layers: readonly Layer[],
  call: LayerCall,
  run: () => Promise<unknown>,
  hasEnded: () => boolean,
): () => Promise<unknown> {
  let next = run;
  for (let index = layers.length - 1; index >= 0; index--) {
    const layer = layers[index] as Layer;
    const inner = once(next, call.toolId, hasEnded);
    next = () => layer(call, inner);
  }
  return next;
}

function once(next: () => Promise<unknown>, toolId: string, hasEnded: () => boolean): () => Promise<unknown> {
  let used = false;
  return async () => {
    if (used) throw new Error(`A layer called next() twice: ${toolId} runs once for each call.`);
    used = true;
    if (hasEnded()) throw new Error(`A layer called next() after the call of ${toolId} had ended.`);
    return next();
  };
}
