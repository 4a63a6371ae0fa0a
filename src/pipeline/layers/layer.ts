/** Layers wrap the run of a tool and nothing else: they cannot skip a stage, change the input or avoid the ledger. */
import type { JsonObject } from "../../core/json.ts";
import type { ToolContext } from "../../core/tool.ts";

export interface LayerCall {
  readonly toolId: string;
  readonly input: JsonObject;
  readonly context: ToolContext;
}

/** `next()` runs what is inside and gives what the tool returned. */
export type Layer = (call: LayerCall, next: () => Promise<unknown>) => Promise<unknown>;

/** The first layer is the outermost. */
export function wrap(
  layers: readonly Layer[],
  call: LayerCall,
  run: () => Promise<unknown>,
): () => Promise<unknown> {
  let next = run;
  for (let index = layers.length - 1; index >= 0; index--) {
    const layer = layers[index] as Layer;
    const inner = next;
    next = () => layer(call, inner);
  }
  return next;
}
