/** What a template needs of the input schema: the arguments, which are optional, and their defaults. */
import { isRecord } from "../../../core/input/json.ts";
import type { JsonSchema } from "../../../core/tool/schema.ts";
import type { TemplateProperties } from "../../../safe/template/template-args.ts";

export function templateProperties(
  inputSchema: JsonSchema,
  allowDash: boolean | readonly string[] = false,
): TemplateProperties {
  const required = requiredOf(inputSchema);
  const entries = Object.entries(propertiesOf(inputSchema)).map(([name, schema]) => {
    const dash = typeof allowDash === "boolean" ? allowDash : allowDash.includes(name);
    const given = isRecord(schema) && Object.hasOwn(schema, "default") ? { default: schema.default } : {};
    return [name, { required: required.includes(name), allowDash: dash, ...given }] as const;
  });
  // No prototype: an argument may be called `__proto__`.
  return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
}

/** The input with the schema's defaults where an argument is absent. */
export function withDefaults(
  args: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const filled = Object.entries(properties).flatMap(([name, schema]) =>
    isRecord(schema) &&
    schema.default !== undefined &&
    (args[name] === undefined || !Object.hasOwn(args, name))
      ? [[name, schema.default] as const]
      : [],
  );
  return Object.fromEntries([...Object.entries(args), ...filled]);
}

export function propertiesOf(schema: JsonSchema): Readonly<Record<string, unknown>> {
  return isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
}

/** Of these types alone no text can be made. */
export function isCompound(schema: unknown): boolean {
  if (!isRecord(schema) || schema.type === undefined) return false;
  return [schema.type].flat().every((type) => type === "object" || type === "array");
}

function requiredOf(schema: JsonSchema): readonly unknown[] {
  return isRecord(schema) && Array.isArray(schema.required) ? schema.required : [];
}
