/** What the configuration says about `toolgate serve`. */
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";

export interface ServerSettings {
  readonly host?: string;
  readonly port?: number;
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly drainMs?: number;
  readonly limits?: {
    readonly maxConnections?: number;
    readonly maxIdleStrangers?: number;
    readonly idleStrangerMs?: number;
    readonly maxInFlight?: number;
    readonly maxPerMinute?: number;
    readonly maxStreams?: number;
    readonly maxSessions?: number;
  };
  readonly oauth?: {
    readonly issuer: string;
    readonly audience: string;
    readonly jwksUrl?: string;
    readonly jwksFile?: string;
    readonly scopes?: Readonly<Record<string, "call" | "read" | "approve" | "admin">>;
    readonly principalClaim?: string;
    readonly capabilities?: readonly string[];
    readonly allowPrivate?: boolean;
  };
}

/** `max_in_flight` -> `maxInFlight`; the shape was checked against the schema. Names inside `scopes` are the provider's own. */
export function toServerSettings(section: JsonObject): ServerSettings {
  return camelKeys(section) as ServerSettings;
}

/** Of two files the more trusted one decides, key by key: what the administrator sets stays set. */
export function mergeServerSettings(byTrust: readonly ServerSettings[]): ServerSettings {
  return Object.assign({}, ...[...byTrust].reverse()) as ServerSettings;
}

function camelKeys(part: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      key !== "scopes" && isJsonObject(value) ? camelKeys(value) : value,
    ]),
  );
}
