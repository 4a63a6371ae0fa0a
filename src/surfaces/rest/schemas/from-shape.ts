/** Parts of rules as they go over the wire, made of the shapes of files, without the words for authors. */
import { type TOptional, type TSchema, type TUnsafe, Type } from "typebox";
import type { Shaped } from "../../../core/input/shape.ts";
import { durationPattern } from "../../../core/text/duration.ts";
import type { SchemaPart } from "../../../safe/files/documents/schema-part.ts";
import { closed, oneOf } from "./shapes.ts";

type Parts = Readonly<Record<string, SchemaPart>>;

type Wired<Properties, Always> = {
  -readonly [Key in keyof Properties]: Key extends Always
    ? TUnsafe<Shaped<Properties[Key]>>
    : TOptional<TUnsafe<Shaped<Properties[Key]>>>;
};

/** `always`: those that the server fills in where the author said nothing. */
export function fromShape<Properties extends Parts, const Always extends keyof Properties & string>(
  properties: Properties,
  always: readonly Always[],
) {
  const required: readonly string[] = always;
  const wired = Object.entries(properties).map(([key, part]) => [
    key,
    required.includes(key) ? toSchema(part) : Type.Optional(toSchema(part)),
  ]);
  return Object.fromEntries(wired) as Wired<Properties, Always>;
}

function toSchema({ type, enum: values, oneOf: forms, items, ...part }: SchemaPart): TSchema {
  // On the wire it is always the number.
  if (part.pattern === durationPattern) return Type.Unsafe({ type: "integer" });
  if (values !== undefined) return oneOf(values.map(String));
  if (forms !== undefined) return Type.Union(forms.map(toSchema));
  if (items !== undefined) return Type.Array(toSchema(items));
  if (part.properties !== undefined) return closed(fromShape(part.properties, part.required ?? []));
  if (typeof part.additionalProperties === "object")
    return Type.Record(Type.String(), toSchema(part.additionalProperties));
  if (typeof type === "object") return Type.Union(type.map((one) => toSchema({ type: one })));
  return Type.Unsafe({ type });
}
