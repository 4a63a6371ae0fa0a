/** tools.call: calls what tools.search found. Like mcp.call it becomes the call of its target. */
import { failed } from "../../../core/call/tool-answer.ts";
import type { AnyTool } from "../../../core/tool/tool.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { argumentNames, targetOf } from "./call.ts";

const base = defineBuiltin("tools.call", {
  title: "Call a found tool",
  description:
    "Calls any tool by the name that tools.search shows. It is the same as calling that tool itself: the same rules decide, and the answer is its own.",
  input: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, description: "Such as `github__create_issue`." },
      arguments: { type: "object", description: "The tool's own input." },
    },
    required: ["name"],
    additionalProperties: false,
  },
  synonyms: { name: ["tool", "tool_name"], arguments: argumentNames },
  // What it does is what its target does: a client must not take it for harmless.
  annotations: { readOnlyHint: false, openWorldHint: true },
  lock: "none",
  // Never reached through a gate: a call is handed on before it could run.
  run: () => failed("tools.call only hands calls on; it does nothing by itself."),
});

export const toolsCall: AnyTool = Object.freeze({ ...base, delegate: targetOf });
