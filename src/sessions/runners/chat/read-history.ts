/** What a session's log says was said, as messages for the model: how a conversation goes on after a restart. */
import type { Content } from "../../../core/call/content.ts";
import { isRecord } from "../../../core/input/json.ts";
import type { SessionItem } from "../../../core/ports/sessions.ts";
import type { AnswerBlock, CallResult, ChatMessage } from "./messages.ts";

/** `wireName`: how the model is told of a tool of the gate. */
export function readHistory(
  items: readonly SessionItem[],
  wireName: (tool: string) => string,
): readonly ChatMessage[] {
  const reader = new HistoryReader(wireName);
  for (const item of items) reader.take(item);
  return reader.end();
}

/** Every call of a message is answered before anything else is said, though the log may have it otherwise. */
class HistoryReader {
  readonly #wireName: (tool: string) => string;
  readonly #messages: ChatMessage[] = [];
  #blocks: AnswerBlock[] = [];
  #results = new Map<string, CallResult>();
  /** Said while calls were still running. */
  #said: string[] = [];

  constructor(wireName: (tool: string) => string) {
    this.#wireName = wireName;
  }

  take({ kind, body }: SessionItem): void {
    const { role, text, tool, toolUseId, input, content, ok } = body;
    if (kind === "message" && role === "user") this.#said.push(String(text));
    else if (kind === "message" && role === "assistant") {
      this.#endMessage();
      this.#blocks.push({ type: "text", text: String(text) });
    } else if (kind === "tool_use") {
      // The next message had no text.
      if (this.#results.size > 0 || this.#said.length > 0) this.#endMessage();
      const call = { id: String(toolUseId), name: this.#wireName(String(tool)), input };
      this.#blocks.push({ type: "call", call });
    } else if (kind === "tool_result") {
      const id = String(toolUseId);
      this.#results.set(id, { id, content: readContent(content), isError: ok !== true });
    }
  }

  end(): readonly ChatMessage[] {
    this.#endMessage();
    return this.#messages;
  }

  #endMessage(): void {
    const calls = this.#blocks.flatMap((block) => (block.type === "call" ? [block.call] : []));
    if (this.#blocks.length > 0) this.#messages.push({ role: "assistant", blocks: this.#blocks });
    const results = calls.map(({ id }) => this.#results.get(id) ?? cutOff(id));
    if (results.length > 0) this.#messages.push({ role: "results", results });
    for (const text of this.#said) this.#messages.push({ role: "user", text });
    this.#blocks = [];
    this.#results = new Map();
    this.#said = [];
  }
}

function cutOff(id: string): CallResult {
  const text =
    "This call was cut off before it ended. It may have had an effect: look before you make it again.";
  return { id, content: [{ type: "text", text }], isError: true };
}

function readContent(content: unknown): readonly Content[] {
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  return blocks.map(({ text }) => ({ type: "text", text: String(text ?? "") }));
}
