/** The Anthropic Messages API, streamed and whole, as far as agents use it. */
import { isRecord } from "../../core/input/json.ts";
import type { ModelMessage, ModelToolCall, ModelToolResult, ModelTurn } from "./conversation.ts";
import {
  countTokens,
  type Dialect,
  json,
  pieces,
  records,
  type TurnRequest,
  textOf,
  type Written,
} from "./dialect.ts";

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

export const anthropicMessages: Dialect = {
  name: "anthropic-messages",
  kindOf(method, path) {
    if (method === "POST" && path === "/v1/messages") return "turn";
    if (method === "POST" && path === "/v1/messages/count_tokens") return "aside";
    return method === "GET" && path === "/v1/models" ? "aside" : undefined;
  },
  readTurn,
  writeTurn,
  writeError: (status, message) =>
    json(status, { type: "error", error: { type: errorTypes[status] ?? "api_error", message } }),
  writeAside: (path, body) =>
    path === "/v1/models"
      ? json(200, { data: [], has_more: false, first_id: null, last_id: null })
      : json(200, { input_tokens: countTokens(body) }),
};

function readTurn(body: unknown): TurnRequest | { problem: string } {
  if (!isRecord(body)) return { problem: "The body is no JSON object." };
  const { model, messages, stream, system, tools } = body;
  if (typeof model !== "string") return { problem: "model: a name is needed." };
  if (!Array.isArray(messages)) return { problem: "messages: a list is needed." };
  return {
    model,
    stream: stream === true,
    system: textOf(system),
    tools: records(tools).flatMap(({ name }) => (typeof name === "string" ? [name] : [])),
    messages: records(messages).map(readMessage),
  };
}

function readMessage({ role, content }: Record<string, unknown>): ModelMessage {
  const blocks = records(content);
  return {
    role: role === "assistant" || role === "system" ? role : "user",
    text: textOf(content),
    toolCalls: blocks.filter(({ type }) => type === "tool_use").map(readCall),
    toolResults: blocks.filter(({ type }) => type === "tool_result").map(readResult),
  };
}

function readCall({ id, name, input }: Record<string, unknown>): ModelToolCall {
  return { id: String(id), tool: String(name), input };
}

function readResult({ tool_use_id, content, is_error }: Record<string, unknown>): ModelToolResult {
  return { id: String(tool_use_id), text: textOf(content), isError: is_error === true };
}

function writeTurn(turn: ModelTurn, request: TurnRequest, id: string): Written {
  const usage = { input_tokens: countTokens(request), output_tokens: countTokens(turn) };
  const stopReason = turn.stopReason ?? (turn.calls.length > 0 ? "tool_use" : "end_turn");
  const content = toBlocks(turn);
  const message = { id, type: "message", role: "assistant", model: request.model, stop_sequence: null };
  if (!request.stream) return json(200, { ...message, content, stop_reason: stopReason, usage });

  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  return {
    status: 200,
    type: "text/event-stream",
    chunks: [
      event({ type: "message_start", message: start }),
      event({ type: "ping" }),
      ...content.flatMap(streamBlock),
      event({ type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage }),
      event({ type: "message_stop" }),
    ],
  };
}

type Block = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };

function toBlocks({ text, calls }: ModelTurn): Block[] {
  return [
    // A message needs a block; an empty text beside calls would be refused when the client sends it back.
    ...(text !== "" || calls.length === 0 ? [{ type: "text" as const, text }] : []),
    ...calls.map(({ id, tool, input }) => ({ type: "tool_use" as const, id, name: tool, input })),
  ];
}

function streamBlock(block: Block, index: number): string[] {
  const [empty, deltas] =
    block.type === "text"
      ? [{ ...block, text: "" }, pieces(block.text).map((text) => ({ type: "text_delta", text }))]
      : [
          { ...block, input: {} },
          pieces(inputText(block.input)).map((part) => ({
            type: "input_json_delta",
            partial_json: part,
          })),
        ];
  return [
    event({ type: "content_block_start", index, content_block: empty }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

/** A text is sent as it is: a model may write what is no JSON. */
function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

function event(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
