/** Answers of the /mcp endpoint: JSON-RPC messages with the status that belongs to them. */
import { errorJson, type RequestId, type RpcProblem, rpcCodes } from "../../../mcp/messages.ts";
import { type Answer, ready } from "../../http/answer.ts";

type Headers = Readonly<Record<string, string>>;

/** One message, as JSON. */
export function rpcAnswer(json: string, headers?: Headers, status = 200): Answer {
  return ready("application/json", json, { status, ...(headers && { headers }) });
}

/** The message was taken; there is nothing to say. */
export const accepted: Answer = ready("application/json", "", { status: 202 });

export function refused(status: number, id: RequestId | null, problem: RpcProblem): Answer {
  return rpcAnswer(errorJson(id, problem), undefined, status);
}

/** What modern clients and proxies read off the status. Other answers are no failure of HTTP. */
export const statusOfCode: ReadonlyMap<number | undefined, number> = new Map([
  [rpcCodes.parseError, 400],
  [rpcCodes.invalidRequest, 400],
  [rpcCodes.methodNotFound, 404],
  [rpcCodes.headerMismatch, 400],
  [rpcCodes.missingCapability, 400],
  [rpcCodes.unsupportedVersion, 400],
]);
