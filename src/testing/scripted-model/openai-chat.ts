/** The OpenAI Chat Completions API, streamed and whole, as far as loops of one's own use it. */
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
import { parseJson } from "./exchange.ts";

export const openaiChat: Dialect = {
  name: "openai-chat",
  kindOf: (method, path) =>
    method === "POST" && /^(?:\/v1)?\/chat\/completions$/.test(path) ? "turn" : undefined,
  readTurn,
  writeTurn,
  writeError: (status, message) =>
    json(status, { error: { message, type: status < 500 ? "invalid_request_error" : "server_error" } }),
  writeAside: () => json(404, { error: { message: "There is nothing beside the conversation here." } }),
};

function readTurn(body: unknown): TurnRequest | { problem: string } {
  if (!isRecord(body)) return { problem: "The body is no JSON object." };
  const { model, messages, stream, stream_options: options, tools } = body;
  if (typeof model !== "string") return { problem: "model: a name is needed." };
  if (!Array.isArray(messages)) return { problem: "messages: a list is needed." };
  const all = records(messages);
  const unanswered = findUnanswered(all);
  if (unanswered !== undefined)
    return { problem: `messages: the tool call ${unanswered} has no message with the role tool after it.` };
  return {
    model,
    stream: stream === true,
    includeUsage: isRecord(options) && options.include_usage === true,
    system: all
      .filter(({ role }) => isSystem(role))
      .map(({ content }) => textOf(content))
      .join("\n"),
    tools: records(tools).flatMap(({ function: fn }) =>
      isRecord(fn) && typeof fn.name === "string" ? [fn.name] : [],
    ),
    messages: all.filter(({ role }) => !isSystem(role)).map(readMessage),
  };
}

/** The real endpoint refuses a turn that leaves a call of the last one unanswered. */
function findUnanswered(messages: readonly Record<string, unknown>[]): string | undefined {
  const answered = new Set(messages.map(({ tool_call_id }) => tool_call_id));
  const calls = messages.flatMap(({ tool_calls }) => records(tool_calls));
  return calls.map(({ id }) => String(id)).find((id) => !answered.has(id));
}

function isSystem(role: unknown): boolean {
  return role === "system" || role === "developer";
}

function readMessage({ role, content, tool_calls, tool_call_id }: Record<string, unknown>): ModelMessage {
  const isResult = role === "tool";
  return {
    role: role === "assistant" ? "assistant" : "user",
    text: isResult ? "" : textOf(content),
    toolCalls: records(tool_calls).map(readCall),
    toolResults: isResult ? [readResult(tool_call_id, content)] : [],
  };
}

function readCall({ id, function: fn }: Record<string, unknown>): ModelToolCall {
  const { name, arguments: text } = isRecord(fn) ? fn : {};
  return { id: String(id), tool: String(name), input: parseJson(String(text)) ?? text };
}

/** This API has no mark for errors. */
function readResult(id: unknown, content: unknown): ModelToolResult {
  return { id: String(id), text: textOf(content), isError: false };
}

function writeTurn(turn: ModelTurn, request: TurnRequest, id: string): Written {
  const [prompt_tokens, completion_tokens] = [countTokens(request), countTokens(turn)];
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const finish_reason = turn.stopReason ?? (turn.calls.length > 0 ? "tool_calls" : "stop");
  const head = { id, created: 0, model: request.model };
  const calls = turn.calls.map(({ id: callId, tool, input }) => ({
    id: callId,
    type: "function",
    function: { name: tool, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  }));
  const content = turn.text === "" && calls.length > 0 ? null : turn.text;
  if (!request.stream) {
    const message = { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) };
    const choices = [{ index: 0, message, logprobs: null, finish_reason }];
    return json(200, { ...head, object: "chat.completion", choices, usage });
  }
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    })}\n\n`;
  return {
    status: 200,
    type: "text/event-stream",
    chunks: [
      chunk({ role: "assistant", content: content === null ? null : "" }),
      ...pieces(content ?? "").map((text) => chunk({ content: text })),
      ...calls.flatMap(({ function: { name, arguments: text }, ...call }, index) => [
        chunk({ tool_calls: [{ index, ...call, function: { name, arguments: "" } }] }),
        ...pieces(text).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      chunk({}, finish_reason),
      ...(request.includeUsage === true
        ? [`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [], usage })}\n\n`]
        : []),
      "data: [DONE]\n\n",
    ],
  };
}
