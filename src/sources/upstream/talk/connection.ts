/** What a connection to an upstream server is told and says: settings, health, changes, and how it fails. */

import type { Elicit } from "../../../core/call/elicit.ts";
import { HintedFailure } from "../../../core/call/hinted-failure.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { Cancellable } from "../../../core/run/abort.ts";
import type { Era } from "../../../mcp/eras.ts";
import type { RpcProgress } from "../../../mcp/progress.ts";

export interface UpstreamSettings {
  /** As the configuration names it; used in messages. */
  readonly name: string;
  readonly transport: StdioSettings | HttpSettings;
  /** `auto`: what an earlier connection found; else stdio starts with legacy, HTTP asks for modern first. */
  readonly era?: "auto" | "legacy" | "modern";
  /** Of one call, starting included. */
  readonly timeoutMs?: number;
  readonly startTimeoutMs?: number;
  /** Calls beyond it wait their turn (bounded), each within its own time-out. */
  readonly maxConcurrent?: number;
  /** Of one message of the server. */
  readonly maxMessageBytes?: number;
}

/** Everything already resolved: no `${NAME}` is left in any value. */
export interface StdioSettings {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Names to copy from toolgate's own environment. */
  readonly envPass?: readonly string[];
  readonly sandbox?: "off" | "preferred" | "required";
}

export interface HttpSettings {
  readonly kind: "http";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauth?: OauthSettings;
}

export interface OauthSettings {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
}

/** What was agreed on with a running server. */
export interface Agreed {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly serverInfo?: JsonObject;
  readonly instructions?: string;
}

export type UpstreamState = "stopped" | "starting" | "ready" | "failing" | "open-circuit";

/** A snapshot for `toolgate upstreams list` and the like. */
export interface UpstreamHealth extends Partial<Agreed> {
  readonly state: UpstreamState;
  readonly pid?: number;
  readonly inFlight: number;
  readonly waiting: number;
  /** Starts that came after an end that nobody asked for. */
  readonly restarts: number;
  /** Why it is not ready, in words for a person; redacted. */
  readonly lastError?: string;
  /** For `failing` and `open-circuit`: how long until it is tried again. */
  readonly retryInMs?: number;
}

export type UpstreamErrorCode =
  /** Cannot be started or reached, or ended while the call ran. */
  | "unavailable"
  | "timed_out"
  | "aborted"
  /** More calls wait already than it may have. */
  | "busy"
  /** The server answered with a JSON-RPC error (`rpcCode`, `data`). */
  | "refused_by_server"
  /** What it answered is not what the protocol says. */
  | "bad_answer"
  /** The server does not have this ability. */
  | "not_supported"
  | "closed";

/** Where the input is not what was wrong. */
const hints: { readonly [Code in UpstreamErrorCode]?: string } = {
  unavailable:
    "The server is down; another input does not help. Go on without it, or have a person look: `toolgate upstreams list --check` says how it stands, its own log says why, and `toolgate upstreams restart` starts it anew.",
  timed_out:
    "The server did not answer in time, and may have done it all the same. Look before the call is made again; ask for less at once, or have a person look at `toolgate upstreams list`, at the server's own log, and at timeout_ms of this upstream.",
  busy: "Wait until calls of this server have ended, then call again.",
  closed:
    "The server is not connected any more. Go on without it, or have a person look: `toolgate upstreams list`.",
};

/** For a call that was sent, and whose end nobody has seen. */
export const mayBeDone =
  "It was sent, and may have been done all the same: look before the call is made again. The next call starts the server anew; if its answer was too long, ask for less.";

export class UpstreamError extends HintedFailure {
  readonly code: UpstreamErrorCode;
  readonly rpcCode: number | undefined;
  readonly data: unknown;

  constructor(
    code: UpstreamErrorCode,
    message: string,
    rpc?: { code: number; data?: unknown },
    hint: string | undefined = hints[code],
  ) {
    super(message, hint);
    this.name = "UpstreamError";
    this.code = code;
    this.rpcCode = rpc?.code;
    this.data = rpc?.data;
  }
}

/** Nothing was sent: what would get the call is not what its definitions were compared with. */
export class OtherStart extends UpstreamError {
  constructor(name: string) {
    super(
      "unavailable",
      `The upstream server "${name}" was started anew, or has changed, before the call could be sent.`,
      undefined,
      "Nothing was sent. Try again.",
    );
  }
}

export interface RequestOptions {
  readonly signal?: Cancellable | undefined;
  /** Default: the time-out of the settings. */
  readonly timeoutMs?: number | undefined;
}

export interface CallOptions extends RequestOptions {
  readonly onProgress?: ((progress: RpcProgress) => void) | undefined;
  /** Whose call it is: what the server asks for one caller is never shown to another. */
  readonly callerId?: string | undefined;
  /** Who is asked when the server asks; without it the server is told that nobody answers. */
  readonly elicit?: Elicit | undefined;
  /** Only what was `running` then may get it; else it is not sent: `OtherStart`. */
  readonly on?: object | undefined;
  /** Further `_meta` for the server (trace context). */
  readonly meta?: JsonObject | undefined;
}

export type UpstreamChange =
  | { readonly what: "tools" | "resources" | "prompts" }
  | { readonly what: "resource-updated"; readonly uri: string }
  /** Another state than before, for those who show it. */
  | { readonly what: "state"; readonly state: UpstreamState };

/** What an earlier connection found out about the server, per upstream and credential. */
export interface EraMemory {
  get(key: string): Era | undefined;
  set(key: string, era: Era): void;
}

export interface UpstreamPorts {
  readonly client: { readonly name: string; readonly version: string };
  /** Default: forgotten with the process. */
  readonly eras?: EraMemory;
  /** For the person who runs toolgate: a missing sandbox, a server that prints garbage. Already redacted. */
  readonly note?: (text: string) => void;
  /** Takes secrets out of what a server printed. Default: usual patterns, and the values of its settings. */
  readonly redact?: (text: string) => string;
  /** Never visible in a sandbox: toolgate's own state. */
  readonly hiddenPaths?: readonly string[];
}
