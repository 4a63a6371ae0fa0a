/** The two eras of the protocol: legacy begins with `initialize`, modern requests stand alone. */
import { isJsonObject, type JsonObject } from "../core/input/json.ts";
import { metaKeys, RpcError, rpcCodes } from "./messages.ts";

export type Era = "legacy" | "modern";

/** Newest first: what a client is offered that asks for one we do not know. */
export const legacyVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export const modernVersions = ["2026-07-28"] as const;

export const newestLegacy = legacyVersions[0];
export const newestModern = modernVersions[0];

export function isLegacyVersion(version: unknown): boolean {
  return legacyVersions.some((known) => known === version);
}

export function isModernVersion(version: unknown): boolean {
  return modernVersions.some((known) => known === version);
}

/** What a client says about itself: once with `initialize`, or with every modern request. */
export interface ClientFacts {
  readonly protocolVersion: string;
  readonly clientInfo: JsonObject | undefined;
  readonly clientCapabilities: JsonObject;
}

/** A request that says which version it speaks is modern, whatever else is wrong with it. */
export function claimsModern(params: unknown): boolean {
  const meta = metaOf(params);
  return meta !== undefined && meta[metaKeys.protocolVersion] !== undefined;
}

/** Throws an RpcError that names what is wrong. */
export function readEnvelope(params: unknown): ClientFacts {
  const meta = metaOf(params) ?? {};
  const version = meta[metaKeys.protocolVersion];
  if (typeof version !== "string") throw badEnvelope(metaKeys.protocolVersion, "a text is needed");
  if (!isModernVersion(version)) {
    throw new RpcError(
      rpcCodes.unsupportedVersion,
      `Protocol version ${JSON.stringify(version)} is not supported.`,
      {
        supported: [...modernVersions],
        requested: version,
      },
    );
  }
  const clientCapabilities = meta[metaKeys.clientCapabilities];
  if (!isJsonObject(clientCapabilities))
    throw badEnvelope(metaKeys.clientCapabilities, "an object is needed");
  const clientInfo = meta[metaKeys.clientInfo];
  if (clientInfo !== undefined && !isJsonObject(clientInfo))
    throw badEnvelope(metaKeys.clientInfo, "it must be an object");
  return { protocolVersion: version, clientInfo, clientCapabilities };
}

export function metaOf(params: unknown): JsonObject | undefined {
  if (!isJsonObject(params)) return undefined;
  const { _meta: meta } = params;
  return isJsonObject(meta) ? meta : undefined;
}

function badEnvelope(key: string, problem: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `The request's _meta is wrong: ${key}: ${problem}.`, {
    envelope: { key, problem },
  });
}
