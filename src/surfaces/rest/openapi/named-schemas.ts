/** Puts every schema that has a title under that name, once, and refers to it from where it is used. */
import type { TSchema } from "typebox";
import { ToolgateError } from "../../../core/call/errors.ts";

export interface NamedSchemas {
  use(schema: TSchema): unknown;
  named(): Readonly<Record<string, unknown>>;
}

export function createNamedSchemas(): NamedSchemas {
  const schemas = new Map<string, { readonly text: string; readonly schema: unknown }>();

  function place(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(place);
    if (typeof part !== "object" || part === null) return part;
    const placed = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, place(value)]));
    const { title } = placed;
    if (typeof title !== "string") return placed;
    const text = JSON.stringify(placed);
    const known = schemas.get(title);
    if (known !== undefined && known.text !== text)
      throw new ToolgateError(`Two different schemas have the title "${title}".`);
    if (known === undefined) schemas.set(title, { text, schema: placed });
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    // What TypeBox keeps besides JSON Schema falls away here.
    use: (schema) => place(JSON.parse(JSON.stringify(schema))),
    named: () =>
      Object.fromEntries(
        [...schemas].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { schema }]) => [name, schema]),
      ),
  };
}
