/** The words by which a tool can be found: its names taken apart, what it says about itself, its parameters. */
import type { RegisteredTool } from "../../../core/registry.ts";
import { eachWord } from "../search/ranking/words.ts";

/** A stranger writes these; more than this says nothing more about a tool. */
const maxTextCharacters = 1_500;

export interface ToolWords {
  readonly id: string;
  readonly name: string;
  readonly aliases: string;
  readonly title: string;
  /** Category and server. */
  readonly group: string;
  readonly description: string;
  readonly parameters: string;
}

export function wordsOf({ id, tool, category, source, inputSchema }: RegisteredTool): ToolWords {
  const parameters = parametersOf(inputSchema).map(({ name, description }) => `${name} ${description}`);
  return {
    id,
    // The server's name is counted in the group; in the name it would only push the words of the name aside.
    name:
      source.name !== undefined && id.startsWith(`${source.name}__`) ? id.slice(source.name.length + 2) : id,
    aliases: (tool.aliases ?? []).join(" "),
    title: tool.title ?? "",
    group: `${category} ${source.name ?? ""}`,
    description: tool.description.slice(0, maxTextCharacters),
    parameters: parameters.join(" ").slice(0, maxTextCharacters),
  };
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
}

export function parametersOf(schema: RegisteredTool["inputSchema"]): Parameter[] {
  if (typeof schema === "boolean") return [];
  const { properties, required } = schema as { properties?: unknown; required?: unknown };
  if (typeof properties !== "object" || properties === null) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, of]) => {
    const { description } = (typeof of === "object" && of !== null ? of : {}) as { description?: unknown };
    return {
      name,
      required: needed.has(name),
      description: typeof description === "string" ? description : "",
    };
  });
}

/** Words in their simplest form, without those that every question has. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word) => {
    if (!emptyWords.has(word)) words.push(word);
  });
  return words;
}

const emptyWords = new Set<string>();
eachWord(
  "a an and any are as at be by can could do does for from have how i if in into is it its me my need of on one or our please should some that the their them then there these this to tool tools use used using want was we what when where which who why will with would you your",
  (word) => emptyWords.add(word),
);
