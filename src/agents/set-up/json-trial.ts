/** A hook entry as toolgate tries it out, of an agent that speaks JSON: its call, and what it takes for a denial. */
import { isRecord, type JsonObject } from "../../core/input/json.ts";
import type { HookTrial } from "../agent-setup.ts";

/** `denial`: the reason in an answer that refuses; undefined: the answer is no refusal. */
export function jsonTrial(
  call: (tool: string, input: JsonObject, cwd: string) => JsonObject,
  denial: (answer: Readonly<Record<string, unknown>>) => unknown,
): HookTrial {
  return {
    call: (tool, input, cwd) => JSON.stringify(call(tool, input, cwd)),
    refusalIn(stdout) {
      try {
        const answer: unknown = JSON.parse(stdout);
        const reason = isRecord(answer) ? denial(answer) : undefined;
        return typeof reason === "string" ? reason : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
