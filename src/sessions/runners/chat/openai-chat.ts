/** The OpenAI Chat Completions API, as it and the many that are compatible with it speak it. */
import type { Content } from "../../../core/call/content.ts";
import { isRecord } from "../../../core/input/json.ts";
import { toAnswer } from "../../../gate/model/to-answer.ts";
import type { Answer, OpenCall } from "./answer.ts";
import type { AssistantMessage, CallResult, ChatMessage } from "./messages.ts";
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
import { imagesOf } from "./result-content.ts";

export const openaiChat: ModelApi = {
  name: "openai",
  title: "OpenAI chat completions",
  // Only a bare host gets a version: bases such as `/api/paas/v4` have one of their own.
  address: (base) => withPath(base, "/chat/completions", /^\/*$/.test(base.pathname) ? "/v1" : ""),
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  write,
  body,
  read,
  learn: (refusal) => fieldsThatDiffer.find((field) => refusal.includes(field)),
  isCutShort: (stopReason) => stopReason === "length" || stopReason === "max_tokens",
};

function write(message: ChatMessage, takesImages: boolean): WrittenMessage {
  if (message.role === "user")
    return { role: "user", json: JSON.stringify({ role: "user", content: message.text }) };
  if (message.role === "assistant") return { role: "assistant", json: JSON.stringify(writeAnswer(message)) };
  const { results } = message;
  // A message of a tool is text only: its pictures follow as if the person had sent them.
  const pictures = takesImages ? results.flatMap(({ id, content }) => picturesOf(id, content)) : [];
  const more = pictures.length === 0 ? [] : [JSON.stringify({ role: "user", content: pictures })];
  return { role: "user", json: [...results.map(writeResult), ...more].join(",") };
}

function writeAnswer({ blocks }: AssistantMessage): object {
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  const calls = blocks.flatMap((block) =>
    block.type !== "call"
      ? []
      : {
          id: block.call.id,
          type: "function",
          function: {
            name: wireForm(block.call.name),
            arguments: JSON.stringify(objectInput(block.call.input)),
          },
        },
  );
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function writeResult({ id, content, isError }: CallResult): string {
  const result = { content, isError };
  return JSON.stringify(toAnswer({ form: "openai", id, name: "", input: undefined }, { result }, content));
}

function picturesOf(id: string, content: readonly Content[]): object[] {
  const images = imagesOf(content);
  if (images.length === 0) return [];
  return [
    { type: "text", text: `What the call ${id} shows:` },
    ...images.map(({ mimeType, data }) => ({
      type: "image_url",
      image_url: { url: `data:${mimeType};base64,${data}` },
    })),
  ];
}

/** Strict endpoints refuse the first; newer models want the second instead of `max_tokens`. */
const fieldsThatDiffer = ["stream_options", "max_completion_tokens"];

function body(request: ModelRequest): string {
  const { model, system, messages, tools, maxTokens, learned, parameters } = request;
  const most = learned.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
  const fields = {
    model,
    stream: true,
    ...(!learned.has("stream_options") && { stream_options: { include_usage: true } }),
    ...(maxTokens !== undefined && { [most]: maxTokens }),
    ...parameters,
  };
  const first = system === "" ? [] : [JSON.stringify({ role: "system", content: system })];
  const all = [...first, ...messages.map(({ json }) => json)].join(",");
  return joinFields(fields, [`"messages":[${all}]`, ...(tools === undefined ? [] : [`"tools":${tools}`])]);
}

function read(event: Readonly<Record<string, unknown>>, answer: Answer): void {
  const { choices, usage, error } = event;
  const [choice] = Array.isArray(choices) ? choices : [];
  if (isRecord(choice)) {
    const { delta, message, finish_reason: reason } = choice;
    if (isRecord(message)) readMessage(message, answer);
    else if (isRecord(delta)) readMessage(delta, answer);
    if (typeof reason === "string" && reason !== "") answer.stopReason = reason;
    // Not a piece of a stream: nothing follows.
    if (isRecord(message)) answer.isWhole = true;
  }
  if (isRecord(usage)) readUsage(usage, answer);
  if (isRecord(error) || typeof error === "string") answer.failure = readFailure(error);
}

function readFailure(error: string | Readonly<Record<string, unknown>>): Answer["failure"] {
  if (typeof error === "string") return { type: "error", message: error };
  return { type: String(error.type ?? error.code ?? "error"), message: String(error.message ?? "") };
}

/** Of a stream or whole: both have the same fields. */
function readMessage(message: Readonly<Record<string, unknown>>, answer: Answer): void {
  const { content, refusal, tool_calls: calls } = message;
  if (Array.isArray(content)) for (const part of content) answer.addText(isRecord(part) ? part.text : part);
  else answer.addText(content);
  answer.addText(refusal);
  if (Array.isArray(calls)) for (const call of calls.filter(isRecord)) readCall(call, answer);
}

/** Some endpoints leave out the index or the id, or give all calls of a message the index 0. */
function readCall(piece: Readonly<Record<string, unknown>>, answer: Answer): void {
  const fn = isRecord(piece.function) ? piece.function : {};
  const known = openCallOf(piece, answer);
  const call = known ?? answer.beginCall(piece.index, { id: piece.id, name: fn.name });
  if (known !== undefined) {
    if (known.id === "" && typeof piece.id === "string") known.id = piece.id;
    if (known.name === "" && typeof fn.name === "string") known.name = fn.name;
  }
  answer.addInput(call, fn.arguments);
}

function openCallOf(piece: Readonly<Record<string, unknown>>, answer: Answer): OpenCall | undefined {
  const { id, index, function: fn } = piece;
  const named = typeof id === "string" && id !== "" ? id : undefined;
  const same = named && answer.openCalls().find((one) => one.id === named);
  if (same) return same;
  const hasIndex = index !== undefined && index !== null;
  const here = hasIndex ? answer.callOf(index) : answer.openCalls().at(-1);
  if (here === undefined) return undefined;
  // Another id at the same place, or another name at no place: the next call.
  const isNext = named === undefined ? !hasIndex && isRecord(fn) && Boolean(fn.name) : here.id !== "";
  return isNext && here.name !== "" ? undefined : here;
}

function readUsage(usage: Readonly<Record<string, unknown>>, answer: Answer): void {
  const inputTokens = count(usage.prompt_tokens);
  const outputTokens = count(usage.completion_tokens);
  answer.usage = {
    ...answer.usage,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}
