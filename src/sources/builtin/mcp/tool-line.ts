/** A tool in one line: name, server, purpose, parameters; and how these are read from its definition. */
import { visible } from "../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";

/** Written by strangers in part: one line, nothing hidden in it. */
export function toolLine({ wireName, tool, category, source, inputSchema }: RegisteredTool): string {
  const purpose = visible(firstSentence(tool.description), { maxLength: 200 });
  const parameters = visible(shortSignature(inputSchema), { maxLength: 240 });
  return `${wireName} [${source.name ?? category}]: ${purpose} (${parameters})`;
}

/** The first sentence of a description, on one line. A few letters (`Note.`) are not taken for a sentence. */
export function firstSentence(description: string): string {
  const line = description.trim().replace(/\s+/g, " ");
  return /^.{20,}?[.!?](?= )/u.exec(line)?.[0] ?? line;
}

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

/** `owner: string, state?: open|closed`. The required parameters come first, since the end may be cut. */
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
