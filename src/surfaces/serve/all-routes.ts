/** Every route of `toolgate serve`, in one list. */

import type { AnyRoute } from "../http/route.ts";
import { mcpRoutes } from "../mcp/http/mcp-routes.ts";
import { apiRoutes } from "../rest/routes/api-routes.ts";

export const allRoutes: readonly AnyRoute[] = [...apiRoutes, ...mcpRoutes];
