/** What carries messages to one upstream server and back; a pipe to a process, or HTTP. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { RpcMessage } from "../../../mcp/messages.ts";
import type { Agreed, UpstreamError } from "../talk/connection.ts";

export interface WireRequest {
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly options: {
    /** Further header fields, where there are any: values of arguments that the server's schema asks for. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
  };
}

/** What a wire needs to know of its server and of us. */
export interface WirePlace {
  readonly name: string;
  readonly maxMessageBytes: number;
  /** Over HTTP. */
  readonly maxConnections: number;
  readonly redact: (text: string) => string;
  readonly note: (text: string) => void;
  /** Never visible in a sandbox. */
  readonly hiddenPaths: readonly string[];
}

export interface Wire {
  readonly pid?: number;
  /** Sends a request, given as JSON too. What comes of it is told to the listener. */
  request(json: string, request: WireRequest): void;
  /** Sends a notification or an answer; nothing comes back. */
  tell(json: string): void;
  /** Nobody waits for this one any more. */
  abandon(id: number): void;
  /** What was agreed on, told once; from here on messages may come at any time. */
  settle(agreed: Agreed): void;
  /** Ends it, politely first. Resolves when nothing of it is left. The listener is not told. */
  close(): Promise<void>;
}

export interface WireListener {
  /** `about`: the request in whose answer it came, where every request has an answer stream of its own. */
  message(message: RpcMessage, about: number | undefined): void;
  /** This one request gets no answer; others may. */
  failed(id: number, error: UpstreamError): void;
  /** Nothing will come any more. Told once. */
  ended(why: string): void;
}
