/** What a call of pi needs: the form of our extension. It has no MCP servers, so names are what they are. */
import type { AgentHook } from "../agent-hook.ts";
import { readPluginCall } from "../in-process/read-plugin-call.ts";
import { writePluginAnswer } from "../in-process/write-plugin-answer.ts";

export const piHook: AgentHook = {
  read: (text) => readPluginCall(text),
  write: writePluginAnswer,
};
