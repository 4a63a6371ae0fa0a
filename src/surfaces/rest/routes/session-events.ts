/** What happens in a session, as it happens. */
import { stream } from "../../http/answer.ts";
import { isStillAllowed } from "../../http/still-allowed.ts";
import { writeSessionEvents } from "../events/write-session-events.ts";
import { defineSessionRoute } from "../rest-route.ts";
import { sessionEventQuery } from "../schemas/sessions.ts";
import { findSession, openSessions } from "../session-access.ts";

const heartbeatMs = 15_000;

const events = defineSessionRoute({
  method: "GET",
  path: "/api/sessions/:id/events",
  right: ["call", "read"],
  summary: "What happens in a session (server-sent events)",
  description:
    "The first event is `session`, its state; then its log from the first item on, or from the one after `Last-Event-ID`, and then what happens. " +
    "`reset`: that place is none of this log, so all of it follows. Leaving the stream cancels nothing.",
  params: { id: "The session's id." },
  query: sessionEventQuery,
  answers: {
    200: { contentType: "text/event-stream", description: "Events with ids; see docs/sessions.md." },
  },
  longLived: true,
  async handle(request, parts) {
    const { params, query, holder } = request;
    const sessions = await openSessions(parts);
    if ("kind" in sessions) return sessions;
    const found = await findSession(sessions, params.id, holder, "read");
    if ("kind" in found) return found;
    const { after, deltas } = query;
    const from = request.header("last-event-id") ?? after;
    return stream("text/event-stream", (out) =>
      writeSessionEvents(
        out,
        {
          follow: (signal) => sessions.events(params.id, { after: from, deltas, signal }),
          isStillAllowed: () => isStillAllowed(request, parts.tokens, found.rights),
          heartbeatMs,
        },
        parts.clock,
      ),
    );
  },
});

export const sessionEventRoutes = [events];
