/** The key of a session's things. Callers choose the names of sessions, so a name alone may be another's. */
import type { Caller } from "./call.ts";

/** Without a session: what such calls of a caller share. JSON, so that no two ids look like another pair. */
export function sessionKey(callerId: string, sessionId: string | undefined): string {
  if (callerId === last.callerId && sessionId === last.sessionId) return last.key;
  const key = JSON.stringify([callerId, sessionId ?? null]);
  last = { callerId, sessionId, key };
  return key;
}

/** Calls come in runs of one session. A new text would have to be hashed anew by every map. */
let last: { readonly callerId: string; readonly sessionId: string | undefined; readonly key: string } = {
  callerId: "",
  sessionId: undefined,
  key: JSON.stringify(["", null]),
};

export function sessionOf(call: {
  readonly caller: Pick<Caller, "id">;
  readonly sessionId: string | undefined;
}): string {
  return sessionKey(call.caller.id, call.sessionId);
}
