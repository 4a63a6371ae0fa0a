/** Definitions of upstream tools: those that were accepted, and those that were seen since and differ. */
import type { JsonObject } from "../input/json.ts";

export interface ToolPin {
  /** As the server names it. */
  readonly name: string;
  /** Of the definition: other keys, another order of keys, is no other hash. */
  readonly digest: string;
  readonly definition: JsonObject;
}

export interface AcceptedPin extends ToolPin {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: "first-sight" | "person";
}

export interface Accepted {
  readonly tools: readonly AcceptedPin[];
  readonly instructions?: string;
}

export interface Seen {
  readonly at: number;
  /** Only those that are not accepted as they are. */
  readonly tools: readonly ToolPin[];
  /** Names of accepted tools that the server no longer has. */
  readonly gone: readonly string[];
  readonly instructions?: string;
  readonly serverInfo?: JsonObject;
  readonly capabilities?: JsonObject;
  readonly protocolVersion?: string;
}

/** By the key of an upstream. What is accepted is written at first sight and by a person only. */
export interface PinStore {
  /** Undefined: never seen. Rejects where it cannot be read: then nothing of the server is offered. */
  accepted(key: string): Promise<Accepted | undefined>;
  /** Never rejects: what cannot be read is written anew by the next look. */
  seen(key: string): Promise<Seen | undefined>;
  /** Of several processes that see a server first, one writes. Undefined: this one. Else what counts. */
  acceptFirst(key: string, accepted: Accepted): Promise<Accepted | undefined>;
  /** One change after the other, in all processes. `change` gets what is there and answers what shall be. */
  change(key: string, change: (now: Accepted, seen: Seen | undefined) => Accepted): Promise<Accepted>;
  saw(key: string, seen: Seen): Promise<void>;
  forget(key: string): Promise<void>;
  /** Tells every running process to start the server anew. */
  askRestart(key: string): Promise<void>;
  /** Another value than before: somebody asked again. */
  restartAskedAt(key: string): Promise<number | undefined>;
  /** Yields soon after something changed, in any process, until the signal aborts. */
  changes(signal: AbortSignal, tell: (message: string) => void): AsyncIterable<void>;
}
