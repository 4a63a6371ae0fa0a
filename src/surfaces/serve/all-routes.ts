/** Every route of `toolgate serve`, in one list. */
import type { AnyRoute } from "../http/route.ts";
import type { Served } from "../http/server-parts.ts";
import { type McpParts, mcpRoutes } from "../mcp/http/mcp-routes.ts";
import type { RestParts } from "../rest/rest-route.ts";
import { apiRoutes } from "../rest/routes/api-routes.ts";

/** What is handed to the server for all of its routes. */
export type ServerParts = RestParts & McpParts;

export const allRoutes: readonly AnyRoute<ServerParts & Served>[] = [...apiRoutes, ...mcpRoutes];
