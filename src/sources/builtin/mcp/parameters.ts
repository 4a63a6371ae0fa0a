/** The parameters of a tool as its input schema names them, and in short form for a line of text. */
import type { RegisteredTool } from "../../../core/tool/registry.ts";

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly about: string;
  /** The values it takes, where they are listed. */
  readonly choices: readonly string[];
  /** As JSON Schema calls it; empty where it says nothing simple. */
  readonly type: string;
}

export function parametersOf(schema: RegisteredTool["inputSchema"]): Parameter[] {
  if (typeof schema === "boolean") return [];
  const { properties, required } = schema as { properties?: unknown; required?: unknown };
  if (typeof properties !== "object" || properties === null) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, of]) => {
    const { description, type, enum: values } = (typeof of === "object" && of !== null ? of : {}) as Said;
    return {
      name,
      required: needed.has(name),
      about: typeof description === "string" ? description : "",
      choices: Array.isArray(values) ? values.filter((value) => typeof value === "string") : [],
      type: typeof type === "string" ? type : "",
    };
  });
}

type Said = { readonly description?: unknown; readonly type?: unknown; readonly enum?: unknown };

/** `owner: string, state?: open|closed`: enough to call most tools. The required ones first, since the end may be cut. */
export function shortSignature(schema: RegisteredTool["inputSchema"]): string {
  const all = parametersOf(schema);
  return [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)]
    .map(({ name, required, choices, type }) => {
      const values = choices.length > 0 && choices.length <= maxChoices ? choices.join("|") : type;
      return `${name}${required ? "" : "?"}${values === "" ? "" : `: ${values}`}`;
    })
    .join(", ");
}

const maxChoices = 6;
