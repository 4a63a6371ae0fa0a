/** Every route of the REST API, in one list. */
import type { AnyRoute } from "../../http/route.ts";
import type { Served } from "../../http/server-parts.ts";
import type { RestParts } from "../rest-route.ts";
import { approvalRoutes } from "./approvals.ts";
import { callRoutes } from "./call.ts";
import { categoryRoutes } from "./categories.ts";
import { explainRoutes } from "./explain.ts";
import { grantRoutes } from "./grants.ts";
import { healthRoutes } from "./health.ts";
import { hookRoutes } from "./hook.ts";
import { ledgerRoutes } from "./ledger.ts";
import { ruleRoutes } from "./rules.ts";
import { serverRoutes } from "./server.ts";
import { toolRoutes } from "./tools.ts";
import { upstreamRoutes } from "./upstreams.ts";

export const apiRoutes: readonly AnyRoute<RestParts & Served>[] = [
  ...toolRoutes,
  ...upstreamRoutes,
  ...callRoutes,
  ...hookRoutes,
  ...explainRoutes,
  ...categoryRoutes,
  ...approvalRoutes,
  ...grantRoutes,
  ...ledgerRoutes,
  ...ruleRoutes,
  ...serverRoutes,
  ...healthRoutes,
];
