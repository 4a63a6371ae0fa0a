/** Batches over HTTP: each message is taken, and counted, as if it had come by itself, and the answers go back as one list. */
import { isJsonObject } from "../../../core/input/json.ts";
import { listOf, whyNoBatch } from "../../../mcp/batch.ts";
import { claimsModern, isModernVersion } from "../../../mcp/eras.ts";
import { rpcCodes } from "../../../mcp/messages.ts";
import type { Answer } from "../../http/answer.ts";
import type { McpRequest } from "./endpoint-parts.ts";
import { accepted, refused, rpcAnswer } from "./rpc-answers.ts";

export interface BatchPorts {
  /** What the session of this request agreed on, or why there is none. */
  readonly versionOf: (request: McpRequest) => string | undefined | Answer;
  readonly post: (message: unknown, request: McpRequest) => Answer | Promise<Answer>;
}

export async function answerBatch(
  messages: readonly unknown[],
  request: McpRequest,
  { versionOf, post }: BatchPorts,
): Promise<Answer> {
  const { http } = request;
  const isModern = isModernVersion(http.header("mcp-protocol-version"));
  const version = isModern ? undefined : versionOf(request);
  if (typeof version === "object") return version;
  const why = whyNoBatch(messages, version) ?? (messages.some(standsAlone) ? alone : undefined);
  if (why !== undefined) return refused(400, null, { code: rpcCodes.invalidRequest, message: why });
  const tooMany = http.becomeSeveral(messages.length);
  if (tooMany !== undefined) return tooMany;
  // One list has one way back: what would be told before an answer goes to the session's own stream.
  const one: McpRequest = { ...request, mayStream: false };
  const answers = await Promise.all(messages.map((message) => post(message, one)));
  const texts = answers.flatMap((answer) =>
    answer.kind === "ready" && answer.bytes !== "" ? [String(answer.bytes)] : [],
  );
  return texts.length === 0 ? accepted : rpcAnswer(listOf(texts));
}

const alone = "initialize, and requests that say which version they speak, are sent by themselves.";

/** They belong to no session that is there already. */
function standsAlone(message: unknown): boolean {
  return isJsonObject(message) && (message.method === "initialize" || claimsModern(message.params));
}
