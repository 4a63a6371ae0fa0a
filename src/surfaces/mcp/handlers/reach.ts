/** How far a client reaches to upstream servers beside calling tools: not further than its calls. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { Upstreams } from "../../../core/ports/upstream.ts";
import { holdsCapability } from "../../../core/tool/permission.ts";
import type { Gate } from "../../../gate/gate.ts";
import type { McpTransport } from "../server-parts.ts";

export type Reach = ReturnType<typeof createReach>;

export function createReach(gate: Gate, upstreams: Upstreams | undefined) {
  return {
    /** Only servers whose tools this client could call: the same capability opens what else they have. */
    upstreams({ caller }: McpTransport): Upstreams | undefined {
      if (upstreams === undefined || caller === undefined) return upstreams;
      const may = (server: string) => holdsCapability(caller.capabilities, `mcp:${server}`);
      return upstreams.status().every(({ server }) => may(server)) ? upstreams : onlyOf(upstreams, may);
    },
    /** Whether rules refuse this call whatever anybody answers. Then nothing of it goes to the server. */
    async isDenied(transport: McpTransport, tool: string, input: JsonObject): Promise<boolean> {
      const { caller, sessionId, cwd } = transport;
      const { verdict } = await gate.explain({ tool, input, caller, sessionId, cwd, surface: "mcp" });
      return verdict === "deny";
    },
  };
}

function onlyOf(upstreams: Upstreams, may: (server: string) => boolean): Upstreams {
  const mine = <Item extends { readonly server: string }>(items: readonly Item[]) =>
    items.filter(({ server }) => may(server));
  return {
    ...upstreams,
    status: () => mine(upstreams.status()),
    async listResources(request, context) {
      const page = await upstreams.listResources(request, context);
      return { ...page, resources: mine(page.resources) };
    },
    async listResourceTemplates(request, context) {
      const page = await upstreams.listResourceTemplates(request, context);
      return { ...page, resourceTemplates: mine(page.resourceTemplates) };
    },
    async listPrompts(request, context) {
      const page = await upstreams.listPrompts(request, context);
      return { ...page, prompts: mine(page.prompts) };
    },
    serverOf(uri) {
      const server = upstreams.serverOf(uri);
      return server !== undefined && may(server) ? server : undefined;
    },
  };
}
