/** What a call of OpenCode needs: the form of our plugin. */
import type { AgentHook } from "../agent-hook.ts";
import { readPluginCall } from "../in-process/read-plugin-call.ts";
import { writePluginAnswer } from "../in-process/write-plugin-answer.ts";
import { nameMcpTool } from "./mcp-tool-name.ts";

export const opencodeHook: AgentHook = {
  read: (text) => readPluginCall(text, nameMcpTool),
  write: writePluginAnswer,
};
