/** Upstream servers as a caller may reach them: one capability opens all that a server has. */
import type { Caller } from "../../../core/call/call.ts";
import { holdsCapability } from "../../../core/tool/permission.ts";
import type { McpPrompts, McpResources } from "./ports.ts";

export function resourcesOfCaller(resources: McpResources, caller: Caller): McpResources {
  const may = reachOf(caller);
  return {
    ...resources,
    servers: () => resources.servers().filter(may),
    async list(request, context) {
      const page = await resources.list(request, context);
      return { ...page, resources: page.resources.filter(({ server }) => may(server)) };
    },
  };
}

export function promptsOfCaller(prompts: McpPrompts, caller: Caller): McpPrompts {
  const may = reachOf(caller);
  return {
    ...prompts,
    servers: () => prompts.servers().filter(may),
    async list(request, context) {
      const page = await prompts.list(request, context);
      return { ...page, prompts: page.prompts.filter(({ server }) => may(server)) };
    },
  };
}

function reachOf({ capabilities }: Caller): (server: string) => boolean {
  return (server) => holdsCapability(capabilities, `mcp:${server}`);
}
