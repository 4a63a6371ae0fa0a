/** Every route of `toolgate serve`, in one list. */
import type { AnyRoute } from "./route.ts";

export const allRoutes: readonly AnyRoute[] = [];
