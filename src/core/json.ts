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

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
