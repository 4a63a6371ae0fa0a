/**
 * The port through which surfaces and tools reach upstream MCP servers beside calling their tools: state,
 * resources, prompts, changes.
 */
import type { Json, JsonObject } from "../input/json.ts";
import type { Permission } from "../tool/permission.ts";

/**
 * `idle`: its tools are known from accepted definitions and it starts at the first call. `failed`: the last
 * try did not work, another one follows a call. `broken`: tried too often; calls are refused until `retryAt`.
 */
export type UpstreamState = "disabled" | "idle" | "starting" | "ready" | "failed" | "broken" | "stopped";

export interface UpstreamStatus {
  readonly server: string;
  readonly transport: "stdio" | "http";
  readonly state: UpstreamState;
  /** What the configuration says that its tools need, where it says it of all. */
  readonly permission?: Permission;
  /** Why it does not work, for a person. */
  readonly problem?: string;
  /** Milliseconds since 1970: when it is tried again. */
  readonly retryAt?: number;
  /** Of the running process. */
  readonly pid?: number;
  /** What it said about itself when it was last connected. */
  readonly serverInfo?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly protocolVersion?: string;
  readonly capabilities?: JsonObject;
  /** What it says about its use to models, as it was accepted. */
  readonly instructions?: string;
  /** How many of its tools can be called. */
  readonly tools: number;
  /** Tools that are hidden until a person accepts them. */
  readonly pending: readonly PendingTool[];
  /** Tools that cannot be offered: a taken name, a schema that cannot be used. */
  readonly refused: readonly { readonly tool: string; readonly message: string }[];
  /**
   * What the configuration names under `tools:` and the server does not have, and what may be meant. Empty
   * while its tools are not known.
   */
  readonly misnamed: readonly { readonly tool: string; readonly closest?: string }[];
  readonly calls: number;
  readonly running: number;
}

export interface PendingTool {
  /** As the server names it. */
  readonly tool: string;
  readonly why: "new" | "changed" | "instructions-changed";
}

export interface UpstreamResource {
  readonly server: string;
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: JsonObject;
  readonly icons?: Json;
}

export interface UpstreamResourceTemplate {
  readonly server: string;
  readonly uriTemplate: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: JsonObject;
}

export interface UpstreamResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  /** Text, or base64 in `blob`. */
  readonly text?: string;
  readonly blob?: string;
}

export interface UpstreamPrompt {
  readonly server: string;
  /** As the server names it; for clients it is `server__name`. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  readonly icons?: Json;
}

export interface UpstreamPromptResult {
  readonly description?: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: JsonObject }[];
}

export type UpstreamChange =
  | { readonly server: string; readonly what: "tools" | "resources" | "prompts" }
  | { readonly server: string; readonly what: "resource-updated"; readonly uri: string };

export interface UpstreamContext {
  readonly signal: AbortSignal;
}

/** Left out: of all servers, in the order of the configuration. */
export interface UpstreamPageRequest {
  readonly server?: string | undefined;
  readonly cursor?: string | undefined;
}

/**
 * What does not work throws an Error whose message says which server and what to do; it may reach a model.
 */
export interface Upstreams {
  status(): readonly UpstreamStatus[];
  listResources(
    request: UpstreamPageRequest,
    context: UpstreamContext,
  ): Promise<{ readonly resources: readonly UpstreamResource[]; readonly nextCursor?: string }>;
  listResourceTemplates(
    request: UpstreamPageRequest,
    context: UpstreamContext,
  ): Promise<{
    readonly resourceTemplates: readonly UpstreamResourceTemplate[];
    readonly nextCursor?: string;
  }>;
  readResource(
    request: { readonly server: string; readonly uri: string },
    context: UpstreamContext,
  ): Promise<{ readonly contents: readonly UpstreamResourceContent[] }>;
  listPrompts(
    request: UpstreamPageRequest,
    context: UpstreamContext,
  ): Promise<{ readonly prompts: readonly UpstreamPrompt[]; readonly nextCursor?: string }>;
  getPrompt(
    request: {
      readonly server: string;
      readonly name: string;
      readonly arguments?: Readonly<Record<string, string>> | undefined;
    },
    context: UpstreamContext,
  ): Promise<UpstreamPromptResult>;
  /** `ref` names the prompt as the server does. */
  complete(
    request: {
      readonly server: string;
      readonly ref:
        | { readonly type: "ref/prompt"; readonly name: string }
        | { readonly type: "ref/resource"; readonly uri: string };
      readonly argument: { readonly name: string; readonly value: string };
      readonly context?: JsonObject | undefined;
    },
    context: UpstreamContext,
  ): Promise<{ readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean }>;
  /** Counted: the server is told once, however many clients subscribe. */
  subscribe(
    request: { readonly server: string; readonly uri: string },
    context: UpstreamContext,
  ): Promise<void>;
  unsubscribe(
    request: { readonly server: string; readonly uri: string },
    context: UpstreamContext,
  ): Promise<void>;
  /** The first server in the configuration that listed this URI or has a template for it. */
  serverOf(uri: string): string | undefined;
  /** Answers how to stop listening. */
  onChange(listener: (change: UpstreamChange) => void): () => void;
  /** Ends its process or connection and starts it anew; running calls of it fail. */
  restart(server: string): Promise<UpstreamStatus>;
}
