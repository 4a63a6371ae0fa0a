/** One API that models are asked by: how a conversation is written for it, and how its answers are read. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { Answer } from "./answer.ts";
import type { ChatMessage } from "./messages.ts";

export type ApiName = "anthropic" | "openai";

export interface ModelApi {
  readonly name: ApiName;
  /** Said in lists. */
  readonly title: string;
  /** Where the conversation is sent to. Takes base URLs as people write them, with and without `/v1`. */
  address(base: URL): URL;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** Written once, when the message is added: a conversation is sent again with every step. */
  write(message: ChatMessage, takesImages: boolean): WrittenMessage;
  body(request: ModelRequest): string;
  /** One event of a stream, or the whole answer of an endpoint that does not stream. */
  read(event: Readonly<Record<string, unknown>>, answer: Answer): void;
  /** What of our requests an endpoint does not take, by how it refuses one. Undefined: something else. */
  learn(refusal: string): string | undefined;
  /** The model ran out of tokens. */
  isCutShort(stopReason: string): boolean;
}

export interface WrittenMessage {
  /** Two messages of one role that follow each other may become one. */
  readonly role: "user" | "assistant";
  readonly json: string;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly WrittenMessage[];
  /** The JSON of a list; undefined: none. */
  readonly tools: string | undefined;
  readonly maxTokens: number | undefined;
  /** What `learn` found. */
  readonly learned: ReadonlySet<string>;
  /** Whatever else the endpoint takes; wins over ours. */
  readonly parameters: JsonObject;
}

/** The last part of the path is added, unless somebody has written it down already. */
export function withPath(base: URL, ending: string, version: string): URL {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, "");
  if (path.endsWith(ending)) url.pathname = path;
  else url.pathname = `${path}${path.endsWith(version) ? "" : version}${ending}`;
  return url;
}

/** What a model wrote, as an object: endpoints refuse a conversation in which it is anything else. */
export function objectInput(input: unknown): object {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  return { unreadable: typeof input === "string" ? input.slice(0, 2_000) : input };
}

/** The name of a tool as APIs take it. What a model or an old log says may be no such name. */
export function wireForm(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "_";
}

/** `{"a":1}` and `{"b":2}`, joined without reading the second: `more` is JSON already, `"b":2`. */
export function joinFields(fields: object, more: readonly string[]): string {
  const first = JSON.stringify(fields).slice(1, -1);
  return `{${[first, ...more].filter((part) => part !== "").join(",")}}`;
}

export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
