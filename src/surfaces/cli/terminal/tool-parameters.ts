/** A tool's parameters as a person reads them: name, type, meaning, and what other agents call them. */

import { visible } from "../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import type { Colours } from "./colours.ts";

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly description: string;
  readonly alsoCalled: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

export function parametersOf({ inputSchema, tool }: RegisteredTool): Parameter[] {
  const { properties, required } = schemaOf(inputSchema);
  const needed = Array.isArray(required) ? required : [];
  // Only schemas of built-in tools list other names of their fields.
  const synonyms = schemaOf(schemaOf(tool.input).synonyms);
  return Object.entries(schemaOf(properties)).map(([name, schema]) => ({
    name,
    required: needed.includes(name),
    type: typeOf(schemaOf(schema)),
    description: String(schemaOf(schema).description ?? ""),
    alsoCalled: textsIn(synonyms[name]),
  }));
}

export function describeParameters(parameters: readonly Parameter[], colours: Colours): string {
  if (parameters.length === 0) return "It takes no input: {}\n";
  const parts = parameters.map(({ name, required, type, description, alsoCalled }) => {
    const also =
      alsoCalled.length === 0
        ? ""
        : `\n      also called: ${alsoCalled.map((one) => visible(one)).join(", ")}`;
    const head = `  ${colours.cyan(visible(name))}${required ? "" : "?"}  ${colours.dim(visible(type))}`;
    return `${head}${description === "" ? "" : `\n      ${visible(description)}`}${also}\n`;
  });
  return `Parameters ("?": may be left out):\n${parts.join("")}`;
}

function typeOf(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives))
    return [...new Set(alternatives.map((one) => typeOf(schemaOf(one))))].join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schemaOf(schema.items))}`;
  if (schema.type === "object" && schema.properties !== undefined)
    return `{${Object.keys(schemaOf(schema.properties)).join(", ")}}`;
  return schema.type === undefined ? "anything" : [schema.type].flat().join(" or ");
}

function schemaOf(value: unknown): Schema {
  return typeof value === "object" && value !== null ? (value as Schema) : {};
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
