/** Finds out how a server speaks: legacy begins with `initialize`, modern with `server/discover`. */

import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { exactDuration } from "../../../core/text/duration.ts";
import { type Era, isLegacyVersion, modernVersions, newestLegacy, newestModern } from "../../../mcp/eras.ts";
import { metaKeys, rpcCodes } from "../../../mcp/messages.ts";
import { HttpStatusError } from "../wire/http-answer.ts";
import type { Wire } from "../wire/wire.ts";
import { type Agreed, UpstreamError } from "./connection.ts";
import type { Conversation } from "./conversation.ts";

export interface Negotiation {
  readonly name: string;
  readonly client: { readonly name: string; readonly version: string };
  readonly conversation: Conversation;
  readonly wire: Wire;
  /** Tried in this order, the second only if the server does not know the first. */
  readonly eras: readonly Era[];
  /** When the start has to be over, on the clock of `performance.now()`. */
  readonly deadline: number;
  readonly startTimeoutMs: number;
}

export async function negotiate(negotiation: Negotiation): Promise<Agreed> {
  const { eras } = negotiation;
  for (const [at, era] of eras.entries()) {
    const isLast = at === eras.length - 1;
    const timeoutMs = Math.max(1, negotiation.deadline - performance.now());
    try {
      const agreed = await (era === "legacy" ? initialize : discover)(negotiation, timeoutMs);
      negotiation.wire.settle(agreed);
      if (era === "legacy") negotiation.conversation.notify("notifications/initialized");
      return agreed;
    } catch (error) {
      if (isLast || !saysOtherEra(error)) throw asStartError(error, negotiation);
    }
  }
  throw new UpstreamError("bad_answer", `The upstream server "${negotiation.name}" speaks no known version.`);
}

async function initialize({ conversation, client, name }: Negotiation, timeoutMs: number): Promise<Agreed> {
  const result = await conversation.request(
    "initialize",
    {
      protocolVersion: newestLegacy,
      capabilities: { elicitation: { form: {}, url: {} } },
      clientInfo: client,
    },
    { timeoutMs },
  );
  const { protocolVersion } = result;
  if (typeof protocolVersion !== "string" || !isLegacyVersion(protocolVersion))
    throw new OtherEra(
      `The upstream server "${name}" wants protocol version ${JSON.stringify(protocolVersion)?.slice(0, 60)}, which toolgate does not speak.`,
    );
  return describe("legacy", protocolVersion, result, result.serverInfo);
}

async function discover({ conversation, client, name }: Negotiation, timeoutMs: number): Promise<Agreed> {
  const result = await conversation.request(
    "server/discover",
    { _meta: modernMeta(newestModern, client, false) },
    { timeoutMs },
  );
  const { supportedVersions, _meta: meta } = result;
  const offered = Array.isArray(supportedVersions) ? supportedVersions : [];
  const version = modernVersions.find((known) => offered.includes(known));
  if (version === undefined)
    throw new OtherEra(
      `The upstream server "${name}" speaks ${offered.slice(0, 5).map(String).join(", ").slice(0, 100) || "no version that it names"}, and toolgate ${modernVersions.join(", ")}.`,
    );
  return describe("modern", version, result, isJsonObject(meta) ? meta[metaKeys.serverInfo] : undefined);
}

/** What every modern request says of its sender. */
export function modernMeta(
  version: string,
  client: { readonly name: string; readonly version: string },
  canElicit: boolean,
): JsonObject {
  return {
    [metaKeys.protocolVersion]: version,
    [metaKeys.clientInfo]: client,
    [metaKeys.clientCapabilities]: canElicit ? { elicitation: { form: {}, url: {} } } : {},
  };
}

function describe(era: Era, protocolVersion: string, result: JsonObject, info: unknown): Agreed {
  const { capabilities, instructions } = result;
  return {
    era,
    protocolVersion,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...(isJsonObject(info) && { serverInfo: info }),
    ...(typeof instructions === "string" && instructions !== "" && { instructions }),
  };
}

class OtherEra extends UpstreamError {
  constructor(message: string) {
    super("bad_answer", message);
  }
}

/** Errors of the network, of authorization or of a slow server say nothing about the era that it speaks. */
function saysOtherEra(error: unknown): boolean {
  if (error instanceof OtherEra) return true;
  if (error instanceof HttpStatusError)
    return error.status >= 400 && error.status < 500 && !denied.has(error.status);
  if (!(error instanceof UpstreamError)) return false;
  return error.code === "refused_by_server" || error.code === "bad_answer";
}

const denied: ReadonlySet<number> = new Set([401, 403, 408, 429]);

function asStartError(error: unknown, { name, startTimeoutMs }: Negotiation): UpstreamError {
  if (!(error instanceof UpstreamError)) return new UpstreamError("unavailable", String(error));
  if (error.code === "timed_out")
    return new UpstreamError(
      "timed_out",
      `The upstream server "${name}" was not ready within ${exactDuration(startTimeoutMs)}. If it needs longer to start, raise start_timeout_ms of this upstream.`,
    );
  if (error.rpcCode === rpcCodes.unsupportedVersion)
    return new UpstreamError(
      "bad_answer",
      `${error.message} (toolgate speaks ${newestLegacy} and ${newestModern}).`,
    );
  return error;
}
