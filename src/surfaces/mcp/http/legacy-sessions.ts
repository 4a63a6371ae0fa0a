/** Finds the session of a request of an older client: held here, or taken up from its id; or says that it is over. */
import type { JsonObject } from "../../../core/input/json.ts";
import { isLegacyVersion, legacyVersions } from "../../../mcp/eras.ts";
import { type RequestId, rpcCodes } from "../../../mcp/messages.ts";
import type { Answer } from "../../http/answer.ts";
import type { TokenHolder } from "../../http/rights.ts";
import { type EndpointParts, type McpRequest, replayBounds, streamBounds } from "./endpoint-parts.ts";
import { LegacySession } from "./legacy-session.ts";
import { ReplayBudgets } from "./replay-budget.ts";
import { refused } from "./rpc-answers.ts";
import { createSessionIds, recordedAs } from "./session-ids.ts";
import { createSessions } from "./sessions.ts";

type Found = LegacySession | Answer;

export function createLegacySessions({ server, clock, limits, sessionKey, endedClients }: EndpointParts) {
  const sessions = createSessions<LegacySession>(limits, clock);
  const ids = createSessionIds(sessionKey);
  const budgets = new ReplayBudgets(replayBounds);
  /** Names of those whose clients said, here or elsewhere, that they are over: they never come back. */
  const ended = new Set<string>();
  const stopHearing = endedClients?.listen((name) => {
    if (!ended.has(name)) endHere(name);
  });
  return {
    get size(): number {
      return sessions.size;
    },
    find,
    /** Undefined: its caller has too many. */
    begin: (holder: TokenHolder, params: unknown): LegacySession | undefined =>
      open(ids.make(holder.caller.id, params), holder),
    /** On all machines first: where that fails, the client can say it again. */
    end({ name }: LegacySession): Promise<void> | undefined {
      if (endedClients !== undefined) return endedClients.end(name).then(() => endHere(name));
      endHere(name);
      return undefined;
    },
    /** Nothing can be asked in it. */
    drop: sessions.close,
    close(): void {
      stopHearing?.();
      sessions.closeAll();
    },
  };

  function endHere(name: string): void {
    sessions.closeWhere((session) => session.name === name);
    ended.add(name);
    const [oldest] = ended;
    if (ended.size > maxEnded && oldest !== undefined) ended.delete(oldest);
  }

  function find(request: McpRequest, id: RequestId | null): Found | Promise<Found> {
    const version = request.http.header("mcp-protocol-version");
    if (version !== undefined && !isLegacyVersion(version))
      return refused(400, id, {
        code: rpcCodes.unsupportedVersion,
        message: `Protocol version ${JSON.stringify(version)} is not supported.`,
        data: { supported: [...legacyVersions], requested: version },
      });
    const given = request.http.header("mcp-session-id");
    if (given === undefined) return refused(400, id, sessionNeeded);
    const { holder } = request.http;
    const found = held(given, holder);
    if (found !== undefined) return found;
    const none = () => refused(404, id, noSession);
    const params = ended.has(recordedAs(given)) ? undefined : ids.read(given, holder.caller.id);
    if (params === undefined) return none();
    if (endedClients === undefined) return revive(given, holder, params) ?? none();
    return endedClients.has(recordedAs(given)).then((isOver) => {
      if (isOver) return none();
      // Another request of the same client may have taken it up meanwhile.
      return held(given, holder) ?? revive(given, holder, params) ?? none();
    });
  }

  function held(id: string, holder: TokenHolder): LegacySession | undefined {
    const found = sessions.find(id, holder.caller.id);
    if (found === undefined || found.fits(holder)) return found;
    sessions.close(found);
    return undefined;
  }

  /**
   * After a restart, after it was closed to save memory, or when its token may do other things now; and where the client
   * was with another machine before.
   */
  function revive(id: string, holder: TokenHolder, params: JsonObject): LegacySession | undefined {
    const session = open(id, holder);
    session?.revive(params);
    return session;
  }

  function open(id: string, holder: TokenHolder): LegacySession | undefined {
    const kept = { bounds: streamBounds, put: budgets.of(holder.caller.id) };
    return sessions.open(holder.caller.id, () => new LegacySession(id, { server, holder, ...kept }));
  }
}

const maxEnded = 10_000;

const sessionNeeded = {
  code: rpcCodes.invalidRequest,
  message: "The header Mcp-Session-Id is missing: begin with initialize.",
};
const noSession = { code: -32_001, message: "There is no such session: begin anew with initialize." };
