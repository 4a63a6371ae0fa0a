/** Which form of several a value has. */
import { isSchema, readField, resolve, type Schema } from "./read-schema.ts";

/** Only as far as a choice needs it; the gate checks the value. */
export function fits(value: unknown, schema: Schema, root: Schema): boolean {
  const field = readField(schema, root);
  switch (field.kind) {
    case "object": {
      if (!isSchema(value)) return false;
      const isFixed = (of: Schema) => readField(of, root).kind === "fixed";
      return field.fields.every(({ name, schema: of, isRequired }) =>
        isFixed(of)
          ? JSON.stringify(value[name]) === JSON.stringify(resolve(of, root)?.const)
          : !isRequired || Object.hasOwn(value, name),
      );
    }
    case "fixed":
      return JSON.stringify(value) === JSON.stringify(field.value);
    case "choice":
      return field.values.includes(value);
    case "list":
      return Array.isArray(value);
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "flag":
      return typeof value === "boolean";
    default:
      return false;
  }
}
