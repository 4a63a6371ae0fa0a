/** Reads what the other side says about how far it is. */
import type { JsonObject } from "../core/input/json.ts";

export interface RpcProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Undefined: it says nothing that could be shown. */
export function readProgress({ progress, total, message }: JsonObject): RpcProgress | undefined {
  if (typeof progress !== "number" || !Number.isFinite(progress)) return undefined;
  return {
    progress,
    ...(typeof total === "number" && Number.isFinite(total) && { total }),
    ...(typeof message === "string" && { message: message.slice(0, maxMessageChars) }),
  };
}

const maxMessageChars = 2_000;
