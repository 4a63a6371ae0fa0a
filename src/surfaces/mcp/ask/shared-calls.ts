/** Parked calls of several processes: what a client brings to one of them goes to the one that holds the call. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { ParkedCall, ParkedStore } from "../../../core/ports/parked.ts";
import type { Store } from "../../../core/ports/store.ts";
import { RawResult, RpcError, rpcCodes } from "../../../mcp/messages.ts";
import type { Answer } from "../../../mcp/peer.ts";

export interface SharedCalls {
  readonly store: ParkedStore;
  /** Seals what clients carry from one process to another. */
  readonly secret: Uint8Array;
}

/** Undefined: all clients come back to this process. */
export function sharedCalls({ parked, sharedSecret }: Partial<SharingStore>): SharedCalls | undefined {
  return parked && sharedSecret && { store: parked, secret: sharedSecret };
}

type SharingStore = Pick<Store, "parked" | "sharedSecret">;

interface Brought {
  readonly turn: number;
  readonly responses: JsonObject;
}

export async function askAnother(
  store: ParkedStore,
  call: Omit<ParkedCall, "expiresAt">,
  { turn, responses }: Brought,
  signal: AbortSignal,
): Promise<"lost" | "unknown" | { answer(): Answer }> {
  const handed = await store.handOver(call, { turn, responses }, signal);
  return handed.state === "answered" ? { answer: () => fromJson(handed.answer) } : handed.state;
}

/** Never rejects: the other process tells its client what went wrong. */
export async function answerForAnother(
  came: Json,
  goOn: (brought: Brought) => Promise<Answer>,
): Promise<Json> {
  try {
    const { turn, responses } = isJsonObject(came) ? came : {};
    const answer = await goOn({ turn: Number(turn), responses: isJsonObject(responses) ? responses : {} });
    return { result: answer instanceof RawResult ? answer.json : JSON.stringify(answer) };
  } catch (error) {
    const { code, message, data } = error instanceof RpcError ? error : broke;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
}

const broke = new RpcError(rpcCodes.internalError, "The server that held this call broke.");

function fromJson(told: Json): Answer {
  const { result, error } = isJsonObject(told) ? told : {};
  if (typeof result === "string") return new RawResult(result);
  const { code, message, data } = isJsonObject(error) ? error : {};
  throw new RpcError(Number(code ?? rpcCodes.internalError), String(message), data);
}
