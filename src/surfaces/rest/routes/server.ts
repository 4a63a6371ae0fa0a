/** What the server says about itself: who asks, its state, metrics, events, description. */
import { defined } from "../../../core/input/defined.ts";
import { json, ready, stream } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import { rights } from "../../http/rights.ts";
import type { Served } from "../../http/server-parts.ts";
import { isStillAllowed } from "../../http/still-allowed.ts";
import type { Me, Status } from "../contract.ts";
import { createThinning } from "../events/thin-events.ts";
import { createWants, seesQuestions } from "../events/wanted-events.ts";
import { writeEvents } from "../events/write-events.ts";
import { toOpenApi } from "../openapi/to-openapi.ts";
import { defineGateRoute, defineStoreRoute, type StoreRouteParts } from "../rest-route.ts";
import { eventQuery } from "../schemas/events.ts";
import { me, status } from "../schemas/server.ts";

const whoAmI = defineGateRoute({
  method: "GET",
  path: "/api/me",
  right: rights,
  summary: "Whose token this is, and what it may do",
  answers: { 200: me },
  handle({ holder }, { version, clock }) {
    const { caller, expiresAt } = holder;
    const { id, capabilities } = caller;
    const held = { caller: id, rights: [...holder.rights], capabilities, expiresAt };
    return json<Me>(defined({ ...held, version, time: clock.now() }));
  },
});

const serverStatus = defineStoreRoute({
  method: "GET",
  path: "/api/status",
  right: "read",
  summary: "How the server stands, and which files its rules come from",
  answers: { 200: status },
  handle: async (_request, parts) => json(await statusOf(parts)),
});

const metricsType = "text/plain; version=0.0.4; charset=utf-8";

const metrics = (["/metrics", "/api/metrics"] as const).map((path) =>
  defineStoreRoute({
    method: "GET",
    path,
    right: "read",
    summary: "Metrics for Prometheus",
    answers: { 200: { contentType: metricsType, description: "Prometheus' text format." } },
    async handle(_request, parts) {
      return ready(metricsType, await parts.metrics.render());
    },
  }),
);

const events = defineStoreRoute({
  method: "GET",
  path: "/api/events",
  right: "read",
  summary: "What happens, as it happens (server-sent events)",
  description:
    "Come back with `Last-Event-ID` and nothing is missed; where that is not possible any more (the server was restarted, or the client was away " +
    "too long) the first event is `reset`: ask for the state again. With `rate`, calls that went well are thinned, and `summary` says once a second what was left out.",
  query: eventQuery,
  answers: { 200: { contentType: "text/event-stream", description: "Events with ids; see docs/rest.md." } },
  longLived: true,
  handle(request, { feed, clock, tokens }) {
    if (feed.clients >= feed.limits.maxClients)
      return problem("unavailable", "Too many clients listen already.", { headers: { "retry-after": "10" } });
    const { query } = request;
    const wanted = {
      lastEventId: request.header("last-event-id"),
      wants: createWants(query),
      thinning: query.rate === undefined ? undefined : createThinning(query.rate, clock),
      isStillAllowed: () => isStillAllowed(request, tokens, ["read"]),
    };
    const canAnswer = seesQuestions(query) && request.holder.rights.has("approve");
    return stream("text/event-stream", (out) =>
      feed.serve(() => writeEvents(out, feed, wanted, clock), canAnswer),
    );
  },
});

const description = defineGateRoute({
  method: "GET",
  path: "/api/openapi.json",
  right: rights,
  summary: "This API as OpenAPI 3.1",
  answers: { 200: { contentType: "application/json", description: "An OpenAPI 3.1 document." } },
  handle: (_request, { routes, version, server }) => json(toOpenApi(routes, version, server.prefix)),
});

/** Those that need no store. */
export const aboutRoutes = [whoAmI, description];

export const serverRoutes = [serverStatus, ...metrics, events];

async function statusOf({
  gate,
  store,
  config,
  server,
  feed,
  version,
}: StoreRouteParts & Served): Promise<Status> {
  const { sources, ignored, notes, projectDir: project } = config.current;
  const { startedAt, url, requestsInFlight } = server;
  return {
    version,
    startedAt,
    url,
    project,
    requestsInFlight,
    rulesVersion: gate.rulesVersion,
    tools: gate.tools.count,
    approvalsWaiting: (await store.approvals.waiting()).length,
    eventClients: feed.clients,
    config: {
      sources: sources.map(({ file, origin, tier, trusted, plugin }) =>
        defined({ file, origin, tier, trusted, plugin }),
      ),
      problems: config.broken.map(({ file, line, message }) => defined({ file, line, message })),
      ignored: ignored.map(({ file, line, what, why }) => defined({ file, line, what, why })),
      notes,
    },
  };
}
