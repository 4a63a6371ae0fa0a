/** One answer of the OpenAI Responses API as the events in which it is streamed. */
import { pieces } from "./dialect.ts";
import type { OutputItem } from "./openai-responses.ts";

/** `begun` and `ended`: the response as the first and the last event show it. */
export function streamResponse(begun: object, ended: object, output: readonly OutputItem[]): string[] {
  let count = 0;
  return [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap(streamItem),
    { type: "response.completed", response: ended },
  ].map(({ type, ...data }) => {
    const numbered = { type, sequence_number: count++, ...data };
    return `event: ${type}\ndata: ${JSON.stringify(numbered)}\n\n`;
  });
}

interface Event {
  readonly type: `response.${string}`;
  readonly [key: string]: unknown;
}

function streamItem(item: OutputItem, output_index: number): Event[] {
  const empty = { ...item, status: "in_progress", ...emptied(item) };
  return [
    { type: "response.output_item.added", output_index, item: empty },
    ...(item.type === "message"
      ? streamText(item, output_index)
      : streamInput(item, { output_index, item_id: item.id })),
    { type: "response.output_item.done", output_index, item },
  ];
}

function emptied({ type }: OutputItem): object {
  if (type === "message") return { content: [] };
  return type === "function_call" ? { arguments: "" } : { input: "" };
}

function streamText({ id, content }: OutputItem & { type: "message" }, output_index: number): Event[] {
  return content.flatMap((part, content_index) => {
    const place = { output_index, item_id: id, content_index };
    return [
      { type: "response.content_part.added" as const, ...place, part: { ...part, text: "" } },
      ...pieces(part.text).map((delta) => ({ type: "response.output_text.delta" as const, ...place, delta })),
      { type: "response.output_text.done" as const, ...place, text: part.text },
      { type: "response.content_part.done" as const, ...place, part },
    ];
  });
}

function streamInput(item: Exclude<OutputItem, { type: "message" }>, place: object): Event[] {
  const [text, field, name] =
    item.type === "function_call"
      ? ([item.arguments, "arguments", "response.function_call_arguments"] as const)
      : ([item.input, "input", "response.custom_tool_call_input"] as const);
  return [
    ...pieces(text).map((delta) => ({ type: `${name}.delta` as const, ...place, delta })),
    { type: `${name}.done`, ...place, [field]: text },
  ];
}
