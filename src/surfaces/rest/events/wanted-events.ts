/** Which events a client wants, by its query. */
import type { Static } from "typebox";
import { matchesName } from "../../../core/tool/tool-pattern.ts";
import type { eventQuery } from "../schemas/events.ts";
import type { LoggedEvent } from "./event-log.ts";

type EventQuery = Static<typeof eventQuery>;

export function createWants(query: EventQuery): (event: LoggedEvent) => boolean {
  const { session, tool, caller, verdict } = query;
  const kinds = query.kinds && new Set<string>(query.kinds);
  return ({ kind, sessionId, data }) => {
    if (kinds !== undefined && !kinds.has(kind)) return false;
    if (session !== undefined && sessionId !== session) return false;
    // What is about no call (tools, rules) concerns everybody.
    if (data.callId === undefined) return true;
    if (tool !== undefined && !matchesName(tool, String(data.tool))) return false;
    if (caller !== undefined && data.caller !== caller) return false;
    return verdict === undefined || kind !== "call-end" || data.verdict === verdict;
  };
}

/** Does the client see every question? */
export function seesQuestions({ kinds, session, tool, caller }: EventQuery): boolean {
  return (
    session === undefined &&
    tool === undefined &&
    caller === undefined &&
    (kinds === undefined || kinds.includes("approval-request"))
  );
}
