/** Every route of `toolgate serve`, in one list. */
import type { AnyRoute } from "./route.ts";
import { apiRoutes } from "./routes/api-routes.ts";

export const allRoutes: readonly AnyRoute[] = [...apiRoutes];
