/** One provider's protocol: how its requests are read and its answers written. */
import { isRecord } from "../../core/input/json.ts";
import type { ModelMessage, ModelTurn } from "./conversation.ts";

export interface Dialect {
  readonly name: string;
  /** `turn`: asks the model for an answer. `undefined`: not a path of this protocol. */
  kindOf(method: string, path: string): "turn" | "aside" | undefined;
  readTurn(body: unknown, path: string): TurnRequest | { readonly problem: string };
  writeTurn(turn: ModelTurn, request: TurnRequest, id: string): Written;
  writeError(status: number, message: string): Written;
  /** Counting tokens, listing models: what clients ask beside the conversation. */
  writeAside(path: string, body: unknown): Written;
}

export interface TurnRequest {
  readonly model: string;
  readonly stream: boolean;
  /** The end of a stream says how many tokens there were, where the protocol leaves that to the client. */
  readonly includeUsage?: boolean;
  readonly system: string;
  readonly tools: readonly string[];
  /** Those of `tools` that take a text of any form instead of JSON, where the protocol has such tools. */
  readonly customTools?: readonly string[];
  readonly messages: readonly ModelMessage[];
}

export interface Written {
  readonly status: number;
  readonly type: "application/json" | "text/event-stream";
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Written one after the other, so that a client sees a stream. */
  readonly chunks: readonly string[];
}

export function json(status: number, value: unknown): Written {
  return { status, type: "application/json", chunks: [JSON.stringify(value)] };
}

/** Content is a text, or blocks of which only those of type text are one. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return records(content)
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}

/** At least two pieces: a client that reads only the first one is noticed. */
export function pieces(text: string): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.min(1_000, Math.ceil(characters.length / 2)));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(""),
  );
}

/** About four bytes each: enough for a client that adds them up. */
export function countTokens(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? "").length / 4);
}

export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
