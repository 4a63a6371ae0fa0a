/** REST and MCP of a gate as a handler for a server that is there already. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { Caller } from "../../core/call/call.ts";
import type { Right } from "../../core/ports/tokens.ts";
import type { Gate } from "../../gate/gate.ts";
import type { Plugins } from "../../open/create-plugins.ts";
import type { OpenedStore } from "../../open/open-store.ts";
import type { Sessions } from "../../sessions/create-sessions.ts";

export interface HttpHandlerOptions {
  /** What stands before every path, such as `/toolgate`. Default: nothing. */
  readonly prefix?: string;
  /** Tokens of your own, besides those of the store. */
  readonly tokens?: readonly HandlerToken[];
  /** Asked for a token that is in no list. Nothing: it is not valid. */
  readonly findToken?: (token: string) => FoundToken | undefined | Promise<FoundToken | undefined>;
  /** The gate's own store: adds approvals, grants, the ledger, events, metrics, and its tokens. */
  readonly store?: OpenedStore;
  /** Sessions of agents, made by `createSessions`: adds `/api/sessions`. Closed by whoever made them. */
  readonly sessions?: Sessions;
  /** For `POST /api/tools/reload`. */
  readonly plugins?: Plugins;
  /** Names that the server is reached by besides loopback: `gate.example.com`. */
  readonly hosts?: readonly string[];
  /** Origins whose pages may ask besides the server's own. */
  readonly origins?: readonly string[];
  readonly rest?: boolean;
  readonly mcp?: boolean | HandlerMcpOptions;
  readonly limits?: HandlerLimits;
  /** Hears what broke, for the log. */
  readonly onBroken?: (message: string) => void;
}

export interface HandlerToken {
  /** At least 32 characters that nobody can guess. */
  readonly token: string;
  /** The caller of every call that is made with it. */
  readonly name: string;
  readonly rights: readonly Right[];
  /** Default: everything that rules allow. */
  readonly capabilities?: readonly string[];
  /** An ISO time. */
  readonly expiresAt?: string;
}

/** Who holds a token, and what it may do. */
export interface FoundToken {
  readonly caller: Caller;
  readonly rights: readonly Right[];
}

export interface HandlerMcpOptions {
  /** Default: auto. */
  readonly tools?: "all" | "search" | "auto";
  /** A client with a token that may approve answers when a rule asks. Default: false. */
  readonly approveByElicitation?: boolean;
}

/** Of each caller, and of one body. */
export interface HandlerLimits {
  readonly maxBodyBytes?: number;
  readonly sendTimeoutMs?: number;
  readonly maxInFlight?: number;
  readonly maxPerMinute?: number;
  readonly maxStreams?: number;
  readonly maxSessions?: number;
}

export interface HttpHandler extends AsyncDisposable {
  /** For `node:http`, and as a middleware: a path outside of the prefix goes to `next`, if there is one. */
  readonly node: (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => void;
  /** For servers of `Request` and `Response`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Takes no more requests and waits at most `drainMs` for those that run. The gate stays open. */
  close(options?: { readonly drainMs?: number }): Promise<{ readonly cancelled: number }>;
}

/** An `IncomingMessage` of `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: object;
}

/** A `ServerResponse` of `node:http`. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
}

/** Throws a ToolgateError for options that cannot be used, and without anybody who may come in. */
export async function createHttpHandler(gate: Gate, options: HttpHandlerOptions): Promise<HttpHandler> {
  // Those who only use the gate as a library never load the server.
  const { openHttpHandler } = await import("./open-http-handler.ts");
  return openHttpHandler(gate, options);
}
