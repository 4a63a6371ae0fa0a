/** Reads a section of a file by its shape: `max_in_flight` in the file is `maxInFlight` in the program. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { Shaped } from "../../core/input/shape.ts";
import { durationFor, durationPattern } from "../../core/text/duration.ts";
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";

/** What a section of this shape says. */
export type SettingsOf<Shape> = CamelKeys<Shaped<Shape>>;

type CamelKeys<Value> = Value extends readonly (infer Item)[]
  ? readonly CamelKeys<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value as CamelKey<Key>]: CamelKeys<Value[Key]> }
    : Value;

type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : Key;

/** For a value of the right shape. Leaves out keys with nothing behind them. Names of the author stay. */
export function readSection<const Shape extends SchemaPart>(written: Json, shape: Shape): SettingsOf<Shape> {
  return read(written, shape) as SettingsOf<Shape>;
}

function read(written: Json, { properties, items, additionalProperties }: SchemaPart): unknown {
  if (Array.isArray(written)) return written.map((one) => (items === undefined ? one : read(one, items)));
  if (!isJsonObject(written)) return written;
  const said = Object.entries(written).filter(([, value]) => value !== null);
  if (properties !== undefined)
    return Object.fromEntries(said.map(([key, value]) => [camel(key), readKey(key, value, properties)]));
  const each = typeof additionalProperties === "object" ? additionalProperties : {};
  return Object.fromEntries(said.map(([name, value]) => [name, read(value, each)]));
}

function readKey(key: string, value: Json, properties: NonNullable<SchemaPart["properties"]>): unknown {
  const part = properties[key] ?? {};
  return readDuration(key, value, part) ?? read(value, part);
}

/** Undefined: it is none. */
function readDuration(key: string, value: Json | undefined, { pattern }: SchemaPart): number | undefined {
  return pattern === durationPattern && typeof value === "string" ? durationFor(key, value) : undefined;
}

/** A rule of the right shape whose keys stay as they are, with numbers for its durations. */
export function withDurations<Rule extends object>(
  rule: Rule,
  properties: Readonly<Record<string, SchemaPart>>,
): Rule {
  const read = Object.entries(rule as JsonObject).map(([key, value]) => [
    key,
    readDuration(key, value, properties[key] ?? {}) ?? value,
  ]);
  return Object.fromEntries(read) as Rule;
}

function camel(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** As a file would say it, without what is undefined. */
export function asWritten(settings: object): JsonObject {
  const said = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said.map(([key, value]) => [key.replaceAll(/[A-Z]/g, snake), value]));
}

function snake(letter: string): string {
  return `_${letter.toLowerCase()}`;
}

export function unlessEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
