/** What a model is told and what it answers, in the words of no provider. */

export interface ModelRequest {
  /** Counts all requests for an answer, from 0. */
  readonly index: number;
  /** The provider's protocol it came in. */
  readonly dialect: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The JSON as it came. */
  readonly body: unknown;
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  /** Names of the tools the model may call. */
  readonly tools: readonly string[];
  readonly messages: readonly ModelMessage[];
  /** What came back since the model's last turn. */
  readonly toolResults: readonly ModelToolResult[];
  /** What the client itself told the model since its last turn. */
  readonly systemMessages: readonly string[];
}

export interface ModelMessage {
  readonly role: "user" | "assistant" | "system";
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly toolResults: readonly ModelToolResult[];
}

export interface ModelToolCall {
  readonly id: string;
  readonly tool: string;
  /** Where the protocol has namespaces of tools. */
  readonly namespace?: string;
  readonly input: unknown;
}

export interface ModelToolResult {
  /** The id of the call it answers. */
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** One answer: the model's text and calls, or a refusal of its endpoint. */
export type ModelAnswer =
  | ModelTurn
  | {
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    };

export interface ModelTurn {
  /** Why it stops, in the words of the API. Undefined: as it does when nothing is wrong. */
  readonly stopReason?: string | undefined;
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
}

/** What came after the model's own last message. */
export function sinceLastTurn(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
}
