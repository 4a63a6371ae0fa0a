/** What an agent asks permission for, and which of its options is chosen: this call alone, never "always". */
import type { JsonObject } from "../../../core/input/json.ts";
import { listIn, objectIn, textIn } from "./protocol.ts";

export const cancelled: JsonObject = { outcome: { outcome: "cancelled" } };

/** Undefined: the agent offers no yes for one call, and gets none. */
export function selectOnce(options: JsonObject[string] | undefined): JsonObject | undefined {
  return select(options, "allow_once");
}

export function reject(options: JsonObject[string] | undefined): JsonObject {
  return select(options, "reject_once") ?? cancelled;
}

function select(options: JsonObject[string] | undefined, kind: string): JsonObject | undefined {
  const fitting = listIn(options).find((option) => option.kind === kind);
  const optionId = textIn(fitting?.optionId);
  return optionId === undefined ? undefined : { outcome: { outcome: "selected", optionId } };
}

/** Version 2 may ask about a bare command. */
export function subjectOf({ toolCall, subject }: JsonObject): JsonObject {
  const { toolCall: inside, command, cwd, toolCallId } = objectIn(subject);
  if (typeof command !== "string") return objectIn(toolCall ?? inside);
  return {
    ...objectIn(inside),
    toolCallId: toolCallId ?? `command ${command.slice(0, 100)}`,
    kind: "execute",
    rawInput: { command, ...(typeof cwd === "string" && { cwd }) },
  };
}
