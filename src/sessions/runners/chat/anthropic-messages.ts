/** The Anthropic Messages API, as it and those that are compatible with it speak it. */
import { isRecord } from "../../../core/input/json.ts";
import type { AnthropicToolResult } from "../../../gate/model/formats.ts";
import { toAnswer } from "../../../gate/model/to-answer.ts";
import type { Answer } from "./answer.ts";
import type { AnswerBlock, CallResult, ChatMessage } from "./messages.ts";
import {
  count,
  joinFields,
  type ModelApi,
  type ModelRequest,
  objectInput,
  type WrittenMessage,
  wireForm,
  withPath,
} from "./model-api.ts";
import { withoutImages } from "./result-content.ts";

/** This API wants a number. */
const defaultMaxTokens = 8_192;

export const anthropicMessages: ModelApi = {
  name: "anthropic",
  title: "Anthropic Messages",
  address: (base) => withPath(base, "/messages", "/v1"),
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) }),
  write,
  body,
  read,
  learn: () => undefined,
  isCutShort: (stopReason) => stopReason === "max_tokens" || stopReason === "model_context_window_exceeded",
};

/** Only the blocks: messages of one role become one. */
function write(message: ChatMessage, takesImages: boolean): WrittenMessage {
  if (message.role === "user")
    return { role: "user", json: JSON.stringify({ type: "text", text: message.text }) };
  if (message.role === "results")
    return {
      role: "user",
      json: message.results.map((result) => JSON.stringify(writeResult(result, takesImages))).join(","),
    };
  return {
    role: "assistant",
    json: message.blocks.map((block) => JSON.stringify(writeBlock(block))).join(","),
  };
}

function writeBlock(block: AnswerBlock): object {
  if (block.type === "text") return block;
  if (block.type === "thinking") return block.raw;
  const { id, name, input } = block.call;
  return { type: "tool_use", id, name: wireForm(name), input: objectInput(input) };
}

function writeResult({ id, content, isError }: CallResult, takesImages: boolean): AnthropicToolResult {
  const told = takesImages ? content : withoutImages(content);
  const result = { content: told, isError };
  return toAnswer(
    { form: "anthropic", id, name: "", input: undefined },
    { result },
    told,
  ) as AnthropicToolResult;
}

function body({ model, system, messages, tools, maxTokens, parameters }: ModelRequest): string {
  const fields = {
    model,
    max_tokens: maxTokens ?? defaultMaxTokens,
    stream: true,
    ...(system !== "" && { system }),
    ...parameters,
  };
  let written = "";
  let role: string | undefined;
  for (const message of messages) {
    if (message.role === role) written += `,${message.json}`;
    else written += `${role === undefined ? "" : "]},"}{"role":"${message.role}","content":[${message.json}`;
    role = message.role;
  }
  const more = [`"messages":[${written}]}]`, ...(tools === undefined ? [] : [`"tools":${tools}`])];
  return joinFields(fields, more);
}

function read(event: Readonly<Record<string, unknown>>, answer: Answer): void {
  const { type, index, delta, content_block: block, message, usage, error } = event;
  if (type === "content_block_delta" && isRecord(delta)) readDelta(index, delta, answer);
  else if (type === "content_block_start" && isRecord(block)) readBlock(index, block, answer);
  else if (type === "message_start" && isRecord(message)) readUsage(message.usage, answer);
  else if (type === "message_delta") {
    readUsage(usage, answer);
    if (isRecord(delta)) readStop(delta.stop_reason, answer);
  } else if (type === "message_stop") answer.isWhole = true;
  else if (type === "message") readWhole(event, answer);
  else if (isRecord(error))
    answer.failure = { type: String(error.type ?? "error"), message: String(error.message ?? "") };
}

function readWhole(message: Readonly<Record<string, unknown>>, answer: Answer): void {
  const blocks = Array.isArray(message.content) ? message.content.filter(isRecord) : [];
  for (const [index, block] of blocks.entries()) readBlock(index, block, answer);
  readUsage(message.usage, answer);
  readStop(message.stop_reason, answer);
  answer.isWhole = true;
}

function readBlock(index: unknown, block: Readonly<Record<string, unknown>>, answer: Answer): void {
  const { type, text, input } = block;
  if (type === "text") answer.addText(text);
  else if (type === "tool_use") {
    const call = answer.beginCall(index, block);
    // Most begin with an empty object and send the input in pieces, which then is what counts.
    answer.addInput(call, input);
  } else if (type === "thinking" || type === "redacted_thinking") answer.beginThinking(index, block);
}

function readDelta(index: unknown, delta: Readonly<Record<string, unknown>>, answer: Answer): void {
  const { type, text, partial_json, thinking, signature } = delta;
  if (type === "text_delta") answer.addText(text);
  else if (type === "input_json_delta") {
    const call = answer.callOf(index) ?? answer.openCalls().at(-1);
    if (call !== undefined) answer.addInput(call, partial_json);
  } else if (type === "thinking_delta") answer.addThinking(index, "thinking", thinking);
  else if (type === "signature_delta") answer.addThinking(index, "signature", signature);
}

function readStop(reason: unknown, answer: Answer): void {
  if (typeof reason === "string") answer.stopReason = reason;
}

/** What was read from a cache is input, too. */
function readUsage(usage: unknown, answer: Answer): void {
  if (!isRecord(usage)) return;
  const inputs = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
  const known = inputs.map(count).filter((one) => one !== undefined);
  const inputTokens = known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0);
  const outputTokens = count(usage.output_tokens);
  answer.usage = {
    ...answer.usage,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}
