/** The forms of model APIs: how they hear of tools, how they ask for them, how they are answered. */

/** `openai`: Chat Completions. `openai-responses`: the Responses API. */
export type ModelFormat = "anthropic" | "openai" | "openai-responses" | "gemini" | "mcp";

/** Not read-only, here and below: the clients of these APIs take lists and objects that they may change. */
export interface ObjectSchema {
  type: "object";
  properties?: Record<string, unknown>;
  required?: string[];
  [word: string]: unknown;
}

interface Definitions {
  anthropic: { name: string; description: string; input_schema: ObjectSchema };
  openai: { type: "function"; function: { name: string; description: string; parameters: ObjectSchema } };
  "openai-responses": {
    type: "function";
    name: string;
    description: string;
    parameters: ObjectSchema;
    strict: false;
  };
  /** For `functionDeclarations`. */
  gemini: { name: string; description: string; parametersJsonSchema: ObjectSchema };
  mcp: {
    name: string;
    title?: string;
    description: string;
    inputSchema: ObjectSchema;
    outputSchema?: ObjectSchema;
    annotations?: Record<string, unknown>;
  };
}

export type DefinitionOf<Format extends ModelFormat> = Definitions[Format];

export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: AnthropicContent[];
  is_error?: boolean;
}

export type AnthropicContent =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: AnthropicImageType; data: string } };

export type AnthropicImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** This API knows no errors of tools: the text says it. */
export interface OpenAiToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

export interface OpenAiFunctionOutput {
  type: "function_call_output";
  call_id: string;
  output: string;
}

export interface GeminiFunctionResponse {
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}

export interface McpToolResult {
  content: Record<string, unknown>[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** What is wanted for each kind of tool use. Texts, thoughts and tools that the provider runs: nothing. */
export type AnswerTo<Use> = Use extends { readonly type: infer Type }
  ? Type extends "tool_use"
    ? AnthropicToolResult
    : Type extends "function_call"
      ? OpenAiFunctionOutput
      : Type extends "function" | "custom"
        ? OpenAiToolMessage
        : string extends Type
          ? AnyAnswer
          : never
  : Use extends { readonly function: unknown }
    ? OpenAiToolMessage
    : Use extends { readonly arguments: unknown } | { readonly method: "tools/call" }
      ? McpToolResult
      : Use extends object
        ? GeminiFunctionResponse
        : AnyAnswer;

export type AnyAnswer =
  | AnthropicToolResult
  | OpenAiToolMessage
  | OpenAiFunctionOutput
  | GeminiFunctionResponse
  | McpToolResult;
