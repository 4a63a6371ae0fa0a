/** Every route of `toolgate serve`, in one list. */
import { mcpRoutes } from "../mcp/http/mcp-routes.ts";
import type { AnyRoute } from "./route.ts";
import { apiRoutes } from "./routes/api-routes.ts";

export const allRoutes: readonly AnyRoute[] = [...apiRoutes, ...mcpRoutes];
