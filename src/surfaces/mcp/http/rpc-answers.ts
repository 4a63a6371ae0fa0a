/** Answers of the /mcp endpoint: JSON-RPC messages with the status that belongs to them. */
import { type RequestId, type RpcError, rpcCodes } from "../../../mcp/messages.ts";
import { type Answer, ready } from "../../http/answer.ts";

type Headers = Readonly<Record<string, string>>;

/** One message, as JSON. */
export function rpcAnswer(json: string, headers?: Headers, status = 200): Answer {
  return ready("application/json", json, { status, ...(headers && { headers }) });
}

/** The message was taken; there is nothing to say. */
export const accepted: Answer = ready("application/json", "", { status: 202 });

export type RpcProblem = Pick<RpcError, "code" | "message"> & Partial<Pick<RpcError, "data">>;

export function refused(
  status: number,
  id: RequestId | null,
  problem: RpcProblem,
  headers?: Headers,
): Answer {
  return rpcAnswer(refusal(id, problem), headers, status);
}

export function refusal(id: RequestId | null, { code, message, data }: RpcProblem): string {
  const error = { code, message, ...(data !== undefined && { data }) };
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

/** What modern clients and what stands before us read off the status; everything else that a method answers is no failure of HTTP. */
const statusOfCode = new Map<number, number>([
  [rpcCodes.parseError, 400],
  [rpcCodes.invalidRequest, 400],
  [rpcCodes.methodNotFound, 404],
  [rpcCodes.headerMismatch, 400],
  [rpcCodes.missingCapability, 400],
  [rpcCodes.unsupportedVersion, 400],
]);

/** Of the answer to a modern request, as it was written by our own side. */
export function statusOfAnswer(json: string, id: RequestId): number {
  // Results are the rule, and may be long: only what is an error is read again.
  const at = '{"jsonrpc":"2.0","id":,'.length + JSON.stringify(id).length;
  if (!json.startsWith('"error":', at)) return 200;
  const { error } = JSON.parse(json) as { readonly error?: { readonly code?: number } };
  return statusOfCode.get(error?.code ?? 0) ?? 200;
}
