/** The one shape in which data from outside walks through the gate: plain, frozen JSON. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export interface JsonLimits {
  readonly maxDepth?: number;
  readonly maxKeys?: number;
  readonly maxBytes?: number;
}

export type TakenJson =
  | { readonly ok: true; readonly value: Json; readonly bytes: number }
  | { readonly ok: false; readonly message: string; readonly path: string; readonly tooLarge?: boolean };

/** Of a value that was read as JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** An object with named members, whatever these hold. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
