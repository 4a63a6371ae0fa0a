/** Calls that wait for their client's answers in one process while the client may come back to another one. */
import type { Json } from "../input/json.ts";

export interface ParkedStore {
  /** This process holds it. `turn`: changes with every use, so that each is used once. */
  park(call: ParkedCall): Promise<void>;
  /** The client came back to the process that holds it. False: it came to another one first. */
  use(call: Omit<ParkedCall, "expiresAt">): Promise<boolean>;
  /** It is over. */
  drop(id: string): Promise<void>;
  /** The client came back to this process: whoever holds the call takes what it brings, and says how to answer. */
  handOver(call: Omit<ParkedCall, "expiresAt">, came: Json, signal: AbortSignal): Promise<HandedOver>;
  /** Hears what clients brought for calls of this process. Returns how to stop. */
  take(answer: (id: string, came: Json) => Promise<Json>): () => void;
}

export interface ParkedCall {
  readonly id: string;
  readonly turn: number;
  readonly expiresAt: number;
}

export type HandedOver =
  | { readonly state: "answered"; readonly answer: Json }
  /** Whoever held it is dead. Said once: the call may begin anew with what the client brought. */
  | { readonly state: "lost" }
  /** Nobody knows it, or it was used already. */
  | { readonly state: "unknown" };
