/** The OpenAI Responses API, streamed and whole, as far as agents use it: functions, custom tools, namespaces. */
import { isRecord } from "../../core/input/json.ts";
import type { ModelMessage, ModelToolCall, ModelTurn } from "./conversation.ts";
import { countTokens, type Dialect, json, records, type TurnRequest, type Written } from "./dialect.ts";
import { parseJson } from "./exchange.ts";
import { streamResponse } from "./responses-stream.ts";

export const openaiResponses: Dialect = {
  name: "openai-responses",
  kindOf: (method, path) => (method === "POST" && /^(?:\/v1)?\/responses$/.test(path) ? "turn" : undefined),
  readTurn,
  writeTurn,
  writeError: (status, message) =>
    json(status, {
      error: {
        message,
        type: status < 500 ? "invalid_request_error" : "server_error",
        param: null,
        code: null,
      },
    }),
  writeAside: () => json(404, { error: { message: "There is nothing beside the conversation here." } }),
};

function readTurn(body: unknown): TurnRequest | { problem: string } {
  if (!isRecord(body)) return { problem: "The body is no JSON object." };
  const { model, instructions, input, stream, tools } = body;
  if (typeof model !== "string") return { problem: "model: a name is needed." };
  if (typeof input !== "string" && !Array.isArray(input))
    return { problem: "input: a text or a list is needed." };
  const items: Item[] =
    typeof input === "string" ? [{ type: "message", role: "user", content: input }] : records(input);
  const problem = findUnpaired(items);
  if (problem !== undefined) return { problem };
  // Newer models are told of their tools in the conversation.
  const offered = [...records(tools), ...items.flatMap(toolsIn)];
  return {
    model,
    stream: stream === true,
    system: typeof instructions === "string" ? instructions : "",
    tools: offered.flatMap(namesOf),
    customTools: offered.flatMap((tool) => (tool.type === "custom" ? namesOf(tool) : [])),
    messages: items.flatMap(readItem),
  };
}

type Item = Record<string, unknown>;

/** In the namespace of functions a tool has its bare name. */
function toolsIn({ type, tools }: Item): Item[] {
  if (type !== "additional_tools") return [];
  return records(tools).flatMap((tool) =>
    tool.type === "namespace" && tool.name === "functions" ? records(tool.tools) : [tool],
  );
}

/** A tool of a namespace is `namespace.name`. */
function namesOf({ type, name, tools }: Item): string[] {
  if (typeof name !== "string") return [];
  return type === "namespace" ? records(tools).map((tool) => `${name}.${String(tool.name)}`) : [name];
}

const outputs: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};

/** The real endpoint refuses a call without its output, and an output of a call that it does not know. */
function findUnpaired(items: readonly Item[]): string | undefined {
  const calls = items.filter(({ type }) => typeof type === "string" && type in outputs);
  const said = items.filter(({ type }) => Object.values(outputs).includes(String(type)));
  const answers = ({ type, call_id }: Item) =>
    said.filter((one) => one.type === outputs[String(type)] && one.call_id === call_id);
  for (const call of calls) {
    const kind = call.type === "function_call" ? "function call" : "custom tool call";
    const many = answers(call).length;
    if (many === 0) return `No tool output found for ${kind} ${String(call.call_id)}.`;
    if (many > 1) return `More than one tool output for ${kind} ${String(call.call_id)}.`;
  }
  const unknown = said.find((one) => !calls.some((call) => answers(call).includes(one)));
  return unknown && `No tool call found for ${String(unknown.type)} with call_id ${String(unknown.call_id)}.`;
}

const nothing = { text: "", toolCalls: [], toolResults: [] };

function readItem(item: Item): ModelMessage[] {
  const { type = "message", role, content, call_id, output } = item;
  if (type === "message") return [{ ...nothing, role: roleOf(role), text: textIn(content) }];
  if (type === "function_call" || type === "custom_tool_call")
    return [{ ...nothing, role: "assistant", toolCalls: [readCall(item)] }];
  if (type === "function_call_output" || type === "custom_tool_call_output")
    // This API has no mark for errors.
    return [
      {
        ...nothing,
        role: "user",
        toolResults: [{ id: String(call_id), text: textIn(output), isError: false }],
      },
    ];
  return [];
}

function roleOf(role: unknown): ModelMessage["role"] {
  if (role === "assistant") return "assistant";
  return role === "developer" || role === "system" ? "system" : "user";
}

function readCall({ type, call_id, namespace, name, arguments: text, input }: Item): ModelToolCall {
  const tool = typeof namespace === "string" ? `${namespace}.${String(name)}` : String(name);
  const given = type === "custom_tool_call" ? input : (parseJson(String(text)) ?? text);
  return { id: String(call_id), tool, input: given };
}

/** `input_text`, `output_text` and, in outputs of tools, a text alone. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return records(content)
    .flatMap(({ type, text }) =>
      typeof text === "string" && /^(?:input_|output_)?text$/.test(String(type)) ? [text] : [],
    )
    .join("\n");
}

/** What stands in `output`: the model's text, then its calls. */
export type OutputItem =
  | {
      readonly type: "message";
      readonly id: string;
      readonly role: "assistant";
      readonly status: "completed";
      readonly content: readonly { type: "output_text"; text: string; annotations: readonly [] }[];
    }
  | {
      readonly type: "function_call";
      readonly id: string;
      readonly status: "completed";
      readonly call_id: string;
      readonly name: string;
      readonly namespace?: string;
      readonly arguments: string;
    }
  | {
      readonly type: "custom_tool_call";
      readonly id: string;
      readonly status: "completed";
      readonly call_id: string;
      readonly name: string;
      readonly input: string;
    };

function writeTurn(turn: ModelTurn, request: TurnRequest, id: string): Written {
  const output = toItems(turn, request, id);
  const [input_tokens, output_tokens] = [countTokens(request), countTokens(turn)];
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
  const head = { id: `resp_${id}`, object: "response", created_at: 0, model: request.model, error: null };
  if (!request.stream) return json(200, { ...head, status: "completed", output, usage });
  return {
    status: 200,
    type: "text/event-stream",
    chunks: streamResponse(
      { ...head, status: "in_progress", output: [], usage: null },
      { ...head, status: "completed", output, usage },
      output,
    ),
  };
}

function toItems({ text, calls }: ModelTurn, { customTools = [] }: TurnRequest, id: string): OutputItem[] {
  const status = "completed" as const;
  const content = [{ type: "output_text" as const, text, annotations: [] as const }];
  return [
    ...(text !== "" || calls.length === 0
      ? [{ type: "message" as const, id: `msg_${id}`, role: "assistant" as const, status, content }]
      : []),
    ...calls.map(({ id: call_id, tool, namespace, input }, at): OutputItem => {
      const written = typeof input === "string" ? input : JSON.stringify(input);
      if (customTools.includes(tool))
        return {
          type: "custom_tool_call",
          id: `ctc_${id}_${at}`,
          status,
          call_id,
          name: tool,
          input: written,
        };
      return {
        type: "function_call",
        id: `fc_${id}_${at}`,
        status,
        call_id,
        name: tool,
        ...(namespace !== undefined && { namespace }),
        arguments: written,
      };
    }),
  ];
}
