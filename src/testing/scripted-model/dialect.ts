/** One provider's protocol: how its requests are read and its answers written. */
import type { ModelMessage, ModelTurn } from "./conversation.ts";

export interface Dialect {
  readonly name: string;
  /** `turn`: asks the model for an answer. `undefined`: not a path of this protocol. */
  kindOf(method: string, path: string): "turn" | "aside" | undefined;
  readTurn(body: unknown): TurnRequest | { readonly problem: string };
  writeTurn(turn: ModelTurn, request: TurnRequest, id: string): Written;
  writeError(status: number, message: string): Written;
  /** Counting tokens, listing models: what clients ask beside the conversation. */
  writeAside(path: string, body: unknown): Written;
}

export interface TurnRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  readonly tools: readonly string[];
  readonly messages: readonly ModelMessage[];
}

export interface Written {
  readonly status: number;
  readonly type: "application/json" | "text/event-stream";
  /** Written one after the other, so that a client sees a stream. */
  readonly chunks: readonly string[];
}

export function json(status: number, value: unknown): Written {
  return { status, type: "application/json", chunks: [JSON.stringify(value)] };
}
