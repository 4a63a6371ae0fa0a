/** The words of the Agent Client Protocol that both of its versions share, read from what an agent sends. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { type AcpKind, acpKinds } from "../../../core/tool/acp-kinds.ts";

export const acpVersions = [1, 2] as const;

export type AcpVersion = (typeof acpVersions)[number];

export const acpCodes = { authRequired: -32_000, notFound: -32_002, cancelled: -32_800 } as const;

export function isKind(value: unknown): value is AcpKind {
  return acpKinds.includes(value as AcpKind);
}

export function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

export function textIn(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What a content block says; of what is no text only that it was there. */
export function textOfBlock(value: Json | undefined): string {
  const { type, text, resource, uri, name } = objectIn(value);
  if (type === "text" && typeof text === "string") return text;
  const inside = objectIn(resource).text;
  if (typeof inside === "string") return inside;
  return `[${String(type ?? "content")}${typeof uri === "string" ? ` ${uri}` : typeof name === "string" ? ` ${name}` : ""}]`;
}

/** "Internal error" alone helps nobody: many agents say what it was beside it. */
export function tellError({
  message,
  data,
}: {
  readonly message: string;
  readonly data?: Json | undefined;
}): string {
  const details = typeof data === "string" ? data : (objectIn(data).details ?? objectIn(data).message);
  return typeof details === "string" ? `${message}: ${details.slice(0, 500)}` : message;
}
