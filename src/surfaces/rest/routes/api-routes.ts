/** Every route of the REST API, in one list. */
import type { AnyRoute } from "../../http/route.ts";
import type { Served } from "../../http/server-parts.ts";
import type { GateRouteParts, RestParts, SessionRouteParts, StoreRouteParts } from "../rest-route.ts";
import { machineRoutes } from "./agents.ts";
import { approvalRoutes } from "./approvals.ts";
import { callRoutes } from "./call.ts";
import { categoryRoutes } from "./categories.ts";
import { consoleRoutes } from "./console.ts";
import { explainRoutes } from "./explain.ts";
import { grantRoutes } from "./grants.ts";
import { liveRoute, readyRoute } from "./health.ts";
import { hookRoutes } from "./hook.ts";
import { insightRoutes } from "./insight.ts";
import { ledgerRoutes } from "./ledger.ts";
import { explainPreviewRoutes, previewRoutes } from "./preview.ts";
import { hitRoutes, trialRoutes } from "./rule-trials.ts";
import { ruleRoutes } from "./rules.ts";
import { aboutRoutes, serverRoutes } from "./server.ts";
import { sessionEventRoutes } from "./session-events.ts";
import { sessionRoutes } from "./sessions.ts";
import { signInRoutes } from "./sign-in.ts";
import { suggestionRoutes } from "./suggestions.ts";
import { tokenRoutes } from "./tokens.ts";
import { toolRoutes } from "./tools.ts";
import { upstreamRoutes } from "./upstreams.ts";

/** What works with a gate alone. */
export const gateRoutes: readonly AnyRoute<GateRouteParts & Served>[] = [
  ...toolRoutes,
  ...callRoutes,
  ...explainRoutes,
  ...explainPreviewRoutes,
  ...categoryRoutes,
  ...ruleRoutes,
  ...aboutRoutes,
  liveRoute,
];

/** What a store adds. */
export const storeRoutes: readonly AnyRoute<StoreRouteParts & Served>[] = [
  ...approvalRoutes,
  ...previewRoutes,
  ...grantRoutes,
  ...ledgerRoutes,
  ...insightRoutes,
  ...hitRoutes,
  ...tokenRoutes,
  ...serverRoutes,
  readyRoute,
];

/** Sessions of agents. */
export const agentRoutes: readonly AnyRoute<SessionRouteParts & Served>[] = [
  ...sessionRoutes,
  ...sessionEventRoutes,
];

export const apiRoutes: readonly AnyRoute<RestParts & Served>[] = [
  ...gateRoutes,
  ...storeRoutes,
  ...upstreamRoutes,
  ...hookRoutes,
  ...consoleRoutes,
  ...signInRoutes,
  ...agentRoutes,
  ...trialRoutes,
  ...suggestionRoutes,
  ...machineRoutes,
];
