/** All mcp tools over one set of ports. */
import type { AnyTool } from "../../../core/tool/tool.ts";
import { call } from "./call.ts";
import type { McpPorts } from "./ports.ts";
import { createPromptGet } from "./prompt-get.ts";
import { createPromptList } from "./prompt-list.ts";
import { createResourceList } from "./resource-list.ts";
import { createResourceRead } from "./resource-read.ts";
import { toolsCall } from "./tools-call.ts";
import { createToolsDescribe } from "./tools-describe.ts";
import { createToolsSearch } from "./tools-search.ts";

export function createMcpTools(ports: McpPorts): readonly AnyTool[] {
  return [
    call,
    createResourceList(ports),
    createResourceRead(ports),
    createPromptList(ports),
    createPromptGet(ports),
    createToolsSearch(ports),
    createToolsDescribe(ports),
    toolsCall,
  ];
}
