/**
 * Sealed ids of sessions. Each says what its session is made of, so that a client can go on after a restart,
 * or after its session was closed to save memory. An id is good for its own caller only.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../../../core/input/json.ts";
import { trimClientInfo } from "../trim-client-info.ts";

export function createSessionIds(key: Uint8Array) {
  const sealOf = (callerId: string, body: string) =>
    createHmac("sha256", key).update(`${callerId}\0${body}`).digest().subarray(0, sealBytes);
  return {
    /** For a client that sent these parameters of `initialize`. */
    make(callerId: string, params: unknown): string {
      const text = JSON.stringify(trimClientInfo(params));
      const body = Buffer.concat([randomBytes(secretBytes), Buffer.from(text)]).toString("base64url");
      return `${body}.${sealOf(callerId, body).toString("base64url")}`;
    },
    /** The parameters, as far as they matter. Undefined: not one of ours, or not this caller's. */
    read(id: string, callerId: string): JsonObject | undefined {
      const [, body, seal] = form.exec(id) ?? [];
      if (body === undefined || seal === undefined) return undefined;
      const given = Buffer.from(seal, "base64url");
      if (given.length !== sealBytes || !timingSafeEqual(given, sealOf(callerId, body))) return undefined;
      return JSON.parse(Buffer.from(body, "base64url").subarray(secretBytes).toString()) as JsonObject;
    },
  };
}

/** In records: not the id itself, which is a secret of the client, but always the same for one session. */
export function recordedAs(id: string): string {
  return `mcp-${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
}

const secretBytes = 16;
const sealBytes = 16;
const form = /^([\w-]{22,2000})\.([\w-]{22})$/;
