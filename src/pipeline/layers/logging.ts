/** A layer that writes one line before and one after each run. */
import { messageOf } from "../../core/call/errors.ts";
import type { Layer } from "./layer.ts";

export function loggingLayer(write: (line: string) => void): Layer {
  return async ({ toolId, context }, next) => {
    write(`${context.callId} ${toolId} runs`);
    try {
      const value = await next();
      write(`${context.callId} ${toolId} returned`);
      return value;
    } catch (error) {
      write(`${context.callId} ${toolId} threw: ${messageOf(error)}`);
      throw error;
    }
  };
}
