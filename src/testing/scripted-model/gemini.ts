/** The Gemini API, streamed and whole, as far as agents use it. */
import { isRecord } from "../../core/input/json.ts";
import type { ModelMessage, ModelToolCall, ModelToolResult, ModelTurn } from "./conversation.ts";
import {
  countTokens,
  type Dialect,
  json,
  pieces,
  records,
  type TurnRequest,
  type Written,
} from "./dialect.ts";

const place = /^\/v1(?:beta|alpha)?\/models(?:\/([^/:]+):(\w+))?$/;
const turns = ["generateContent", "streamGenerateContent"];

const errorStates: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

export const gemini: Dialect = {
  name: "gemini",
  kindOf(method, path) {
    const [, model, verb = ""] = place.exec(path) ?? [];
    if (method !== "POST" || model === undefined) return undefined;
    if (turns.includes(verb)) return "turn";
    return verb === "countTokens" ? "aside" : undefined;
  },
  readTurn,
  writeTurn,
  writeError: (code, message) =>
    json(code, { error: { code, message, status: errorStates[code] ?? "INTERNAL" } }),
  writeAside: (_path, body) => json(200, { totalTokens: countTokens(body) }),
};

function readTurn(body: unknown, path: string): TurnRequest | { problem: string } {
  const [, model = "", verb] = place.exec(path) ?? [];
  if (!isRecord(body)) return { problem: "The body is no JSON object." };
  const { contents, systemInstruction, tools } = body;
  if (!Array.isArray(contents) || contents.length === 0)
    return { problem: "GenerateContentRequest.contents: contents is not specified" };
  const all = records(contents);
  const problem = findWrong(all);
  if (problem !== undefined) return { problem };
  return {
    model,
    stream: verb === "streamGenerateContent",
    system: textIn(partsOf(systemInstruction)),
    tools: records(tools).flatMap(({ functionDeclarations }) =>
      records(functionDeclarations).flatMap(({ name }) => (typeof name === "string" ? [name] : [])),
    ),
    messages: readMessages(all),
  };
}

type Part = Record<string, unknown>;

/** As a list, or one alone, or, in the instruction, a text. */
function partsOf(content: unknown): Part[] {
  if (typeof content === "string") return [{ text: content }];
  const { parts } = isRecord(content) ? content : {};
  return isRecord(parts) ? [parts] : records(parts);
}

function called(parts: readonly Part[]): Part[] {
  return parts.flatMap(({ functionCall }) => (isRecord(functionCall) ? [functionCall] : []));
}

function answered(parts: readonly Part[]): Part[] {
  return parts.flatMap(({ functionResponse }) => (isRecord(functionResponse) ? [functionResponse] : []));
}

/** What the real endpoint refuses, in its words. */
function findWrong(contents: readonly Part[]): string | undefined {
  for (const [at, content] of contents.entries()) {
    const { role = "user" } = content;
    if (!["user", "model", "function"].includes(String(role))) return "Please use a valid role: user, model.";
    const parts = partsOf(content);
    if (parts.length === 0)
      return `GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`;
    const calls = called(parts);
    const answers = answered(partsOf(contents[at + 1]));
    if (calls.length !== answers.length && (calls.length > 0 || answers.length > 0))
      return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    const wrong = answers.find(({ name }) => !calls.some((call) => call.name === name));
    if (wrong !== undefined) return `There is no function call of ${String(wrong.name)} before its response.`;
  }
  return answered(partsOf(contents[0])).length > 0
    ? "Please ensure that function response turn comes immediately after a function call turn."
    : undefined;
}

/** Calls without an id are known by their place in the conversation, and so are their responses. */
function readMessages(contents: readonly Part[]): ModelMessage[] {
  let before: readonly ModelToolCall[] = [];
  let count = 0;
  return contents.map((content) => {
    const parts = partsOf(content);
    const toolCalls = called(parts).map(
      ({ id, name, args }): ModelToolCall => ({
        id: typeof id === "string" ? id : `call_${++count}`,
        tool: String(name),
        input: args,
      }),
    );
    const toolResults = answered(parts).map((part, at) => readResult(part, before[at]));
    before = toolCalls;
    return {
      role: content.role === "model" ? "assistant" : "user",
      text: textIn(parts),
      toolCalls,
      toolResults,
    };
  });
}

function readResult({ id, response }: Part, call: ModelToolCall | undefined): ModelToolResult {
  const { output, error } = isRecord(response) ? response : {};
  const said = output ?? error ?? response;
  return {
    id: typeof id === "string" ? id : (call?.id ?? ""),
    text: typeof said === "string" ? said : JSON.stringify(said),
    isError: error !== undefined,
  };
}

function textIn(parts: readonly Part[]): string {
  return parts
    .flatMap(({ text, thought }) => (typeof text === "string" && thought !== true ? [text] : []))
    .join("\n");
}

function writeTurn({ text, calls }: ModelTurn, request: TurnRequest, id: string): Written {
  const [promptTokenCount, candidatesTokenCount] = [countTokens(request), countTokens({ text, calls })];
  const usageMetadata = {
    promptTokenCount,
    candidatesTokenCount,
    totalTokenCount: promptTokenCount + candidatesTokenCount,
  };
  const functionCalls = calls.map((call) => ({
    functionCall: { id: call.id, name: call.tool, args: call.input },
  }));
  const answer = (parts: readonly object[], isLast: boolean) => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...(isLast && { finishReason: "STOP" }) }],
    usageMetadata,
    modelVersion: request.model,
    responseId: id,
  });
  const texts = text === "" && calls.length > 0 ? [] : [{ text }];
  if (!request.stream) return json(200, answer([...texts, ...functionCalls], true));
  // A call comes whole, in one event.
  const parts = [
    ...texts.flatMap((part) => pieces(part.text).map((piece) => ({ text: piece }))),
    ...functionCalls,
  ];
  return {
    status: 200,
    type: "text/event-stream",
    chunks: (parts.length === 0 ? [{ text: "" }] : parts).map(
      (part, at, all) => `data: ${JSON.stringify(answer([part], at === all.length - 1))}\n\n`,
    ),
  };
}
