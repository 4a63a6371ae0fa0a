/** What a person, a model and its tools say to each other, in the words of no API. */
import type { Content } from "../../../core/call/content.ts";

export type ChatMessage = UserMessage | AssistantMessage | ResultsMessage;

export interface UserMessage {
  readonly role: "user";
  readonly text: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  /** In the order in which the model wrote them. Never empty. */
  readonly blocks: readonly AnswerBlock[];
}

export type AnswerBlock =
  | { readonly type: "text"; readonly text: string }
  /** Goes back to the model as it came: it is signed. */
  | { readonly type: "thinking"; readonly raw: Readonly<Record<string, unknown>> }
  | { readonly type: "call"; readonly call: ModelCall };

export interface ModelCall {
  readonly id: string;
  /** As the model wrote it. */
  readonly name: string;
  /** Parsed where it is JSON, else the text. */
  readonly input: unknown;
  /** Why it could not be read. */
  readonly problem?: string | undefined;
}

/** One answer to each call of the message before. */
export interface ResultsMessage {
  readonly role: "results";
  readonly results: readonly CallResult[];
}

export interface CallResult {
  readonly id: string;
  readonly content: readonly Content[];
  readonly isError: boolean;
}
